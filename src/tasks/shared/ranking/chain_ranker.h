#pragma once

#include <string>
#include <vector>

#include "gapwise/ranking.h"
#include "infer/chain/chain_marginals.h"
#include "infer/viterbi.h"
#include "io/alphabet.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// Ranks the labellings of chains, of which a single input with its classes is the shortest; one
/// per thread.
class ChainRanker {
 public:
  /// `states` are the labels that the states of the chains stand for; none: each is its own.
  explicit ChainRanker(const Alphabet& labels, std::span<const std::int32_t> states = {})
      : labels_(&labels), states_(states.begin(), states.end()) {}

  /// All but the reasons. No outputs if none is allowed.
  Ranking rank(const ChainScores& scores, const RankSettings& settings);
  /// How likely each label is at each position: label k at t * number of labels + k.
  std::span<const double> probabilities(const ChainScores& scores, double temperature);

 private:
  std::string name(std::size_t label) const { return std::string(labels_->name(label)); }
  void add_margins(const ChainScores& scores, double best, std::span<const std::int32_t> states,
                   std::vector<RankedPlace>& places);

  std::size_t label(std::int32_t state) const {
    const auto at = static_cast<std::size_t>(state);
    return states_.empty() ? at : static_cast<std::size_t>(states_[at]);
  }
  /// Makes values_ by state ones by label: `combine` takes those of one label together.
  template <class Combine>
  void fold_states(const ChainScores& scores, double nothing, Combine combine);

  const Alphabet* labels_;
  std::vector<std::int32_t> states_;
  MarginalScratch scratch_;
  std::vector<double> values_;
  std::vector<double> folded_;
};

/// Keeps the largest reasons, largest first.
void keep_reasons(std::vector<Reason>& reasons, Index count);

/// What is written behind the label of a place: as asked for, each behind a tab.
std::string place_columns(const RankedPlace& place, const RankedForm& form);
/// A score or margin as it is written.
std::string ranked_number(double value);

}  // namespace gapwise::internal
