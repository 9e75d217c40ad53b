#pragma once

#include <string>
#include <vector>

#include "io/model_record.h"
#include "tasks/segmentation/reader.h"
#include "tasks/shared/relaxed_problem.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// How graphs are read; part of a model.
struct SegmentationSettings {
  std::string format;
  ImageSettings images;  ///< format images only
  bool has_pairs = true;
  std::string loss;
  Inference inference = Inference::kExact;  ///< in training; not part of a model
  std::string label_weights = {};           ///< a rule; empty: both weigh the same
};

/// A segmentation model in terms of its task; `ModelRecord` is its form in a file.
struct SegmentationModel {
  SegmentationSettings settings;
  SegmentationAlphabets alphabets;
  std::vector<double> w;  ///< none of edges is negative
};

/// InputError that starts with `source` if there would be too many weights.
void check_dimension(const SegmentationLayout& layout, const std::string& source);

/// Format graph: unless all are kept, leaves out attributes whose weight is zero, which score like
/// unknown ones.
ModelRecord encode_segmentation_model(const SegmentationSettings& settings,
                                      const SegmentationAlphabets& alphabets, Weights w, Keep keep);

/// Takes the model apart. InputError if it does not fit together.
SegmentationModel decode_segmentation_model(ModelRecord model);

}  // namespace gapwise::internal
