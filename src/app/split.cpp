#include "app/split.h"

#include <fmt/format.h>

#include <map>
#include <numeric>
#include <span>

#include "core/random.h"
#include "gapwise/errors.h"

namespace gapwise::internal {
namespace {

/// The examples of each group, by the first of them.
std::vector<std::vector<Index>> groups_of(const SplitPlan& plan) {
  std::vector<std::vector<Index>> groups;
  if (plan.groups.empty()) {
    for (Index i = 0; i < plan.examples; ++i) groups.push_back({i});
    return groups;
  }
  if (std::ssize(plan.groups) != plan.examples) {
    throw OptionError(
        fmt::format("there are {} names of groups for {} examples; give one for each, in their "
                    "order",
                    plan.groups.size(), plan.examples));
  }
  std::map<std::string, std::size_t> numbers;
  for (Index i = 0; i < plan.examples; ++i) {
    const auto [found, is_new] =
        numbers.emplace(plan.groups[static_cast<std::size_t>(i)], groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(i);
  }
  return groups;
}

/// The part that is furthest from its share.
std::size_t neediest(const std::vector<double>& shares, const std::vector<double>& filled) {
  std::size_t best = 0;
  for (std::size_t part = 1; part < shares.size(); ++part) {
    if (filled[part] / shares[part] < filled[best] / shares[best]) best = part;
  }
  return best;
}

}  // namespace

std::vector<Index> split(const SplitPlan& plan) {
  std::vector<std::vector<Index>> groups = groups_of(plan);
  if (groups.size() < plan.shares.size()) {
    throw OptionError(fmt::format("{} {} cannot be split into {} parts; ask for fewer",
                                  groups.size(), plan.groups.empty() ? "examples" : "groups",
                                  plan.shares.size()));
  }
  Rng rng(plan.seed);
  rng.shuffle(std::span(groups));
  std::vector<Index> parts(static_cast<std::size_t>(plan.examples), 0);
  std::vector<double> filled(plan.shares.size(), 0.0);
  for (std::size_t k = 0; k < groups.size(); ++k) {
    // One group for each part first, so that none stays empty.
    const std::size_t part = k < plan.shares.size() ? k : neediest(plan.shares, filled);
    filled[part] += static_cast<double>(groups[k].size());
    for (const Index i : groups[k]) parts[static_cast<std::size_t>(i)] = static_cast<Index>(part);
  }
  return parts;
}

namespace {

template <class Wanted>
std::vector<Index> examples_where(const std::vector<Index>& parts, Wanted wanted) {
  std::vector<Index> examples;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (wanted(parts[i])) examples.push_back(static_cast<Index>(i));
  }
  return examples;
}

}  // namespace

std::vector<Index> examples_in(const std::vector<Index>& parts, Index part) {
  return examples_where(parts, [part](Index other) { return other == part; });
}
std::vector<Index> examples_outside(const std::vector<Index>& parts, Index part) {
  return examples_where(parts, [part](Index other) { return other != part; });
}

}  // namespace gapwise::internal
