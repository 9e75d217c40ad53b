#pragma once

#include <string>
#include <vector>

#include "gapwise/ranking.h"
#include "infer/ranked_sets.h"
#include "tasks/multilabel/model.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// Ranks the sets of labels of a model; one per thread. OptionError if there are too many sets to
/// look at. The model outlives this.
class SetRanker {
 public:
  explicit SetRanker(const MultilabelModel& model);

  /// All that is asked of one row of `inputs`. There is a place for each label of the model, whose
  /// runner-up is its name: the best set that differs there has it if the best one has not.
  Ranking rank(const FeatureRows& inputs, std::size_t row, const RankSettings& settings);
  /// How likely each label is on; valid until the next call.
  std::span<const double> probabilities(const FeatureRows& inputs, std::size_t row,
                                        double temperature);

 private:
  void load(const FeatureRows& inputs, std::size_t row);
  void add_reasons(const FeatureRow& input, std::span<const std::uint8_t> on, std::size_t label,
                   Index count, RankedPlace& place) const;

  const MultilabelModel& model_;
  MultilabelClassifier classifier_;
  RankedSets sets_;
  std::vector<double> values_;
};

/// The columns behind the best set: for each label of the model its name with the margin, negative
/// if it is off, and how likely it is on, as asked for, and its reasons.
std::string set_columns(const Ranking& ranking, const RankedForm& form);

}  // namespace gapwise::internal
