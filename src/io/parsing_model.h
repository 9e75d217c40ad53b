#pragma once

#include <string>
#include <vector>

#include "gapwise/io/model.h"
#include "gapwise/tasks/parsing.h"
#include "io/alphabet.h"

namespace gapwise {

/// How sentences were read and what the model may choose from.
struct ParsingSettings {
  std::string format;
  int hash_bits = 22;
  bool has_labels = true;
  TreeKind kind;
  ParsingLoss loss = ParsingLoss::kHamming;
  FeatureSource features = FeatureSource::kTrees;
};

/// A parser in terms of its task; `Model` is its form in a file.
struct ParsingModel {
  ParsingSettings settings;
  Alphabet labels;
  Alphabet tags;  ///< to name features; the model works without
  ParsingFeatures features;
  std::vector<double> w;
};

/// Leaves out features whose weights are all zero, which score like unknown ones.
Model encode_parsing_model(const ParsingSettings& settings, const Alphabet& labels,
                           const Alphabet& tags, const ParsingFeatures& features, Weights w);

/// Takes the model apart. InputError if it does not fit together.
ParsingModel decode_parsing_model(Model model);

}  // namespace gapwise
