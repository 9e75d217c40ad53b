#pragma once

#include <compare>
#include <string>
#include <vector>

#include "io/alphabet.h"
#include "io/model_record.h"
#include "tasks/parsing/problem.h"

namespace gapwise::internal {

/// How sentences were read and what the model may choose from.
struct ParsingSettings {
  std::string format;
  int hash_bits = 22;
  bool has_labels = true;
  TreeKind kind;
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

/// Leaves out features whose weights are all zero, which score like unknown ones.
ModelRecord encode_parsing_model(const ParsingSettings& settings, const ParsingNames& names,
                           const ParsingFeatures& features, Weights w);

/// Takes the model apart. InputError if it does not fit together.
ParsingModel decode_parsing_model(ModelRecord model);

}  // namespace gapwise::internal
