#include "infer/ranked_sets.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>

namespace gapwise::internal {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

}  // namespace

RankedSets::RankedSets(std::size_t labels, const SetRules* rules)
    : labels_(labels), rules_(rules != nullptr && rules->empty() ? nullptr : rules) {}

void RankedSets::load(const BinaryPairScores& scores) {
  is_independent_ = scores.pairs == nullptr && rules_ == nullptr;
  singles_.assign(scores.singles, scores.singles + labels_);
  if (is_independent_) return;
  assert(labels_ <= kMostRankedLabels);
  values_.resize(std::size_t{1} << labels_);
  gains_.resize(values_.size());
  values_[0] = 0.0;
  // The last label is the lowest bit: all sets of the labels behind `l`, then the same with it.
  for (std::size_t l = labels_; l-- > 0;) {
    const std::size_t count = bit(l);
    gains_[0] = singles_[l];
    for (std::size_t m = labels_; m-- > l + 1;) {  // codes whose highest bit is that of m
      const std::size_t high = bit(m);
      const double pair = scores.pairs == nullptr ? 0.0 : scores.pairs[pair_index(labels_, l, m)];
      for (std::size_t code = 0; code < high; ++code) gains_[high + code] = gains_[code] + pair;
    }
    for (std::size_t code = 0; code < count; ++code) {
      values_[count + code] = values_[code] + gains_[code];
    }
  }
  if (rules_ == nullptr) return;
  std::vector<std::uint8_t> on(labels_);
  for (std::size_t code = 0; code < values_.size(); ++code) {
    for (std::size_t l = 0; l < labels_; ++l) on[l] = (code & bit(l)) != 0 ? 1 : 0;
    if (first_broken(*rules_, on)) values_[code] = kNever;
  }
}

std::vector<ScoredSet> RankedSets::best(std::size_t count) const {
  return is_independent_ ? best_of_independent(count) : best_of_all(count);
}

std::vector<ScoredSet> RankedSets::best_of_all(std::size_t count) const {
  std::vector<std::size_t> codes;
  const auto is_better = [this](std::size_t a, std::size_t b) {
    return values_[a] > values_[b] || (values_[a] == values_[b] && a < b);
  };
  for (std::size_t code = 0; code < values_.size(); ++code) {  // a heap with the worst on top
    if (values_[code] == kNever) continue;
    if (codes.size() == count) {
      if (!is_better(code, codes.front())) continue;
      std::ranges::pop_heap(codes, is_better);
      codes.pop_back();
    }
    codes.push_back(code);
    std::ranges::push_heap(codes, is_better);
  }
  std::ranges::sort_heap(codes, is_better);
  std::vector<ScoredSet> result;
  for (const std::size_t code : codes) {
    ScoredSet set{std::vector<std::uint8_t>(labels_), values_[code]};
    for (std::size_t l = 0; l < labels_; ++l) set.on[l] = (code & bit(l)) != 0 ? 1 : 0;
    result.push_back(std::move(set));
  }
  return result;
}

/// From the best set, whole groups of labels change; the cheapest groups come first. A group is
/// extended by the next dearer label, or changes its dearest label for that one: each is made once.
std::vector<ScoredSet> RankedSets::best_of_independent(std::size_t count) const {
  ScoredSet top{std::vector<std::uint8_t>(labels_), 0.0};
  for (std::size_t l = 0; l < labels_; ++l) {
    if (singles_[l] <= 0.0) continue;
    top.on[l] = 1;
    top.score += singles_[l];
  }
  std::vector<std::size_t> order(labels_);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto cost = [&](std::size_t k) { return std::abs(singles_[order[k]]); };
  std::ranges::stable_sort(order, {}, [&](std::size_t l) { return std::abs(singles_[l]); });
  struct Group {
    double cost;
    std::vector<std::size_t> members;  ///< places in `order`
  };
  const auto is_dearer = [](const Group& a, const Group& b) {
    return a.cost > b.cost || (a.cost == b.cost && a.members > b.members);
  };
  std::priority_queue<Group, std::vector<Group>, decltype(is_dearer)> open(is_dearer);
  std::vector<ScoredSet> result;
  if (count > 0) result.push_back(top);
  if (labels_ > 0) open.push({cost(0), {0}});
  while (result.size() < count && !open.empty()) {
    Group group = open.top();
    open.pop();
    ScoredSet set = top;
    set.score -= group.cost;
    for (const std::size_t k : group.members) set.on[order[k]] ^= 1U;
    result.push_back(std::move(set));
    const std::size_t last = group.members.back();
    if (last + 1 == labels_) continue;
    group.members.push_back(last + 1);
    open.push({group.cost + cost(last + 1), group.members});
    group.members.erase(group.members.end() - 2);
    open.push({group.cost - cost(last) + cost(last + 1), group.members});
  }
  return result;
}

void RankedSets::margins(std::span<double> out) const {
  for (std::size_t l = 0; l < labels_; ++l) {
    if (is_independent_) {
      out[l] = singles_[l];
      continue;
    }
    double with = kNever;
    double without = kNever;
    for (std::size_t code = 0; code < values_.size(); ++code) {
      double& top = (code & bit(l)) != 0 ? with : without;
      top = std::max(top, values_[code]);
    }
    out[l] = with - without;  // the empty set keeps to every rule, so not both are none
  }
}

void RankedSets::probabilities(double temperature, std::span<double> out) const {
  if (is_independent_) {
    for (std::size_t l = 0; l < labels_; ++l) {
      out[l] = 1.0 / (1.0 + std::exp(-singles_[l] / temperature));
    }
    return;
  }
  const double top = *std::ranges::max_element(values_);
  std::fill(out.begin(), out.end(), 0.0);
  double sum = 0.0;
  for (std::size_t code = 0; code < values_.size(); ++code) {
    const double mass = std::exp((values_[code] - top) / temperature);
    sum += mass;
    for (std::size_t l = 0; l < labels_; ++l) out[l] += (code & bit(l)) != 0 ? mass : 0.0;
  }
  for (double& p : out) p /= sum;
}

}  // namespace gapwise::internal
