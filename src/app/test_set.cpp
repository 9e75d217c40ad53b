#include "app/test_set.h"

#include <fmt/format.h>

namespace gapwise::internal {

TestSet::TestSet(const ExampleSet& train, const ExampleSet& test) : train_(train) {
  if (train.is_own() || train.task() != test.task()) {
    throw OptionError(fmt::format("test examples of task {} cannot judge a model of task {}",
                                  test.task(), train.task()));
  }
  const std::vector<double> w(static_cast<std::size_t>(train.problem().dimension()));
  predictor_ = train.driver().open(train.training().make_model(w, Keep::kAll));
  batches_ = test.batches(*predictor_, Purpose::kEvaluate);
}

Metrics TestSet::evaluate(Weights w, const KernelProblem* kernel, const Threads& threads) {
  if (kernel == nullptr) {
    predictor_->set_weights(w);
    return predictor_->evaluate(batches_, threads);
  }
  const auto predictor =
      train_.driver().open(train_.training().make_kernel_model(kernel->expansion(w), Keep::kAll));
  return predictor->evaluate(batches_, threads);
}

}  // namespace gapwise::internal
