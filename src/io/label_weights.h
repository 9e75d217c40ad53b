#pragma once

#include <span>
#include <string>
#include <vector>

#include "gapwise/option_table.h"
#include "io/alphabet.h"
#include "io/model_record.h"

namespace gapwise::internal {

/// The option `label-weights`, bound to `rule`; `cost` says what a weight stands for.
Option label_weights_option(std::string& rule, const std::string& cost);

/// Adds the rule to the settings of a model, if there is one.
inline void note_label_weights(const std::string& rule, ModelRecord& model) {
  if (!rule.empty()) model.settings["label_weights"] = rule;
}

/// What it costs to take a position with each label for another, in the order of `labels`. A rule
/// is `balanced`, `margins` or a file with a label and its weight on each line (docs/formats.md);
/// labels that it does not list weigh 1. With `balanced` all labels together weigh the same: N / (K
/// n_k) for a label of n_k positions among N in all, K labels occurring. `margins` is the fourth
/// root of that, since a loss is a margin to keep ([CWGAM19]). Empty for an empty rule.
std::vector<double> label_weights(const std::string& rule, const Alphabet& labels,
                                  std::span<const Index> counts);

/// The same where each label is there or not, by label: what it costs to miss it, and what it costs
/// to find it where it is not. A file has the second in a third column, or 1. `balanced` is N / (2
/// n_k) and N / (2 (N - n_k)) for a label of n_k examples among N, `margins` the fourth roots. Both
/// empty for an empty rule.
struct PresenceCosts {
  std::vector<double> missed;
  std::vector<double> invented;
};
PresenceCosts presence_costs(const std::string& rule, const Alphabet& labels,
                             std::span<const Index> counts, Index examples);

}  // namespace gapwise::internal
