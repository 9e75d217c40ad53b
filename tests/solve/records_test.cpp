// Records of remembered corners, against what the oracle says of the same corners.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "core/random.h"
#include "solve/records/record_arena.h"
#include "solve/records/record_visit.h"
#include "support/problems.h"

namespace gapwise::internal {
namespace {

/// A block of a chain problem with corners found at random weights, and a mixture of some.
struct Remembered {
  explicit Remembered(int outputs, std::uint64_t seed)
      : problem(testing::random_chains({.sequences = 6, .labels = 5, .max_length = 6, .seed = seed})
                    .problem),
        oracle(problem->make_oracle()),
        rng(seed),
        w(random_weights()) {
    PartScores theta;
    Corner corner;
    for (int k = 0; k < outputs; ++k) {
      oracle->argmax(0, random_weights(), theta, corner);
      corner.upper_bound.reset();
      corners.place(corner, 0);
    }
    double sum = 0.0;
    for (int p = 0; p < corners.size(); ++p) {
      corners.set_alpha(p, p % 3 == 1 ? 0.0 : rng.uniform());
      sum += corners.alpha(p);
    }
    for (int p = 0; p < corners.size(); ++p) corners.set_alpha(p, corners.alpha(p) / sum);
  }

  std::vector<double> random_weights() {
    std::vector<double> weights(static_cast<std::size_t>(problem->dimension()));
    for (double& x : weights) x = 2.0 * rng.uniform() - 1.0;
    return weights;
  }
  std::vector<double> lanes(const std::vector<double>& values) const {
    std::vector<double> padded = values;
    padded.resize((values.size() + kLanes - 1) / kLanes * kLanes, 0.0);
    return padded;
  }
  std::vector<double> alpha() const {
    std::vector<double> weights;
    for (int p = 0; p < corners.size(); ++p) weights.push_back(corners.alpha(p));
    return lanes(weights);
  }

