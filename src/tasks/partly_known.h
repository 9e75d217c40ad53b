#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tasks/task.h"

namespace gapwise::internal {

/// Examples with a label wherever there was none.
struct CompletedExamples {
  std::unique_ptr<TrainingSet> set;
  std::vector<std::int32_t> labels;  ///< that were filled in, in the order of the examples
};

/// What a training set is asked if some of its labels are not known. All sets that it gives have
/// the same weights.
class PartlyKnown {
 public:
  virtual ~PartlyKnown() = default;
  virtual Index num_examples() const = 0;
  virtual Index num_unknown() const = 0;  ///< labels
  /// What is known alone, to find first weights on.
  virtual std::unique_ptr<TrainingSet> known_alone() const = 0;
  /// The best outputs at w among those that agree with what is known. InputError that names an
  /// example if there is none.
  virtual CompletedExamples complete(Weights w, const Threads& threads) const = 0;
};

}  // namespace gapwise::internal
