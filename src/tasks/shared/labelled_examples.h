#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/alphabet.h"
#include "tasks/shared/class_names.h"
#include "tasks/shared/feature_numbers.h"
#include "tasks/shared/feature_rows.h"

namespace gapwise::internal {

/// One example as it comes: its labels, none of them twice, and its features.
struct LabelledExample {
  std::vector<std::string> labels;
  std::vector<std::uint32_t> indices;  ///< increasing, from 1
  std::vector<double> values;          ///< none of them zero
};

/// Examples to train on, as they come: attributes are indices, labels in order of appearance.
struct LabelledExamples {
  FeatureRows rows;
  std::vector<std::int32_t> labels;  ///< of all examples, one after the other
  std::vector<std::size_t> ends;     ///< where those of each example end
  Alphabet names;                    ///< of the labels
  NumberSet indices;                 ///< those that occur

  std::size_t size() const { return ends.size(); }
  /// Complains about a label that is one too many, or that is not known.
  void add(const LabelledExample& example, const Complain& complain);
};

}  // namespace gapwise::internal