  std::unique_ptr<Problem> problem;
  std::unique_ptr<Oracle> oracle;
  Rng rng;
  std::vector<double> w;
  CornerSet corners;
};

/// For sets of few corners, of more than a group, and with corners merged into mixtures.
void for_some_sets(const std::function<void(Remembered&, CornerRecord)>& visit) {
  int seen = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Remembered at(seed % 3 == 0 ? 40 : 5, seed);
    if (seed % 4 == 0) at.corners.shrink(3);
    if (at.corners.size() < 2) continue;
    RecordPacker packer;
    WeightIndex index(at.problem->dimension());
    const auto packed = packer.pack(*at.oracle, 0, at.corners, index);
    ASSERT_FALSE(packed.empty());
    std::vector<std::uint64_t> words(packed.begin(), packed.end());
    visit(at, CornerRecord(words.data()));
    ++seen;
  }
  EXPECT_GT(seen, 6);
}

TEST(CornerRecord, FindsTheBestAndTheWorstCorner) {
  for_some_sets([](Remembered& at, CornerRecord record) {
    ASSERT_EQ(record.corners(), at.corners.size());
    std::vector<double> scores;
    std::vector<double> h;
    at.corners.score(*at.oracle, 0, at.w, scores);
    at.corners.violations(scores, h);
    const auto best = std::max_element(h.begin(), h.end());
    double least = 1e300;
    for (int p = 0; p < at.corners.size(); ++p) {
      if (at.corners.alpha(p) > 0.0) least = std::min(least, h[static_cast<std::size_t>(p)]);
    }
    const std::vector<double> alpha = at.alpha();
    const CornerPair pair = RecordVisit().find(record, at.w.data(), alpha.data());
    EXPECT_NEAR(pair.difference, *best - least, 1e-12);
    EXPECT_NEAR(h[static_cast<std::size_t>(pair.best)], *best, 1e-12);
    EXPECT_NEAR(h[static_cast<std::size_t>(pair.worst)], least, 1e-12);
    EXPECT_GT(at.corners.alpha(pair.worst), 0.0);
  });
}

TEST(CornerRecord, MovesTheWeightsAsTheOracleDoes) {
  for_some_sets([](Remembered& at, CornerRecord record) {
    std::vector<double> amounts(static_cast<std::size_t>(at.corners.size()));
    for (double& x : amounts) {
      x = &x == &amounts.front() ? 0.0 : at.rng.uniform() - 0.5;
      if (&x != &amounts.front()) amounts.front() -= x;  // they move weight, and add none
    }
    Parts parts;
    double loss = 0.0;
    at.corners.combine(amounts, parts, loss);
    std::vector<double> expected = at.w;
    at.oracle->scatter(0, parts, 0.7, expected);
    std::vector<double> moved = at.w;
    RecordVisit().add_corners(record, at.lanes(amounts), 0.7, moved.data());
    for (std::size_t j = 0; j < moved.size(); ++j) EXPECT_NEAR(moved[j], expected[j], 1e-12);

    std::fill(amounts.begin(), amounts.end(), 0.0);
    amounts.front() = -1.0;
    amounts.back() = 1.0;
    at.corners.combine(amounts, parts, loss);
    expected = moved = at.w;
    at.oracle->scatter(0, parts, 0.3, expected);
    RecordVisit().add_corners(record, at.lanes(amounts), 0.3, moved.data());
    for (std::size_t j = 0; j < moved.size(); ++j) EXPECT_NEAR(moved[j], expected[j], 1e-12);
  });
}

TEST(CornerRecord, KnowsDistancesAsTheOracleDoes) {
  for_some_sets([](Remembered& at, CornerRecord record) {
    RecordVisit visit;
    visit.make_room(at.w.size(), 0, 0);
    for (int p = 0; p < at.corners.size(); ++p) {
      std::vector<double> amounts(static_cast<std::size_t>(at.corners.size()), 0.0);
      amounts.back() += 1.0;
      amounts[static_cast<std::size_t>(p)] -= 1.0;
      Parts parts;
      double loss = 0.0;
      at.corners.combine(amounts, parts, loss);
      const double expected = at.oracle->squared_norm(0, parts);
      EXPECT_NEAR(visit.distance(record, at.corners.size() - 1, p), expected, 1e-9);
    }
  });
}

TEST(CornerRecord, VisitsAreExactPairwiseSteps) {
  for_some_sets([](Remembered& at, CornerRecord record) {
    constexpr double kBlocks = 3.0;
    constexpr double kScale = 0.2;
    std::vector<double> alpha = at.alpha();
    std::vector<double> scores;
    std::vector<double> h;
    at.corners.score(*at.oracle, 0, at.w, scores);
    at.corners.violations(scores, h);
    RecordVisit visit;
    visit.make_room(at.w.size(), record.elements(), record.lanes());
    const auto [s, a, difference] = visit.find(record, at.w.data(), alpha.data());
    const double distance = visit.distance(record, s, a);
    const double most = alpha[static_cast<std::size_t>(a)];
    const double best = distance > 0.0 ? difference / (kScale * distance) : most;
    const double gamma = difference > 0.0 ? std::min(most, best) : 0.0;

    std::vector<std::uint8_t> used(alpha.size(), 0);
    std::vector<double> w = at.w;
    double gap = 0.0;
    std::uint64_t* const words = record.begin();
    const RecordCall call{words, alpha.data(), used.data()};
    const VisitSum sum = visit.visit({&call, 1}, kBlocks, kScale, w.data(), {&gap, 1});
    EXPECT_NEAR(gap, difference / kBlocks, 1e-12);
    EXPECT_NEAR(alpha[static_cast<std::size_t>(a)], most - gamma, 1e-12);
    EXPECT_EQ(used[static_cast<std::size_t>(s)], 1);
    const double gain = gamma * (difference - 0.5 * gamma * kScale * distance) / kBlocks;
    EXPECT_NEAR(sum.gain, gain, 1e-12);
    std::vector<double> amounts(static_cast<std::size_t>(at.corners.size()), 0.0);
    amounts[static_cast<std::size_t>(s)] += gamma;
    amounts[static_cast<std::size_t>(a)] -= gamma;
    Parts parts;
    double loss = 0.0;
    at.corners.combine(amounts, parts, loss);
    EXPECT_NEAR(sum.ell, loss / kBlocks, 1e-12);
    std::vector<double> expected = at.w;
    at.oracle->scatter(0, parts, kScale, expected);
    for (std::size_t j = 0; j < w.size(); ++j) EXPECT_NEAR(w[j], expected[j], 1e-12);
  });
}

TEST(WeightIndex, NumbersManyWeightsAsTheyComeAndFewAsTheyAre) {
  WeightIndex few(1000);
  EXPECT_FALSE(few.is_compact());
  EXPECT_EQ(few.number(700), 700U);
  EXPECT_EQ(few.size(), 1000U);

  const Index dimension = 1 << 20;
  WeightIndex many(dimension);
  EXPECT_EQ(many.number(700'000), 0U);
  EXPECT_EQ(many.number(3), 1U);
  EXPECT_EQ(many.number(700'000), 0U);
  EXPECT_EQ(many.size(), 2U);
  std::vector<double> v(static_cast<std::size_t>(dimension), 0.0);
  v[3] = 5.0;
  std::vector<double> copy;
  many.gather(v, copy);
  EXPECT_EQ(copy, (std::vector<double>{0.0, 5.0}));
  copy = {2.0, 7.0};
  many.scatter(copy, v);
  EXPECT_EQ(v[700'000], 2.0);
  EXPECT_EQ(v[3], 7.0);
}

TEST(RecordArena, PacksAgainWhatHasChanged) {
  Remembered at(5, 3);
  std::vector<CornerSet> sets(6);
  sets[0] = at.corners;
  RecordArena arena(6, at.problem->dimension());
  ASSERT_TRUE(arena.pack(*at.oracle, sets));
  EXPECT_EQ(arena.record(0).corners(), sets[0].size());
  sets[0].shrink(2);
  ASSERT_TRUE(arena.pack(*at.oracle, sets));
  EXPECT_EQ(arena.record(0).corners(), 2);
}

}  // namespace
}  // namespace gapwise::internal
