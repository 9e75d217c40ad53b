#pragma once

#include <memory>
#include <vector>

#include "app/example_set.h"
#include "core/kernel_problem.h"

namespace gapwise::internal {

/// Test examples, read once and numbered by the names of a training set, to be measured with the
/// weights of any moment of its training.
class TestSet {
 public:
  /// `train` outlives the test set. InputError or OptionError if the test examples do not fit it.
  TestSet(const ExampleSet& train, const ExampleSet& test);

  /// How good weights w of the training problem are, or of its kernel form if there is one.
  Metrics evaluate(Weights w, const KernelProblem* kernel, const Threads& threads);

 private:
  const ExampleSet& train_;
  std::unique_ptr<Predictor> predictor_;
  std::vector<std::unique_ptr<Batch>> batches_;
};

}  // namespace gapwise::internal
