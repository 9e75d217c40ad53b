#include "app/test_set.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/split.h"
#include "app/train_loss.h"
#include "core/plain_decode.h"
#include "core/subset_problem.h"

namespace gapwise::internal {
namespace {

/// With all names of the training set, and no weights.
std::unique_ptr<Predictor> open_predictor(const ExampleSet& train) {
  const std::vector<double> w(static_cast<std::size_t>(train.problem().dimension()));
  return train.driver().open(train.training().make_model(w, Keep::kAll));
}

/// Whether weights of one problem of the user's can be judged by another one.
void check_own(const Problem& train, const Problem& test) {
  if (!has_plain_decode(test)) {
    throw OptionError(
        "a problem of one's own is tested by its argmax without the loss (predict), which this one "
        "does not have");
  }
  if (train.dimension() != test.dimension()) {
    throw OptionError(fmt::format("the test examples have {} weights, those to train on {}",
                                  test.dimension(), train.dimension()));
  }
}

}  // namespace

TestSet::TestSet(const ExampleSet& train, const ExampleSet& test) : train_(train) {
  if (train.is_own() && test.is_own()) {
    own_ = test.own();
    check_own(train.problem(), *own_);
    return;
  }
  if (train.task() != test.task()) {
    throw OptionError(fmt::format("test examples of task {} cannot judge a model of task {}",
                                  test.task(), train.task()));
  }
  predictor_ = open_predictor(train);
  batches_ = test.batches(*predictor_, Purpose::kEvaluate);
}

TestSet::TestSet(const ExampleSet& train, std::shared_ptr<const Predictor> reader,
                 std::vector<std::unique_ptr<Batch>> batches)
    : train_(train),
      predictor_(open_predictor(train)),
      reader_(std::move(reader)),
      batches_(std::move(batches)) {}

TestSet::TestSet(const ExampleSet& train, std::shared_ptr<const Problem> own)
    : train_(train), own_(std::move(own)) {}

Metrics TestSet::evaluate(Weights w, const KernelProblem* kernel, const Threads& threads) {
  if (own_) return {{"loss", train_loss(*own_, {}, w, threads).value(), Better::kLower, true}};
  if (kernel == nullptr) {
    predictor_->set_weights(w);
    return judge(*predictor_, threads);
  }
  const auto predictor =
      train_.driver().open(train_.training().make_kernel_model(kernel->expansion(w), Keep::kAll));
  return judge(*predictor, threads);
}

Metrics TestSet::judge(const Predictor& predictor, const Threads& threads) const {
  if (!reader_) return predictor.evaluate(batches_, threads);
  // Batches of one example each: threads share them, rather than what is inside.
  const Threads one(1);
  threads.run(std::ssize(batches_), [&](Index begin, Index end, int) {
    for (Index k = begin; k < end; ++k)
      predictor.label(*batches_[static_cast<std::size_t>(k)], one);
  });
  const auto scorer = predictor.make_scorer();
  std::vector<double> counts(scorer->num_counts());
  for (const auto& batch : batches_) scorer->count_all(*batch, counts);
  return scorer->metrics(counts);
}

namespace {

std::vector<std::unique_ptr<TestSet>> make_own_tests(const ExampleSet& train,
                                                     std::span<const Index> parts) {
  check_own(train.problem(), train.problem());
  const Index count = *std::max_element(parts.begin(), parts.end()) + 1;
  std::vector<std::unique_ptr<TestSet>> tests;
  for (Index k = 0; k < count; ++k) {
    auto chosen = examples_in({parts.begin(), parts.end()}, k);
    tests.push_back(
        std::make_unique<TestSet>(train, make_subset_problem(train.problem(), std::move(chosen))));
  }
  return tests;
}

}  // namespace

std::vector<std::unique_ptr<TestSet>> make_split_tests(const ExampleSet& train,
                                                       std::span<const Index> parts) {
  if (train.is_own()) return make_own_tests(train, parts);
  const std::shared_ptr<const Predictor> reader = open_predictor(train);
  std::vector<std::unique_ptr<Batch>> examples = train.single_batches(*reader);
  if (examples.size() != parts.size()) {
    throw InputError(
        fmt::format("the training examples are {} when read once more, they were {}; give examples "
                    "to validate on in a file of their own",
                    examples.size(), parts.size()));
  }
  const Index count = *std::max_element(parts.begin(), parts.end()) + 1;
  std::vector<std::vector<std::unique_ptr<Batch>>> by_part(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < examples.size(); ++i) {
    by_part[static_cast<std::size_t>(parts[i])].push_back(std::move(examples[i]));
  }
  std::vector<std::unique_ptr<TestSet>> tests;
  for (auto& batches : by_part) {
    tests.push_back(std::make_unique<TestSet>(train, reader, std::move(batches)));
  }
  return tests;
}

}  // namespace gapwise::internal
