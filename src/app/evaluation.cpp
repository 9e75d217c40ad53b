// Figures by label and by example, and how sure they are.

#include "gapwise/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "app/example_set.h"
#include "app/loaded_model.h"

namespace gapwise::internal {
namespace {

using Batches = std::vector<std::unique_ptr<Batch>>;

/// What was counted of each example, one after the other.
class Tally {
 public:
  Tally(Scorer& scorer, const Batches& batches)
      : scorer_(scorer), width_(scorer.num_counts()), all_(width_) {
    for (const auto& batch : batches) {
      scorer.count_all(*batch, all_);
      for (Index i = 0; i < batch->size(); ++i) {
        counts_.resize(counts_.size() + width_);
        scorer.count(*batch, i, std::span(counts_).last(width_));
      }
    }
  }

  Index size() const { return std::ssize(counts_) / static_cast<Index>(width_); }
  std::span<const double> of(Index i) const {
    return std::span(counts_).subspan(static_cast<std::size_t>(i) * width_, width_);
  }
  /// Of all examples, to the last digit those of Model::evaluate.
  Metrics metrics() const { return scorer_.metrics(all_); }
  double errors(Index i) const { return scorer_.errors(of(i)); }
  Metrics metrics(std::span<const Index> examples) const {
    std::vector<double> sum(width_);
    for (const Index i : examples) {
      const auto own = of(i);
      for (std::size_t k = 0; k < width_; ++k) sum[k] += own[k];
    }
    return scorer_.metrics(sum);
  }

 private:
  const Scorer& scorer_;
  std::size_t width_;
  std::vector<double> all_;
  std::vector<double> counts_;
};

/// As many examples as there are, drawn with repetition; the k-th draw is the same in any run.
std::vector<Index> draw(Index n, std::uint64_t seed, Index k) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15U;  // tells the seeds of draws apart
  Rng rng(seed + kOdd * static_cast<std::uint64_t>(k + 1));
  std::vector<Index> examples(static_cast<std::size_t>(n));
  for (Index& i : examples) i = rng.below(n);
  return examples;
}

/// Calls visit(k, examples) for every draw, on all threads.
template <class Visit>
void for_each_draw(Index n, const EvaluationSettings& settings, const Threads& threads,
                   Visit visit) {
  threads.run(settings.resamples, [&](Index begin, Index end, int) {
    for (Index k = begin; k < end; ++k) visit(k, draw(n, settings.seed, k));
  });
}

/// The part of the values in the middle that makes this share of them.
Interval middle(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  const auto at = [&](double place) { return values[static_cast<std::size_t>(place)]; };
  const double outside = (1.0 - share) / 2.0;
  return {at(std::floor(outside * last)), at(std::ceil((1.0 - outside) * last))};
}

void check(const EvaluationSettings& settings) {
  const double share = settings.confidence.value_or(0.5);
  if (!(share > 0.0 && share < 1.0)) {
    throw OptionError(fmt::format(
        "a confidence of {} is none; give a share between 0 and 1, such as 0.95", share));
  }
  if (settings.resamples < 1) {
    throw OptionError(
        fmt::format("{} resamples make no interval; give 1000, say", settings.resamples));
  }
}

std::vector<Interval> intervals(const Tally& tally, const EvaluationSettings& settings,
                                const Threads& threads) {
  std::vector<Metrics> drawn(static_cast<std::size_t>(settings.resamples));
  for_each_draw(tally.size(), settings, threads, [&](Index k, const std::vector<Index>& examples) {
    drawn[static_cast<std::size_t>(k)] = tally.metrics(examples);
  });
  std::vector<Interval> result;
  for (std::size_t m = 0; m < drawn.front().size(); ++m) {
    std::vector<double> values;
    for (const Metrics& metrics : drawn) values.push_back(metrics[m].value);
    result.push_back(middle(std::move(values), *settings.confidence));
  }
  return result;
}

/// Counts pairs of names.
class Confusions {
 public:
  void add(const Place& place) {
    counts_[{std::string(place.gold), std::string(place.predicted)}] += place.size;
  }
  /// Most frequent first, then by name.
  std::vector<Confusion> sorted() const {
    std::vector<Confusion> result;
    for (const auto& [names, count] : counts_) result.push_back({names.first, names.second, count});
    std::stable_sort(result.begin(), result.end(),
                     [](const Confusion& a, const Confusion& b) { return a.count > b.count; });
    return result;
  }

