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
    for (const std::int32_t state : labelling.labels) {
      ranked.output.labels.push_back(name(label(state)));
    }
    ranking.outputs.push_back(std::move(ranked));
  }
  if (!settings.wants_places()) return ranking;
  const std::span<const std::int32_t> states = best.front().labels;
  ranking.places.resize(states.size());
  add_margins(scores, best.front().score, states, ranking.places);
  if (settings.marginals) {
    const auto p = probabilities(scores, *settings.temperature);
    for (std::size_t t = 0; t < states.size(); ++t) {
      ranking.places[t].probability = p[t * labels_->size() + label(states[t])];
    }
  }
  return ranking;
}

std::span<const double> ChainRanker::probabilities(const ChainScores& scores, double temperature) {
  values_.resize(static_cast<std::size_t>(scores.length) * static_cast<std::size_t>(scores.labels));
  label_probabilities(scores, temperature, scratch_, values_);
  fold_states(scores, 0.0, [](double a, double b) { return a + b; });
  return values_;
}

template <class Combine>
void ChainRanker::fold_states(const ChainScores& scores, double nothing, Combine combine) {
  if (states_.empty()) return;
  const auto length = static_cast<std::size_t>(scores.length);
  folded_.assign(length * labels_->size(), nothing);
  for (std::size_t t = 0; t < length; ++t) {
    for (std::size_t s = 0; s < states_.size(); ++s) {
      double& value = folded_[t * labels_->size() + static_cast<std::size_t>(states_[s])];
      value = combine(value, values_[t * states_.size() + s]);
    }
  }
  values_ = folded_;
}

void ChainRanker::add_margins(const ChainScores& scores, double best,
                              std::span<const std::int32_t> states,
                              std::vector<RankedPlace>& places) {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  const std::size_t count = labels_->size();
  values_.resize(states.size() * static_cast<std::size_t>(scores.labels));
  max_marginals(scores, scratch_, values_);
  fold_states(scores, kNever, [](double a, double b) { return std::max(a, b); });
  for (std::size_t t = 0; t < states.size(); ++t) {
    double second = kNever;
    for (std::size_t k = 0; k < count; ++k) {
      const double other = values_[t * count + k];
      if (k == label(states[t]) || other <= second) continue;
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
