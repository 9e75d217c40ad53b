#include "infer/matching/matching_polytope.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/random.h"

namespace gapwise::internal {
namespace {

using Matrix = std::vector<double>;

Matrix random_matrix(Index rows, Index columns, double scale, Rng& rng) {
  Matrix z(static_cast<std::size_t>(rows * columns));
  for (double& x : z) x = scale * (rng.uniform() - 0.3);
  return z;
}

Matrix project(Matrix z, Index rows, Index columns) {
  MatchingProjection projection;
  project_onto_matchings(z, rows, columns, ProjectionStart::kCold, projection);
  return z;
}

double& at(Matrix& z, Index columns, Index r, Index c) {
  return z[static_cast<std::size_t>(r * columns + c)];
}

/// Dykstra's algorithm word by word: project onto row constraints, then onto column constraints,
/// each time less the correction of last time.
Matrix dykstra(Matrix z, Index rows, Index columns, int rounds) {
  const auto project_line = [](std::vector<double*> line) {
    double low = 0.0;
    double high = 0.0;
    for (const double* x : line) high = std::max(high, *x);
    const auto sum = [&](double price) {
      double total = 0.0;
      for (const double* x : line) total += std::max(0.0, *x - price);
      return total;
    };
    for (int k = 0; k < 80 && sum(0.0) > 1.0; ++k) {
      (sum((low + high) / 2) > 1.0 ? low : high) = (low + high) / 2;
    }
    const double price = sum(0.0) > 1.0 ? high : 0.0;
    for (double* x : line) *x = std::max(0.0, *x - price);
  };
  Matrix corrections[2] = {Matrix(z.size(), 0.0), Matrix(z.size(), 0.0)};
  for (int round = 0; round < 2 * rounds; ++round) {
    Matrix& correction = corrections[round % 2];
    Matrix before = z;
    for (std::size_t k = 0; k < z.size(); ++k) before[k] = z[k] += correction[k];
    const bool by_rows = round % 2 == 0;
    for (Index a = 0; a < (by_rows ? rows : columns); ++a) {
      std::vector<double*> line;
      for (Index b = 0; b < (by_rows ? columns : rows); ++b) {
        line.push_back(&at(z, columns, by_rows ? a : b, by_rows ? b : a));
      }
      project_line(std::move(line));
    }
    for (std::size_t k = 0; k < z.size(); ++k) correction[k] = before[k] - z[k];
  }
  return z;
}

TEST(MatchingPolytope, ProjectsAsDykstraDoes) {
  Rng rng(1);
  for (int trial = 0; trial < 60; ++trial) {
    const Index rows = 1 + rng.below(5);
    const Index columns = 1 + rng.below(5);
    const Matrix z = random_matrix(rows, columns, trial % 2 == 0 ? 1.0 : 4.0, rng);
    const Matrix expected = dykstra(z, rows, columns, 3000);
    const Matrix found = project(z, rows, columns);
    for (std::size_t k = 0; k < z.size(); ++k) ASSERT_NEAR(found[k], expected[k], 1e-9);
  }
}

/// <z - p, q - p> <= 0 for every q of a convex set says that p is the projection of z; it is enough
/// to ask the best q, which prices bound: <z - p, q> <= sum of prices.
TEST(MatchingPolytope, PricesProveTheProjection) {
  Rng rng(2);
  for (int trial = 0; trial < 40; ++trial) {
    const Index rows = 1 + rng.below(30);
    const Index columns = 1 + rng.below(30);
    Matrix z = random_matrix(rows, columns, trial % 2 == 0 ? 1.0 : 10.0, rng);
    Matrix p = z;
    MatchingProjection projection;
    project_onto_matchings(p, rows, columns, ProjectionStart::kCold, projection);
    double product = 0.0;
    for (std::size_t k = 0; k < z.size(); ++k) product += (z[k] - p[k]) * p[k];
    double prices = 0.0;
    for (const auto* list : {&projection.row_prices, &projection.column_prices}) {
      for (const double price : *list) {
        ASSERT_GE(price, 0.0);
        prices += price;
      }
    }
    ASSERT_NEAR(product, prices, 1e-9);
    std::vector<double> column_sums(static_cast<std::size_t>(columns), 0.0);
    for (Index r = 0; r < rows; ++r) {
      double row_sum = 0.0;
      for (Index c = 0; c < columns; ++c) {
        const double value = at(p, columns, r, c);
        ASSERT_GE(value, 0.0);
        ASSERT_LE(at(z, columns, r, c) - value,
                  projection.row_prices[static_cast<std::size_t>(r)] +
                      projection.column_prices[static_cast<std::size_t>(c)] + 1e-12);
        row_sum += value;
        column_sums[static_cast<std::size_t>(c)] += value;
      }
      ASSERT_LE(row_sum, 1.0 + 1e-11);
    }
    for (const double sum : column_sums) ASSERT_LE(sum, 1.0 + 1e-11);
  }
}

TEST(MatchingPolytope, LeavesItsPointsWhereTheyAre) {
  const Matrix inside{0.5, 0.25, 0.0, 0.5, 0.25, 0.125};
  EXPECT_EQ(project(inside, 2, 3), inside);
  EXPECT_EQ(project(inside, 3, 2), inside);
  EXPECT_EQ(project({-1.0, -2.0, 0.0, -0.5}, 2, 2), (Matrix{0.0, 0.0, 0.0, 0.0}));
  EXPECT_EQ(project({5.0}, 1, 1), (Matrix{1.0}));
  EXPECT_EQ(project({}, 0, 4), Matrix{});
}

TEST(MatchingPolytope, ProjectsOneRowOntoTheSimplex) {
  EXPECT_EQ(project({2.0, 1.5, 0.0}, 1, 3), (Matrix{0.75, 0.25, 0.0}));
  EXPECT_EQ(project({2.0, 1.5, 0.0}, 3, 1), (Matrix{0.75, 0.25, 0.0}));
}

TEST(MatchingPolytope, AWarmStartEndsAtTheSamePoint) {
  Rng rng(3);
  const Matrix first = random_matrix(12, 9, 3.0, rng);
  Matrix second = first;
  for (double& x : second) x += 0.01 * rng.uniform();
  const Matrix expected = project(second, 12, 9);
  MatchingProjection projection;
  Matrix z = first;
  project_onto_matchings(z, 12, 9, ProjectionStart::kCold, projection);
  z = second;
  project_onto_matchings(z, 12, 9, ProjectionStart::kWarm, projection);
  for (std::size_t k = 0; k < z.size(); ++k) ASSERT_NEAR(z[k], expected[k], 1e-10);
}

}  // namespace
}  // namespace gapwise::internal
