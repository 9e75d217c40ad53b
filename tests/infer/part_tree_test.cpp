#include "infer/part_tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gapwise/errors.h"
#include "support/part_tree_score.h"
#include "support/problems.h"

namespace gapwise::internal {
namespace {

using testing::score_of;

using testing::for_each_labelling;

constexpr double kNothing = -std::numeric_limits<double>::infinity();

/// In [-1, 1], or a small integer so that there are many ties.
double draw(Rng& rng, bool is_integer) {
  return is_integer ? static_cast<double>(rng.below(5) - 2) : 2.0 * rng.uniform() - 1.0;
}

std::vector<double> draw_scores(std::size_t count, Rng& rng, bool is_integer) {
  std::vector<double> scores(count);
  for (double& score : scores) score = draw(rng, is_integer);
  return scores;
}

/// Every third one has no square; offsets lie within the grid, between cells and far outside.
AxisSpring draw_spring(Rng& rng, bool is_integer, int length) {
  AxisSpring spring{std::abs(draw(rng, is_integer)), draw(rng, is_integer), draw(rng, is_integer)};
  if (rng.below(3) == 0) spring.square = 0.0;
  if (rng.below(3) == 0) spring.offset *= length;
  if (rng.below(4) == 0) spring.offset *= 10.0;
  if (rng.below(3) == 0) spring.square *= 1e-3;
  return spring;
}

TEST(DistanceTransform, EqualsTheQuadraticMaximum) {
  Rng rng(1);
  TransformScratch scratch;
  for (int trial = 0; trial < 3000; ++trial) {
    const bool is_integer = trial % 2 == 0;
    const auto length = static_cast<std::size_t>(1 + rng.below(trial % 10 == 0 ? 200 : 12));
    const auto f = draw_scores(length, rng, is_integer);
    const AxisSpring spring = draw_spring(rng, is_integer, static_cast<int>(length));
    std::vector<double> out(length);
    std::vector<std::uint16_t> best(length);
    distance_transform(f, spring, scratch, out, best);
    for (std::size_t q = 0; q < length; ++q) {
      double top = kNothing;
      for (std::size_t p = 0; p < length; ++p) {
        top = std::max(top, f[p] - spring.cost(static_cast<double>(p), static_cast<double>(q)));
      }
      ASSERT_NEAR(out[q], top, 1e-9 * (1.0 + std::abs(top))) << "trial " << trial << ", q " << q;
      const std::size_t p = best[q];
      ASSERT_LT(p, length);
      ASSERT_EQ(out[q], f[p] - spring.cost(static_cast<double>(p), static_cast<double>(q)));
    }
  }
}

TEST(DistanceTransform, TiesGoToTheSmallestPlace) {
  TransformScratch scratch;
  std::vector<double> out(4);
  std::vector<std::uint16_t> best(4);
  // Without a spring every place is as good; with one, places 1 and 3 are equally near to q = 2.
  distance_transform(std::vector<double>(4, 0.5), {}, scratch, out, best);
  EXPECT_EQ(best, (std::vector<std::uint16_t>{0, 0, 0, 0}));
  distance_transform(std::vector<double>{0.0, 4.0, 2.0, 4.0}, {1.0, 0.0, 0.0}, scratch, out, best);
  EXPECT_EQ(best, (std::vector<std::uint16_t>{1, 1, 1, 3}));
  EXPECT_EQ(out, (std::vector<double>{3.0, 4.0, 3.0, 4.0}));
}

TEST(DistanceTransform, BearsTinyAndHugeSquares) {
  TransformScratch scratch;
  std::vector<double> out(3);
  std::vector<std::uint16_t> best(3);
  const std::vector<double> f{0.0, 2.0, 1.0};
  for (const double square : {std::numeric_limits<double>::denorm_min(), 1e-300, 1e-30}) {
    distance_transform(f, {square, 0.0, 0.0}, scratch, out, best);
    EXPECT_EQ(best, (std::vector<std::uint16_t>{1, 1, 1})) << square;
  }
  distance_transform(f, {1e100, 0.0, 0.0}, scratch, out, best);
  EXPECT_EQ(best, (std::vector<std::uint16_t>{0, 1, 2}));
}

TEST(DistanceTransform, RefusesSquaresThatAreNegativeOrNoNumber) {
  TransformScratch scratch;
  std::vector<double> out(2);
  std::vector<std::uint16_t> best(2);
  const std::vector<double> f{0.0, 1.0};
  for (const double square : {-1e-3, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(distance_transform(f, {square, 0.0, 0.0}, scratch, out, best), OracleError);
  }
}

std::vector<Spring> draw_springs(std::size_t count, const GridShape& grid, Rng& rng,
                                 bool is_integer) {
  std::vector<Spring> springs(count);
  for (Spring& spring : springs) {
    spring = {draw_spring(rng, is_integer, grid.width), draw_spring(rng, is_integer, grid.height)};
  }
  return springs;
}

TEST(Messages, EqualTheMaximumOverAllCells) {
  Rng rng(2);
  TransformScratch scratch;
  for (int trial = 0; trial < 60; ++trial) {
    const GridShape grid{static_cast<std::int32_t>(1 + rng.below(14)),
                         static_cast<std::int32_t>(1 + rng.below(14))};
    const auto cells = static_cast<std::size_t>(grid.cells());
    const auto from = draw_scores(cells, rng, trial % 2 == 0);
    const Spring spring = draw_springs(1, grid, rng, trial % 2 == 0)[0];
    std::vector<double> to(cells, 1.0);
    std::vector<std::uint16_t> rows(cells);
    std::vector<std::uint16_t> columns(cells);
    const MessageTables tables{rows.data(), columns.data()};
    add_message(grid, spring, from, scratch, to, tables);
    const auto value = [&](std::int32_t p, std::int32_t q) {
      return from[static_cast<std::size_t>(p)] - spring.x.cost(grid.x_of(p), grid.x_of(q)) -
             spring.y.cost(grid.y_of(p), grid.y_of(q));
    };
    for (std::int32_t q = 0; q < grid.cells(); ++q) {
      double top = kNothing;
      for (std::int32_t p = 0; p < grid.cells(); ++p) top = std::max(top, value(p, q));
      ASSERT_NEAR(to[static_cast<std::size_t>(q)], 1.0 + top, 1e-9 * (1.0 + std::abs(top)));
      ASSERT_NEAR(value(tables.sender_cell(grid, q), q), top, 1e-9 * (1.0 + std::abs(top)));
    }
  }
}

TEST(PartTree, DecodesAsWellAsEnumeration) {
  Rng rng(3);
  TreeScratch scratch;
  const std::vector<std::vector<std::int32_t>> trees{
      {-1}, {-1, 0}, {1, -1}, {-1, 0, 0}, {1, 2, -1}, {-1, 0, 1, 1}, {2, 2, -1, 2}};
  for (int trial = 0; trial < 300; ++trial) {
    const bool is_integer = trial % 2 == 0;
    const PartTree tree(trees[static_cast<std::size_t>(rng.below(std::ssize(trees)))]);
    const GridShape grid{static_cast<std::int32_t>(1 + rng.below(3)),
                         static_cast<std::int32_t>(1 + rng.below(3))};
    const auto scores =
        draw_scores(tree.size() * static_cast<std::size_t>(grid.cells()), rng, is_integer);
    const auto springs = draw_springs(tree.size(), grid, rng, is_integer);
    double best = kNothing;
    for_each_labelling(static_cast<int>(tree.size()), grid.cells(),
                       [&](const std::vector<std::int32_t>& cells) {
                         best = std::max(best, score_of(tree, grid, springs, scores, cells));
                       });
    std::vector<std::int32_t> cells(tree.size());
    std::vector<double> used = scores;
    const double value = decode_tree(tree, grid, springs, used, scratch, cells);
    ASSERT_NEAR(value, best, 1e-9 * (1.0 + std::abs(best))) << "trial " << trial;
    ASSERT_NEAR(score_of(tree, grid, springs, scores, cells), best, 1e-9 * (1.0 + std::abs(best)));
  }
}

TEST(PartTree, TiesGoToTheFirstCell) {
  const PartTree tree({-1, 0, 0});
  const GridShape grid{3, 2};
  std::vector<double> scores(18, 0.0);
  std::vector<std::int32_t> cells(3, -1);
  TreeScratch scratch;
  EXPECT_EQ(decode_tree(tree, grid, std::vector<Spring>(3), scores, scratch, cells), 0.0);
  EXPECT_EQ(cells, (std::vector<std::int32_t>{0, 0, 0}));
}

TEST(PartTree, RefusesWhatIsNotOneTree) {
  for (const std::vector<std::int32_t>& parents : std::vector<std::vector<std::int32_t>>{
           {}, {0}, {-1, -1}, {1, 0}, {-1, 2, 1}, {-1, 5}, {-2, 0}}) {
    EXPECT_THROW(PartTree{parents}, InputError);
  }
  const PartTree tree({2, 0, -1});
  EXPECT_EQ(tree.root(), 2);
  EXPECT_EQ(std::vector<std::int32_t>(tree.order().begin(), tree.order().end()),
            (std::vector<std::int32_t>{2, 0, 1}));
}

}  // namespace
}  // namespace gapwise::internal
