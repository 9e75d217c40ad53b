#pragma once

#include <memory>
#include <span>
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
  /// Examples of the training set itself, each a batch, that were numbered by `reader`.
  TestSet(const ExampleSet& train, std::shared_ptr<const Predictor> reader,
          std::vector<std::unique_ptr<Batch>> batches);

  /// Blocks of a problem of one's own, which are judged by the loss of its plain decode.
  TestSet(const ExampleSet& train, std::shared_ptr<const Problem> own);

  /// How good weights w of the training problem are, or of its kernel form if there is one.
  Metrics evaluate(Weights w, const KernelProblem* kernel, const Threads& threads);

 private:
  Metrics judge(const Predictor& predictor, const Threads& threads) const;

  const ExampleSet& train_;
  std::unique_ptr<Predictor> predictor_;
  std::shared_ptr<const Predictor> reader_;  ///< whose names the batches use, if that is another
  std::vector<std::unique_ptr<Batch>> batches_;
  std::shared_ptr<const Problem> own_;  ///< in their place
};

/// The examples of a training set by the part that each is in, to test what was trained on the
/// other parts. The source is read once more. A problem of one's own needs a plain decode.
std::vector<std::unique_ptr<TestSet>> make_split_tests(const ExampleSet& train,
                                                       std::span<const Index> parts);

}  // namespace gapwise::internal
