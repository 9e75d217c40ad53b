#include "tasks/shared/ranking/chain_ranker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "infer/chain/best_labellings.h"

namespace gapwise::internal {

Ranking ChainRanker::rank(const ChainScores& scores, const RankSettings& settings) {
  Ranking ranking;
  const std::vector<ScoredLabelling> best =
      best_labellings(scores, static_cast<std::size_t>(settings.nbest));
  if (best.empty()) return ranking;
  for (const ScoredLabelling& labelling : best) {
    RankedOutput ranked{.output = {}, .score = labelling.score};
    for (const std::int32_t label : labelling.labels) {
      ranked.output.labels.push_back(name(static_cast<std::size_t>(label)));
    }
    ranking.outputs.push_back(std::move(ranked));
  }
  if (!settings.wants_places()) return ranking;
  const std::span<const std::int32_t> labels = best.front().labels;
  ranking.places.resize(labels.size());
  add_margins(scores, best.front().score, labels, ranking.places);
  if (settings.marginals) {
    const auto p = probabilities(scores, *settings.temperature);
    for (std::size_t t = 0; t < labels.size(); ++t) {
      ranking.places[t].probability =
          p[t * static_cast<std::size_t>(scores.labels) + static_cast<std::size_t>(labels[t])];
    }
  }
  return ranking;
}

std::span<const double> ChainRanker::probabilities(const ChainScores& scores, double temperature) {
  values_.resize(static_cast<std::size_t>(scores.length) * static_cast<std::size_t>(scores.labels));
  label_probabilities(scores, temperature, scratch_, values_);
  return values_;
}

void ChainRanker::add_margins(const ChainScores& scores, double best,
                              std::span<const std::int32_t> labels,
                              std::vector<RankedPlace>& places) {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  const auto count = static_cast<std::size_t>(scores.labels);
  values_.resize(labels.size() * count);
  max_marginals(scores, scratch_, values_);
  for (std::size_t t = 0; t < labels.size(); ++t) {
    double second = kNever;
    for (std::size_t k = 0; k < count; ++k) {
      const double other = values_[t * count + k];
      if (k == static_cast<std::size_t>(labels[t]) || other <= second) continue;
      second = other;
      places[t].runner_up = name(k);
    }
    places[t].margin = std::max(0.0, best - second);  // rounding may say less
  }
}

void keep_reasons(std::vector<Reason>& reasons, Index count) {
  std::stable_sort(reasons.begin(), reasons.end(), [](const Reason& a, const Reason& b) {
    return std::fabs(a.score) > std::fabs(b.score);
  });
  std::erase_if(reasons, [](const Reason& reason) { return reason.score == 0.0; });
  if (std::ssize(reasons) > count) reasons.resize(static_cast<std::size_t>(count));
}

std::string ranked_number(double value) {
  return fmt::format("{:.6g}", value);
}

std::string place_columns(const RankedPlace& place, const RankedForm& form) {
  std::string text;
  if (form.settings.margins) text += "\t" + ranked_number(place.margin);
  if (form.settings.marginals) text += fmt::format("\t{:.6f}", place.probability);
  if (form.settings.explain == 0) return text;
  text += "\tover " + (place.runner_up.empty() ? "nothing" : place.runner_up) + ":";
  for (std::size_t k = 0; k < place.reasons.size(); ++k) {
    text += fmt::format("{} {} {:+.4g}", k == 0 ? "" : ",", place.reasons[k].name,
                        place.reasons[k].score);
  }
  return text;
}

}  // namespace gapwise::internal
