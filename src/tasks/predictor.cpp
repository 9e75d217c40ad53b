#include <algorithm>
#include <functional>
#include <span>

#include "tasks/task.h"

namespace gapwise::internal {
namespace {

constexpr double kFirstFill = 1.0 / 65536.0;  // one example, mostly

/// Calls visit(batch) for all examples of the stream, a batch at a time; returns how many there
/// were. Batches grow from small ones, so that whoever waits for the first result waits less.
Index for_each_batch(ExampleStream& examples,
                     const std::function<void(std::unique_ptr<Batch>)>& visit) {
  Index count = 0;
  bool has_more = true;
  for (double fill = kFirstFill; has_more; fill = std::min(1.0, 2.0 * fill)) {
    while (has_more && examples.fill() < fill) has_more = examples.read();
    std::unique_ptr<Batch> batch = examples.take();
    count += batch->size();
    visit(std::move(batch));
  }
  return count;
}

}  // namespace

std::unique_ptr<BatchRows> Predictor::make_rows() const {
  throw OptionError("this task takes no examples row by row; give it a file");
}

void Predictor::draw(const Batch&, Index, const std::string&) const {
  throw OptionError("models of this task draw no pictures; leave out \1pictures");
}

std::vector<Ranking> Predictor::rank(const Batch&, const RankSettings&, const Threads&) const {
  throw OptionError(
      "models of this task give one output of an example only, without score: leave out \1nbest, "
      "\1scores, \1margins, \1marginals, \1explain and \1json");
}

std::vector<Belief> Predictor::beliefs(const Batch&, double, const Threads&) const {
  throw OptionError("models of this task have no probabilities to calibrate");
}

void Predictor::write_ranked(const Batch&, std::span<const Ranking>, const RankedForm&,
                             std::string&) const {}

Metrics Predictor::evaluate(const DataSource& source, const Threads& threads) const {
  const auto examples = open(source, Purpose::kEvaluate);
  const auto scorer = make_scorer();
  std::vector<double> counts(scorer->num_counts());
  const Index count = for_each_batch(*examples, [&](std::unique_ptr<Batch> batch) {
    label(*batch, threads);
    scorer->count_all(*batch, counts);
  });
  if (count == 0) examples->fail_empty();
  return scorer->metrics(counts);
}

void Predictor::predict(const DataSource& source, const Threads& threads,
                        const TextSink& out) const {
  const auto examples = open(source, Purpose::kPredict);
  std::string text;
  for_each_batch(*examples, [&](std::unique_ptr<Batch> batch) {
    label(*batch, threads);
    text.clear();
    write(*batch, text);
    if (!text.empty()) out(text);
  });
}

void Predictor::rank(const DataSource& source, const RankSettings& settings, const Threads& threads,
                     const RankingSink& visit) const {
  const auto examples = open(source, Purpose::kPredict);
  for_each_batch(*examples, [&](std::unique_ptr<Batch> batch) {
    for (const Ranking& ranking : rank(*batch, settings, threads)) visit(ranking);
  });
}

void Predictor::write_ranked(const DataSource& source, const RankedForm& form,
                             const Threads& threads, const TextSink& out) const {
  const auto examples = open(source, Purpose::kPredict);
  std::string text;
  for_each_batch(*examples, [&](std::unique_ptr<Batch> batch) {
    text.clear();
    write_ranked(*batch, rank(*batch, form.settings, threads), form, text);
    if (!text.empty()) out(text);
  });
}

void Predictor::draw(const DataSource& source, const Threads& threads,
                     const std::string& folder) const {
  const auto examples = open(source, Purpose::kDraw);
  Index drawn = 0;
  const Index count = for_each_batch(*examples, [&](std::unique_ptr<Batch> batch) {
    label(*batch, threads);
    draw(*batch, drawn, folder);
    drawn += batch->size();
  });
  if (count == 0) examples->fail_empty();
}

std::vector<std::unique_ptr<Batch>> Predictor::read(const DataSource& source,
                                                    Purpose purpose) const {
  const auto examples = open(source, purpose);
  std::vector<std::unique_ptr<Batch>> batches;
  const Index count = for_each_batch(
      *examples, [&](std::unique_ptr<Batch> batch) { batches.push_back(std::move(batch)); });
  if (count == 0) examples->fail_empty();
  return batches;
}

Metrics Predictor::evaluate(std::span<const std::unique_ptr<Batch>> batches,
                            const Threads& threads) const {
  const auto scorer = make_scorer();
  std::vector<double> counts(scorer->num_counts());
  for (const auto& batch : batches) {
    label(*batch, threads);
    scorer->count_all(*batch, counts);
  }
  return scorer->metrics(counts);
}

void Scorer::count_all(const Batch& batch, std::span<double> counts) {
  for (Index i = 0; i < batch.size(); ++i) count(batch, i, counts);
}

void Scorer::for_each_label(const Batch& batch, Index i,
                            const std::function<void(const LabelCount&)>& visit) const {
  for_each_place(batch, i, [&](const Place& place) {
    const double correct = place.is_right ? place.size : 0.0;
    if (place.gold == place.predicted) {
      if (!place.gold.empty()) visit({place.gold, place.size, place.size, correct});
      return;
    }
    if (!place.gold.empty()) visit({place.gold, place.size, 0.0, correct});
    if (!place.predicted.empty()) visit({place.predicted, 0.0, place.size, 0.0});
  });
}

ModelRecord TrainingSet::make_kernel_model(const KernelExpansion&, Keep) const {
  throw OptionError("this task has no kernel models; train it with another solver");
}

std::unique_ptr<TrainingRows> TaskDriver::make_rows() {
  throw OptionError("this task takes no examples row by row; give it a file");
}

bool TaskDriver::looks_familiar(std::string_view) const {
  return false;
}

}  // namespace gapwise::internal
