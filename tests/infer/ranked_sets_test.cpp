// The best sets of labels, what each label is worth and how likely it is, against enumeration.

#include "infer/ranked_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/random.h"

namespace gapwise::internal {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

struct Case {
  std::vector<double> singles;
  std::vector<double> pairs;
  SetRules rules;
  bool has_pairs;

  std::size_t labels() const { return singles.size(); }
  BinaryPairScores scores() const {
    return {labels(), singles.data(), has_pairs ? pairs.data() : nullptr};
  }
  /// All sets that keep to the rules, best first, then in the order of their labels.
  std::vector<ScoredSet> all() const {
    std::vector<ScoredSet> result;
    for (unsigned code = 0; code < 1U << labels(); ++code) {
      std::vector<std::uint8_t> on(labels());
      for (std::size_t l = 0; l < labels(); ++l) on[l] = code >> (labels() - 1 - l) & 1U;
      if (first_broken(rules, on)) continue;
      result.push_back({on, score_of(scores(), on)});
    }
    std::ranges::stable_sort(result,
                             [](const auto& a, const auto& b) { return a.score > b.score; });
    return result;
  }
};

/// Random scores, by turns with many ties, pairs and rules.
template <class Visit>
void for_each_case(Visit visit) {
  Rng rng(5);
  for (int trial = 0; trial < 800; ++trial) {
    const auto labels = 1 + static_cast<std::size_t>(rng.below(6));
    Case one;
    const auto draw = [&](std::size_t count) {
      std::vector<double> values(count);
      for (double& x : values) {
        x = trial % 2 == 0 ? 0.5 * static_cast<double>(rng.below(7)) - 1.5
                           : 3.0 * rng.uniform() - 1.5;
      }
      return values;
    };
    one.singles = draw(labels);
    one.pairs = draw(num_pairs(labels));
    one.has_pairs = trial % 3 != 0;
    for (Index count = trial % 4 == 0 ? rng.below(3) : 0; count > 0; --count) {
      SetRule rule;
      rule.kind = rng.below(2) == 0 ? SetRule::Kind::kImplies : SetRule::Kind::kAtMost;
      rule.most = static_cast<std::size_t>(rng.below(3));
      for (std::size_t l = 0; l < labels; ++l) {
        if (rng.uniform() < 0.6) rule.labels.push_back(l);
      }
      if (!rule.labels.empty()) one.rules.push_back(rule);
    }
    visit(one, trial % 2 == 0);
  }
}

TEST(RankedSets, BestOnesAreThoseOfEnumeration) {
  for_each_case([](const Case& one, bool has_ties) {
    RankedSets sets(one.labels(), &one.rules);
    sets.load(one.scores());
    const auto all = one.all();
    const bool are_listed = one.has_pairs || !one.rules.empty();
    for (const std::size_t count : {std::size_t{1}, std::size_t{4}, all.size() + 2}) {
      const auto found = sets.best(count);
      ASSERT_EQ(found.size(), std::min(count, all.size()));
      std::set<std::vector<std::uint8_t>> seen;
      for (std::size_t k = 0; k < found.size(); ++k) {
        ASSERT_NEAR(found[k].score, all[k].score, 1e-12);
        ASSERT_NEAR(found[k].score, score_of(one.scores(), found[k].on), 1e-12);
        ASSERT_TRUE(seen.insert(found[k].on).second);
        if (!has_ties || are_listed || k == 0) {
          ASSERT_EQ(found[k].on, all[k].on);
        }
      }
    }
  });
}

TEST(RankedSets, MarginsAndProbabilitiesAreThoseOfEnumeration) {
  Rng rng(9);
  for_each_case([&](const Case& one, bool) {
    RankedSets sets(one.labels(), &one.rules);
    sets.load(one.scores());
    const auto all = one.all();
    const double temperature = std::exp(3.0 * rng.uniform() - 1.5);
    std::vector<double> margins(one.labels());
    std::vector<double> p(one.labels());
    sets.margins(margins);
    sets.probabilities(temperature, p);
    double sum = 0.0;
    for (const ScoredSet& set : all) sum += std::exp(set.score / temperature);
    for (std::size_t l = 0; l < one.labels(); ++l) {
      double with = kNever;
      double without = kNever;
      double mass = 0.0;
      for (const ScoredSet& set : all) {
        double& top = set.on[l] != 0 ? with : without;
        top = std::max(top, set.score);
        mass += set.on[l] != 0 ? std::exp(set.score / temperature) : 0.0;
      }
      ASSERT_NEAR(p[l], mass / sum, 1e-10);
      if (with == kNever) {
        ASSERT_EQ(margins[l], kNever);
      } else {
        ASSERT_NEAR(margins[l], with - without, 1e-12);
      }
    }
  });
}

}  // namespace
}  // namespace gapwise::internal
