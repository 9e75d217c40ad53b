#pragma once

#include <optional>
#include <vector>

#include "infer/binary_pairs.h"

namespace gapwise::internal {

/// What a set of labels must keep to. The empty set keeps to everything.
struct SetRule {
  enum class Kind { kImplies, kAtMost } kind = Kind::kAtMost;
  std::size_t most = 0;             ///< kAtMost: so many of `labels` may be on
  std::vector<std::size_t> labels;  ///< kImplies: the first is on only with all others

  bool allows(std::span<const std::uint8_t> on) const;
};
using SetRules = std::vector<SetRule>;

/// The first of the rules that a set breaks; none if it keeps to all.
std::optional<std::size_t> first_broken(const SetRules& rules, std::span<const std::uint8_t> on);

/// Finds the best set of labels that keeps to rules, by branch and bound over all sets; owns
/// scratch memory. Of equally good sets it is the first one in the order that compares label 0
/// first and puts "off" before "on". Where the search would take too long, the best set so far, and
/// a bound that holds for all others.
class ConstrainedSets {
 public:
  /// The rules outlive this.
  ConstrainedSets(std::size_t labels, const SetRules& rules);

  /// As BinaryPairDecoder::maximize.
  BinaryPairResult maximize(const BinaryPairScores& scores, std::span<std::uint8_t> on);

 private:
  /// A rule as one of its labels sees it.
  struct Limits {
    std::vector<std::size_t> rules;   ///< kAtMost rules that it is part of
    std::vector<std::size_t> before;  ///< labels of smaller number that must be on with it
    std::vector<std::size_t> users;   ///< labels of smaller number that are on only with it
  };

  bool may_be_on(std::size_t label) const;
  bool may_be_off(std::size_t label) const;
  void set_on(std::size_t label, bool is_on);
  void greedy();
  void search(std::size_t label, double value, std::size_t row);
  double bound(std::size_t label, double value, std::size_t row);
  void take(double value);
  double pair(std::size_t a, std::size_t b) const {
    return scores_.pairs == nullptr ? 0.0 : scores_.pairs[pair_index(labels_, a, b)];
  }

  std::size_t labels_;
  const SetRules& rules_;
  std::vector<Limits> limits_;        ///< of each label
  std::optional<std::size_t> total_;  ///< the rule of smallest number over all labels

  BinaryPairScores scores_;
  std::vector<double> positive_after_;  ///< sum of positive pairs with labels of larger number
  std::vector<double> gains_;           ///< rows: what each label adds, given those that are on
  std::vector<std::size_t> counts_;     ///< of labels that are on, by rule
  std::vector<std::uint8_t> on_;
  std::vector<std::uint8_t> best_;
  std::vector<double> hopes_;
  double best_value_ = 0.0;
  double left_out_ = 0.0;  ///< nothing that was left out scores more
  bool is_guess_ = true;   ///< the best so far comes from no search in order
  long nodes_ = 0;
};

}  // namespace gapwise::internal
