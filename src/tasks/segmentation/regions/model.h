#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/model_record.h"
#include "tasks/segmentation/problem.h"
#include "tasks/segmentation/regions/region_map.h"
#include "tasks/shared/factor_graphs/vocabulary.h"
#include "tasks/shared/relaxed_problem.h"

namespace gapwise::internal {

/// The name of the format whose truth are maps of classes.
inline constexpr const char* kLabelMaps = "label-maps";

/// Values of label maps, from 0 to 255, ascending.
using ClassList = std::vector<std::int16_t>;

/// The numbers of a list such as "0,5,8". OptionError if it is none.
ClassList parse_void_classes(const std::string& text);

/// How images become graphs of regions with classes; part of a model.
struct RegionSettings {
  RegionKind kind = RegionKind::kSquares;
  Index side = 8;
  Index neighbours = 4;
  bool has_pairs = true;
  SegmentationLoss loss = SegmentationLoss::kNormalizedHamming;
  Inference inference = Inference::kExact;
  std::string void_classes = {};   ///< a list; they do not count
  std::string label_weights = {};  ///< a rule; empty: all weigh the same
};

/// A model of regions in terms of its task; `ModelRecord` is its form in a file.
struct RegionModel {
  RegionSettings settings;
  ClassList classes;
  std::vector<double> w;

  GraphWeightLayout layout() const;
};

/// Weights of all attributes of this version, for so many classes.
GraphWeightLayout region_layout(const RegionSettings& settings, std::size_t classes);

ModelRecord encode_region_model(const RegionSettings& settings, const ClassList& classes,
                                Weights w);
/// Takes the model apart. InputError if it does not fit together.
RegionModel decode_region_model(ModelRecord model);

}  // namespace gapwise::internal