 private:
  std::map<std::pair<std::string, std::string>, double> counts_;
};

std::vector<LabelFigures> figures_by_label(const Scorer& scorer, const Batches& batches) {
  std::map<std::string, LabelFigures, std::less<>> by_name;
  for (const auto& batch : batches) {
    for (Index i = 0; i < batch->size(); ++i) {
      scorer.for_each_label(*batch, i, [&](const LabelCount& count) {
        auto found = by_name.find(count.label);
        if (found == by_name.end()) {
          const std::string name(count.label);
          found = by_name.emplace(name, LabelFigures{.label = name}).first;
        }
        found->second.support += count.gold;
        found->second.predicted += count.predicted;
        found->second.correct += count.correct;
      });
    }
  }
  std::vector<LabelFigures> result;
  for (auto& [name, figures] : by_name) result.push_back(std::move(figures));
  return result;
}

std::vector<WorstExample> find_worst(const Tally& tally, const Scorer& scorer,
                                     const Batches& batches, Index count) {
  std::vector<Index> order(static_cast<std::size_t>(tally.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return tally.errors(a) > tally.errors(b); });
  order.resize(std::min(order.size(), static_cast<std::size_t>(count)));
  std::vector<WorstExample> worst;
  for (const Index example : order) {
    if (tally.errors(example) <= 0.0) break;
    Index within = example;
    std::size_t b = 0;
    while (within >= batches[b]->size()) within -= batches[b++]->size();
    Confusions wrong;
    scorer.for_each_place(*batches[b], within, [&](const Place& place) {
      if (!place.is_right) wrong.add(place);
    });
    worst.push_back({example, tally.errors(example), wrong.sorted()});
  }
  return worst;
}

/// The examples as the model sees them, with what it says of them.
Batches labelled(const Model& model, const Examples& examples, const Threads& threads) {
  expect_task(model, examples);
  const Predictor& predictor = model.loaded().predictor();
  Batches batches = examples.set().batches(predictor, Purpose::kEvaluate);
  for (const auto& batch : batches) predictor.label(*batch, threads);
  return batches;
}

/// How much better the first value is.
double lead(const Metric& first, const Metric& second) {
  return first.better == Better::kHigher ? first.value - second.value : second.value - first.value;
}

}  // namespace
}  // namespace gapwise::internal

namespace gapwise {

using internal::Tally;

Evaluation evaluate_in_detail(const Model& model, const Examples& examples,
                              const EvaluationSettings& settings, ThreadCount threads) {
  internal::check(settings);
  const auto team = internal::make_threads(threads);
  const internal::Batches batches = internal::labelled(model, examples, *team);
  const auto scorer = model.loaded().predictor().make_scorer();
  const Tally tally(*scorer, batches);

  Evaluation result;
  result.metrics = tally.metrics();
  if (settings.confidence) result.intervals = internal::intervals(tally, settings, *team);
  result.labels = internal::figures_by_label(*scorer, batches);
  internal::Confusions confusions;
  for (const auto& batch : batches) {
    for (Index i = 0; i < batch->size(); ++i) {
      scorer->for_each_place(*batch, i,
                             [&](const internal::Place& place) { confusions.add(place); });
    }
  }
  result.confusions = confusions.sorted();
  result.worst = internal::find_worst(tally, *scorer, batches, settings.worst);
  return result;
}

Difference compare_models(const Model& first, const Model& second, const Examples& examples,
                          const EvaluationSettings& settings, ThreadCount threads) {
  internal::check(settings);
  const auto team = internal::make_threads(threads);
  const auto first_scorer = first.loaded().predictor().make_scorer();
  const auto second_scorer = second.loaded().predictor().make_scorer();
  const Tally first_tally(*first_scorer, internal::labelled(first, examples, *team));
  const Tally second_tally(*second_scorer, internal::labelled(second, examples, *team));

  Difference result;
  result.first = *main_metric(first_tally.metrics());
  result.second = *main_metric(second_tally.metrics());
  if (result.first.name != result.second.name) {
    throw OptionError(fmt::format("one model is judged by {}, the other one by {}",
                                  result.first.name, result.second.name));
  }
  result.by = internal::lead(result.first, result.second);

  const auto lead_on = [&](const std::vector<Index>& drawn) {
    const Metrics of_first = first_tally.metrics(drawn);
    const Metrics of_second = second_tally.metrics(drawn);
    return internal::lead(*main_metric(of_first), *main_metric(of_second));
  };
  std::vector<double> leads(static_cast<std::size_t>(settings.resamples));
  internal::for_each_draw(first_tally.size(), settings, *team,
                          [&](Index k, const std::vector<Index>& drawn) {
                            leads[static_cast<std::size_t>(k)] = lead_on(drawn);
                          });
  // Where there is no difference, draws scatter around 0 as they do around what was found.
  const auto extreme = std::count_if(leads.begin(), leads.end(), [&](double x) {
    return std::abs(x - result.by) >= std::abs(result.by);
  });
  result.p_value = static_cast<double>(extreme + 1) / static_cast<double>(settings.resamples + 1);
  result.interval = internal::middle(std::move(leads), settings.confidence.value_or(0.95));
  return result;
}

}  // namespace gapwise
