#include "tasks/alignment/problem.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <functional>
#include <limits>

#include "gapwise/errors.h"
#include "support/problems.h"

namespace gapwise::internal {
namespace {

using Targets = std::vector<std::int32_t>;

/// Pairs with random features and gold links.
AlignmentData random_pairs(Index pairs, bool is_binary, Rng& rng) {
  constexpr std::uint32_t kAttributes = 7;
  AlignmentData data;
  for (Index i = 0; i < pairs; ++i) {
    data.sources.push_back(1 + rng.below(4));
    data.targets.push_back(1 + rng.below(4));
    for (Index link = 0; link < data.sources.back() * data.targets.back(); ++link) {
      for (std::uint32_t a = 0; a < kAttributes; ++a) {
        if (rng.uniform() < 0.4) {
          data.links.add(a, is_binary ? 1.0 : static_cast<double>(rng.below(9)) / 2.0 - 2.0);
        }
      }
      data.links.end_row();
      const double kind = rng.uniform();
      data.gold.push_back(kind < 0.3 ? Gold::kSure : kind < 0.5 ? Gold::kPossible : Gold::kWrong);
    }
    data.starts.push_back(data.gold.size());
  }
  data.links.finish(kAttributes);
  data.attributes = kAttributes;
  return data;
}

/// A pair each of whose links has a feature, hence a score, of its own.
AlignmentData free_pair(Index sources, Index targets, std::vector<Gold> gold) {
  AlignmentData data;
  data.sources = {sources};
  data.targets = {targets};
  data.starts = {0, gold.size()};
  for (std::uint32_t link = 0; link < gold.size(); ++link) {
    data.links.add(link);
    data.links.end_row();
  }
  data.attributes = std::ssize(gold);
  data.links.finish(static_cast<std::uint32_t>(gold.size()));
  data.gold = std::move(gold);
  return data;
}

std::unique_ptr<Problem> problem_of(const AlignmentData& data, const AlignmentCosts& costs = {}) {
  return make_alignment_problem(std::make_shared<const AlignmentData>(data), costs);
}

/// Calls visit(targets) for every matching of pair i.
void for_each_matching(const AlignmentData& data, Index i,
                       const std::function<void(const Targets&)>& visit) {
  const auto k = static_cast<std::size_t>(i);
  Targets chosen;
  const std::function<void()> extend = [&] {
    if (std::ssize(chosen) == data.sources[k]) return visit(chosen);
    for (std::int32_t t = kUnmatched; t < data.targets[k]; ++t) {
      const bool is_taken = t != kUnmatched && std::count(chosen.begin(), chosen.end(), t) > 0;
      if (is_taken) continue;
      chosen.push_back(t);
      extend();
      chosen.pop_back();
    }
  };
  extend();
}

std::size_t link_of(const AlignmentData& data, Index i, std::size_t s, std::int32_t t) {
  return s * static_cast<std::size_t>(data.targets[static_cast<std::size_t>(i)]) +
         static_cast<std::size_t>(t);
}

/// The first largest matching of sure links.
Targets truth_of(const AlignmentData& data, Index i) {
  Targets best;
  std::ptrdiff_t most = -1;
  for_each_matching(data, i, [&](const Targets& y) {
    std::ptrdiff_t links = 0;
    for (std::size_t s = 0; s < y.size(); ++s) {
      if (y[s] == kUnmatched) continue;
      if (data.gold[data.first_link(i) + link_of(data, i, s, y[s])] != Gold::kSure) return;
      ++links;
    }
    if (links > most) {
      most = links;
      best = y;
    }
  });
  return best;
}

/// Wrong links and missing links of the truth, counted from their definition.
double loss_of(const AlignmentData& data, Index i, const Targets& y, const AlignmentCosts& costs) {
  const Targets truth = truth_of(data, i);
  double loss = 0.0;
  for (std::size_t s = 0; s < y.size(); ++s) {
    if (truth[s] != kUnmatched && truth[s] != y[s]) loss += costs.recall;
    if (y[s] == kUnmatched) continue;
    const Gold kind = data.gold[data.first_link(i) + link_of(data, i, s, y[s])];
    if (kind == Gold::kWrong) loss += costs.precision;
  }
  return loss;
}

Parts parts_of(const AlignmentData& data, Index i, const Targets& y) {
  const Targets truth = truth_of(data, i);
  Parts parts;
  for (std::size_t s = 0; s < y.size(); ++s) {
    if (truth[s] != kUnmatched) {
      parts.collect(static_cast<Index>(link_of(data, i, s, truth[s])), 1.0);
    }
    if (y[s] != kUnmatched) parts.collect(static_cast<Index>(link_of(data, i, s, y[s])), -1.0);
  }
  parts.normalize();
  return parts;
}

TEST(AlignmentProblem, ArgmaxEqualsEnumerationWithAndWithoutTies) {
  Rng rng(3);
  const AlignmentCosts costs{1.0, 3.0};
  for (int trial = 0; trial < 60; ++trial) {
    const AlignmentData data = random_pairs(3, trial % 2 == 0, rng);
    const auto problem = problem_of(data, costs);
    const auto oracle = problem->make_oracle();
    const auto w = testing::random_weights(problem->dimension(), rng, trial % 3 != 0);
    PartScores theta;
    Corner corner;
    for (Index i = 0; i < problem->num_blocks(); ++i) {
      oracle->score(i, w, theta);
      for (const double loss_weight : {0.0, 1.0}) {
        double best = -std::numeric_limits<double>::infinity();
        Targets best_y;
        for_each_matching(data, i, [&](const Targets& y) {
          const double value =
              violation(loss_weight * loss_of(data, i, y, costs), parts_of(data, i, y), theta);
          if (value > best + 1e-9) {
            best = value;
            best_y = y;
          }
        });
        oracle->decode(i, theta, loss_weight == 0.0 ? Augment::kNone : Augment::kLoss, corner);
        ASSERT_EQ(corner.parts, parts_of(data, i, best_y));
        ASSERT_EQ(corner.loss, loss_of(data, i, best_y, costs));
        if (loss_weight == 0.0) {
          Aligner aligner(w);
          const auto found = aligner.align(data, i);
          for (std::size_t link = 0; link < found.size(); ++link) {
            const auto targets =
                static_cast<std::size_t>(data.targets[static_cast<std::size_t>(i)]);
            ASSERT_EQ(found[link] != 0,
                      best_y[link / targets] == static_cast<std::int32_t>(link % targets));
          }
        }
      }
    }
  }
}

/// Every set of links in which no element has more than two, from the definition.
TEST(AlignmentProblem, MoreLinksEqualEnumeration) {
  constexpr Index kFertility = 2;
  Rng rng(8);
  const AlignmentCosts costs{1.0, 3.0};
  for (int trial = 0; trial < 40; ++trial) {
    AlignmentData data = random_pairs(3, trial % 2 == 0, rng);
    const auto problem =
        make_alignment_problem(std::make_shared<const AlignmentData>(data), costs, kFertility);
    const auto oracle = problem->make_oracle();
    const auto w = testing::random_weights(problem->dimension(), rng, trial % 3 != 0);
    PartScores theta;
    Corner corner;
    Corner same;
    for (Index i = 0; i < problem->num_blocks(); ++i) {
      const auto targets = static_cast<std::size_t>(data.targets[static_cast<std::size_t>(i)]);
      const std::size_t links = data.num_links(i);
      const auto fits = [&](unsigned set) {
        std::array<Index, 4> rows{};
        std::array<Index, 4> columns{};
        for (std::size_t link = 0; link < links; ++link) {
          if ((set >> link & 1U) == 0) continue;
          if (++rows[link / targets] > kFertility) return false;
          if (++columns[link % targets] > kFertility) return false;
        }
        return true;
      };
      const auto gold = [&](std::size_t link) { return data.gold[data.first_link(i) + link]; };
      int most = 0;
      for (unsigned set = 0; set < 1U << links; ++set) {
        bool is_sure = fits(set);
        for (std::size_t link = 0; link < links; ++link) {
          is_sure = is_sure && ((set >> link & 1U) == 0 || gold(link) == Gold::kSure);
        }
        if (is_sure) most = std::max(most, std::popcount(set));
      }
      oracle->score(i, w, theta);
      // What was found and how it differs from the truth tell the truth.
      oracle->decode(i, theta, Augment::kNone, corner);
      unsigned found = 0;
      {
        Aligner aligner(w, kFertility);
        const auto linked = aligner.align(data, i);
        for (std::size_t link = 0; link < links; ++link) {
          found |= static_cast<unsigned>(linked[link]) << link;
        }
      }
      unsigned truth = found;
      for (const Part& part : corner.parts) truth ^= 1U << part.id;
      ASSERT_TRUE(fits(truth));
      ASSERT_EQ(std::popcount(truth), most);
      const auto value = [&](unsigned set, bool with_loss) {
        double sum = 0.0;
        for (std::size_t link = 0; link < links; ++link) {
          const bool is_in = (set >> link & 1U) != 0;
          const bool is_right = (truth >> link & 1U) != 0;
          const double sign = (is_in ? 1.0 : 0.0) - (is_right ? 1.0 : 0.0);
          sum += sign * theta[static_cast<Index>(link)];
          if (!with_loss || is_in == is_right) continue;
          sum += is_right ? costs.recall : gold(link) == Gold::kWrong ? costs.precision : 0.0;
        }
        return sum;
      };
      for (const bool with_loss : {false, true}) {
        double best = -1e300;
        for (unsigned set = 0; set < 1U << links; ++set) {
          if (fits(set)) best = std::max(best, value(set, with_loss));
        }
        oracle->decode(i, theta, with_loss ? Augment::kLoss : Augment::kNone, corner);
        ASSERT_NEAR(violation(with_loss ? corner.loss : 0.0, corner.parts, theta), best, 1e-9);
        ASSERT_TRUE(oracle->recognize(i, corner.parts, same));
        ASSERT_EQ(same.loss, corner.loss);
      }
    }
  }
}

TEST(AlignmentProblem, RefusesPartsOfTooManyLinks) {
  const AlignmentData data = free_pair(1, 3, {Gold::kSure, Gold::kWrong, Gold::kWrong});
  const auto problem = make_alignment_problem(std::make_shared<const AlignmentData>(data), {}, 2);
  Parts parts;
  Corner corner;
  parts.append(1, -1.0);
  EXPECT_TRUE(problem->make_oracle()->recognize(0, parts, corner));
  EXPECT_EQ(corner.loss, 1.0);
  parts.append(2, -1.0);
  EXPECT_FALSE(problem->make_oracle()->recognize(0, parts, corner));
  EXPECT_NE(problem->fingerprint(), problem_of(data)->fingerprint());
}

/// Scores [[2,-1],[0.5,1]], the truth on the diagonal: the maximum of score and loss is 7.5 at
/// {(1,0)}, and the truth scores 3.
TEST(AlignmentProblem, GoldenExample) {
  const auto problem =
      problem_of(free_pair(2, 2, {Gold::kSure, Gold::kWrong, Gold::kWrong, Gold::kSure}));
  const std::vector<double> w{2.0, -1.0, 0.5, 1.0};
  PartScores theta;
  Corner corner;
  problem->make_oracle()->argmax(0, w, theta, corner);
  EXPECT_EQ(violation(corner.loss, corner.parts, theta), 4.5);
  EXPECT_EQ(corner.loss, 7.0);
  Parts expected;
  expected.append(0, 1.0);
  expected.append(2, -1.0);
  expected.append(3, 1.0);
  EXPECT_EQ(corner.parts, expected);
}

TEST(AlignmentProblem, PossibleLinksCostNothing) {
  const auto problem = problem_of(free_pair(1, 3, {Gold::kPossible, Gold::kWrong, Gold::kWrong}));
  const auto oracle = problem->make_oracle();
  PartScores theta;
  Corner corner;
  oracle->argmax(0, std::vector<double>{2.0, 0.0, 0.0}, theta, corner);
  EXPECT_EQ(corner.loss, 0.0);
  EXPECT_EQ(corner.parts.size(), 1U);
  oracle->argmax(0, std::vector<double>{0.0, 0.0, 0.0}, theta, corner);
  EXPECT_EQ(corner.loss, 1.0);
}

/// The first word has two sure links, of which a matching has but one.
TEST(AlignmentProblem, SureLinksThatDoNotFitCostNothing) {
  const auto problem =
      problem_of(free_pair(2, 2, {Gold::kSure, Gold::kSure, Gold::kSure, Gold::kWrong}));
  const auto oracle = problem->make_oracle();
  PartScores theta;
  Corner corner;
  oracle->score(0, std::vector<double>{9.0, 0.0, 0.0, 0.0}, theta);
  oracle->decode(0, theta, Augment::kNone, corner);
  EXPECT_EQ(corner.loss, 6.0);  // both links of the truth are missing, but none is wrong
  oracle->score(0, std::vector<double>{0.0, 1.0, 1.0, 0.0}, theta);
  oracle->decode(0, theta, Augment::kNone, corner);
  EXPECT_TRUE(corner.parts.empty());
}

TEST(AlignmentProblem, FingerprintTellsDataAndCostsApart) {
  Rng rng(1);
  const AlignmentData data = random_pairs(3, false, rng);
  EXPECT_EQ(problem_of(data)->fingerprint(), problem_of(data)->fingerprint());
  EXPECT_NE(problem_of(data)->fingerprint(), problem_of(data, {1.0, 2.0})->fingerprint());
  AlignmentData other = data;
  other.gold[0] = other.gold[0] == Gold::kSure ? Gold::kWrong : Gold::kSure;
  EXPECT_NE(problem_of(data)->fingerprint(), problem_of(other)->fingerprint());
}

TEST(AlignmentProblem, RefusesDataThatDoNotFitTogether) {
  const AlignmentData good = free_pair(1, 2, {Gold::kSure, Gold::kWrong});
  const auto refuses = [&](const std::function<void(AlignmentData&)>& spoil) {
    AlignmentData data = good;
    spoil(data);
    EXPECT_THROW(problem_of(data), InputError);
  };
  refuses([](AlignmentData& data) { data = {}; });
  refuses([](AlignmentData& data) { data.targets.push_back(1); });
  refuses([](AlignmentData& data) { data.targets[0] = 3; });
  refuses([](AlignmentData& data) { data.sources[0] = 0; });
  refuses([](AlignmentData& data) { data.gold.pop_back(); });
  refuses([](AlignmentData& data) { data.links.end_row(); });
  EXPECT_THROW(problem_of(good, {-1.0, 3.0}), InputError);
  EXPECT_THROW(problem_of(good, {1.0, std::numeric_limits<double>::infinity()}), InputError);
}

}  // namespace
}  // namespace gapwise::internal
