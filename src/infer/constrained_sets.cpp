#include "infer/constrained_sets.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "core/stop.h"

namespace gapwise::internal {
namespace {

/// Sets that a search looks at before it gives up.
constexpr long kMostNodes = 1L << 18;

}  // namespace

bool SetRule::allows(std::span<const std::uint8_t> on) const {
  if (kind == Kind::kImplies) {
    if (on[labels.front()] == 0) return true;
    return std::all_of(labels.begin(), labels.end(), [&](std::size_t l) { return on[l] != 0; });
  }
  std::size_t count = 0;
  for (const std::size_t l : labels) count += on[l];
  return count <= most;
}

std::optional<std::size_t> first_broken(const SetRules& rules, std::span<const std::uint8_t> on) {
  for (std::size_t k = 0; k < rules.size(); ++k) {
    if (!rules[k].allows(on)) return k;
  }
  return std::nullopt;
}

ConstrainedSets::ConstrainedSets(std::size_t labels, const SetRules& rules)
    : labels_(labels), rules_(rules), limits_(labels) {
  for (std::size_t k = 0; k < rules.size(); ++k) {
    const SetRule& rule = rules[k];
    if (rule.kind == SetRule::Kind::kAtMost) {
      for (const std::size_t l : rule.labels) limits_[l].rules.push_back(k);
      const bool is_tightest = !total_ || rule.most < rules[*total_].most;
      if (rule.labels.size() == labels && is_tightest) total_ = k;
      continue;
    }
    const std::size_t user = rule.labels.front();
    for (std::size_t j = 1; j < rule.labels.size(); ++j) {
      const std::size_t needed = rule.labels[j];
      if (needed < user) {
        limits_[user].before.push_back(needed);
      } else {
        limits_[needed].users.push_back(user);
      }
    }
  }
  counts_.resize(rules.size());
}

bool ConstrainedSets::may_be_on(std::size_t label) const {
  const Limits& limits = limits_[label];
  return std::all_of(limits.before.begin(), limits.before.end(),
                     [&](std::size_t other) { return on_[other] != 0; }) &&
         std::all_of(limits.rules.begin(), limits.rules.end(),
                     [&](std::size_t rule) { return counts_[rule] < rules_[rule].most; });
}

bool ConstrainedSets::may_be_off(std::size_t label) const {
  const Limits& limits = limits_[label];
  return std::none_of(limits.users.begin(), limits.users.end(),
                      [&](std::size_t user) { return on_[user] != 0; });
}

void ConstrainedSets::set_on(std::size_t label, bool is_on) {
  on_[label] = is_on ? 1 : 0;
  for (const std::size_t rule : limits_[label].rules) {
    if (is_on) {
      ++counts_[rule];
    } else {
      --counts_[rule];
    }
  }
}

void ConstrainedSets::take(double value) {
  best_value_ = value;
  best_ = on_;
}

/// A first set: labels that gain something one after the other, the best first.
void ConstrainedSets::greedy() {
  take(0.0);
  std::vector<double> gain(scores_.singles, scores_.singles + labels_);
  std::vector<bool> is_tried(labels_, false);
  while (true) {
    std::size_t top = labels_;
    for (std::size_t l = 0; l < labels_; ++l) {
      const bool is_open = !is_tried[l] && gain[l] > 0.0;
      if (is_open && (top == labels_ || gain[l] > gain[top])) top = l;
    }
    if (top == labels_) break;
    is_tried[top] = true;
    best_[top] = 1;
    if (first_broken(rules_, best_)) {
      best_[top] = 0;
      continue;
    }
    for (std::size_t l = 0; l < labels_; ++l) {
      if (l != top) gain[l] += pair(std::min(l, top), std::max(l, top));
    }
  }
  best_value_ = score_of(scores_, best_);
  if (best_value_ < 0.0) {
    std::fill(best_.begin(), best_.end(), std::uint8_t{0});
    best_value_ = 0.0;
  }
}

double ConstrainedSets::bound(std::size_t label, double value, std::size_t row) {
  const double* gains = gains_.data() + row * labels_;
  hopes_.clear();
  for (std::size_t l = label; l < labels_; ++l) {
    const double hope = gains[l] + positive_after_[l];
    if (hope > 0.0) hopes_.push_back(hope);
  }
  if (total_) {
    const std::size_t left = rules_[*total_].most - counts_[*total_];
    if (left < hopes_.size()) {
      std::nth_element(hopes_.begin(), hopes_.begin() + static_cast<std::ptrdiff_t>(left),
                       hopes_.end(), std::greater<>());
      hopes_.resize(left);
    }
  }
  return std::accumulate(hopes_.begin(), hopes_.end(), value);
}

/// All sets that agree with on_ below `label`, in order; `row` has what labels add.
void ConstrainedSets::search(std::size_t label, double value, std::size_t row) {
  if (label == labels_) {
    if (value > best_value_ || (is_guess_ && value == best_value_)) {
      take(value);
      is_guess_ = false;
    }
    return;
  }
  const double most = bound(label, value, row);
  if (is_guess_ ? most < best_value_ : most <= best_value_) return;
  if (++nodes_ > kMostNodes) {
    left_out_ = std::max(left_out_, most);
    return;
  }
  if (nodes_ % 4096 == 0) give_up_if_asked();
  if (may_be_off(label)) search(label + 1, value, row);
  if (!may_be_on(label)) return;
  const double* gains = gains_.data() + row * labels_;
  const double with = value + gains[label];
  double* next = gains_.data() + (row + 1) * labels_;
  for (std::size_t l = label + 1; l < labels_; ++l) next[l] = gains[l] + pair(label, l);
  set_on(label, true);
  search(label + 1, with, row + 1);
  set_on(label, false);
}

BinaryPairResult ConstrainedSets::maximize(const BinaryPairScores& scores,
                                           std::span<std::uint8_t> on) {
  scores_ = scores;
  on_.assign(labels_, 0);
  std::fill(counts_.begin(), counts_.end(), std::size_t{0});
  positive_after_.assign(labels_, 0.0);
  for (std::size_t a = 0; a < labels_ && scores.pairs != nullptr; ++a) {
    for (std::size_t b = a + 1; b < labels_; ++b) {
      positive_after_[a] += std::max(0.0, pair(a, b));
    }
  }
  gains_.resize((labels_ + 1) * labels_);
  std::copy_n(scores.singles, labels_, gains_.begin());
  nodes_ = 0;
  left_out_ = -std::numeric_limits<double>::infinity();
  is_guess_ = true;
  greedy();
  search(0, 0.0, 0);
  std::copy(best_.begin(), best_.end(), on.begin());
  BinaryPairResult result;
  result.value = best_value_;
  result.is_exact = left_out_ <= best_value_;
  result.upper_bound = result.is_exact ? best_value_ : left_out_;
  return result;
}

}  // namespace gapwise::internal
