#pragma once

#include <compare>
#include <string>
#include <vector>

#include "gapwise/metrics.h"
#include "io/alphabet.h"
#include "io/model_record.h"
#include "tasks/parsing/problem.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// How sentences were read and what the model may choose from.
struct ParsingSettings {
  std::string format;
  int hash_bits = 22;
  bool has_labels = true;
  TreeKind kind;
  std::string constraints_file = {};  ///< empty: none
  ParsingLoss loss = ParsingLoss::kHamming;
  FeatureSource features = FeatureSource::kTrees;
};

/// The tags of head and word of an arc and where the head is (`distance_place`).
struct TagPair {
  Index head_tag = 0;  ///< 0 is the root, k + 1 tag number k
  Index tag = 0;
  int place = 0;

  auto operator<=>(const TagPair&) const = default;
};

/// The names of a model.
struct ParsingNames {
  Alphabet labels;
  Alphabet tags;
  std::vector<TagPair> pairs;  ///< those of the training data, increasing; only they have names
};

/// A parser in terms of its task; `ModelRecord` is its form in a file.
struct ParsingModel {
  ParsingSettings settings;
  ParsingNames names;
  ParsingFeatures features;
  std::vector<double> w;
};

/// Leaves out features whose weights are all zero, which score like unknown ones, unless all are
/// to be kept.
ModelRecord encode_parsing_model(const ParsingSettings& settings, const ParsingNames& names,
                                 const ParsingFeatures& features, Weights w, Keep keep);

/// Takes the model apart. InputError if it does not fit together.
ParsingModel decode_parsing_model(ModelRecord model);

/// The strongest weights of features that consist of two tags: hashes do not tell what they were
/// made of, but the pairs of the training data are few enough to be kept. First arcs, by side and
/// by distance, then each label.
std::vector<WeightTable> parsing_weight_tables(const ParsingModel& model, std::size_t count);

}  // namespace gapwise::internal
