#include "tasks/multilabel/set_ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gapwise/errors.h"
#include "tasks/shared/ranking/chain_ranker.h"

namespace gapwise::internal {

SetRanker::SetRanker(const MultilabelModel& model)
    : model_(model),
      classifier_(model.layout, model.w, model.settings.constraints, model.kernel),
      sets_(model.names.labels.size(),
            model.settings.constraints ? &model.settings.constraints->rules : nullptr),
      values_(model.names.labels.size()) {
  if (!RankedSets::can_rank(values_.size(), model.layout.num_pairs() > 0,
                            model.settings.constraints != nullptr)) {
    throw OptionError(fmt::format(
        "sets of {} labels are too many to rank: at most {} labels, or a model without weights of "
        "pairs (\1couplings none) and without constraints, can be ranked",
        values_.size(), kMostRankedLabels));
  }
}

void SetRanker::load(const FeatureRows& inputs, std::size_t row) {
  sets_.load(classifier_.scores(inputs, row));
}

std::span<const double> SetRanker::probabilities(const FeatureRows& inputs, std::size_t row,
                                                 double temperature) {
  load(inputs, row);
  sets_.probabilities(temperature, values_);
  return values_;
}

Ranking SetRanker::rank(const FeatureRows& inputs, std::size_t row, const RankSettings& settings) {
  if (settings.explain > 0 && model_.kernel) {
    throw OptionError("a model with a kernel has no weights to explain with; leave out \1explain");
  }
  load(inputs, row);
  const Alphabet& names = model_.names.labels;
  Ranking ranking;
  const auto best = sets_.best(static_cast<std::size_t>(settings.nbest));
  for (const ScoredSet& set : best) {
    RankedOutput ranked{.output = {}, .score = set.score};
    for (std::size_t l = 0; l < names.size(); ++l) {
      if (set.on[l] != 0) ranked.output.labels.emplace_back(names.name(l));
    }
    ranking.outputs.push_back(std::move(ranked));
  }
  if (!settings.wants_places()) return ranking;
  const std::span<const std::uint8_t> on = best.front().on;
  ranking.places.resize(names.size());
  sets_.margins(values_);
  for (std::size_t l = 0; l < names.size(); ++l) {
    ranking.places[l].margin = std::abs(values_[l]);
    ranking.places[l].runner_up = std::isfinite(values_[l]) ? std::string(names.name(l)) : "";
    if (settings.explain > 0) {
      add_reasons(inputs.row(row), on, l, settings.explain, ranking.places[l]);
    }
  }
  if (!settings.marginals) return ranking;
  sets_.probabilities(*settings.temperature, values_);
  for (std::size_t l = 0; l < names.size(); ++l) {
    ranking.places[l].probability = on[l] != 0 ? values_[l] : 1.0 - values_[l];
  }
  return ranking;
}

/// What speaks for the label, or against it if it is off, with the other labels as they are.
void SetRanker::add_reasons(const FeatureRow& input, std::span<const std::uint8_t> on,
                            std::size_t label, Index count, RankedPlace& place) const {
  const double sign = on[label] != 0 ? 1.0 : -1.0;
  for (std::size_t f = 0; f < input.size; ++f) {
    const std::size_t a = input.attributes != nullptr ? input.attributes[f] : f;
    const double value = input.values != nullptr ? input.values[f] : 1.0;
    place.reasons.push_back(
        {model_.names.feature(a), sign * model_.w[a * on.size() + label] * value});
  }
  const double* pairs = model_.w.data() + model_.layout.pairs();
  for (std::size_t l = 0; l < on.size() && model_.layout.num_pairs() > 0; ++l) {
    if (l == label || on[l] == 0) continue;
    place.reasons.push_back(
        {fmt::format("with {}", model_.names.labels.name(l)),
         sign * pairs[pair_index(on.size(), std::min(l, label), std::max(l, label))]});
  }
  keep_reasons(place.reasons, count);
}

std::string set_columns(const Ranking& ranking, const RankedForm& form) {
  const std::vector<std::string>& labels = ranking.outputs.front().output.labels;
  std::string text;
  for (const RankedPlace& place : ranking.places) {
    if (place.runner_up.empty()) continue;
    const bool is_on = std::ranges::find(labels, place.runner_up) != labels.end();
    text += "\t" + place.runner_up;
    if (form.settings.margins) text += " " + ranked_number(is_on ? place.margin : -place.margin);
    if (form.settings.marginals) {
      text += fmt::format(" {:.6f}", is_on ? place.probability : 1.0 - place.probability);
    }
    for (std::size_t k = 0; k < place.reasons.size(); ++k) {
      text += fmt::format("{} {} {:+.4g}", k == 0 ? ":" : ",", place.reasons[k].name,
                          place.reasons[k].score);
    }
  }
  return text;
}

}  // namespace gapwise::internal
