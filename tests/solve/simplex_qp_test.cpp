// The quadratic programme of the cutting-plane methods against enumeration of all faces, and by its
// optimality conditions where there are too many.

#include "solve/planes/simplex_qp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "support/problems.h"

namespace gapwise::internal {
namespace {

using Vector = std::vector<double>;

/// b, and Q = A'A for the columns of A.
struct Instance {
  Vector b;
  std::vector<Vector> columns;

  double product(std::size_t p, std::size_t q) const {
    double sum = 0.0;
    for (std::size_t r = 0; r < columns[p].size(); ++r) sum += columns[p][r] * columns[q][r];
    return sum;
  }
  double value(const Vector& x) const {
    double sum = 0.0;
    for (std::size_t p = 0; p < b.size(); ++p) {
      sum += b[p] * x[p];
      for (std::size_t q = 0; q < b.size(); ++q) sum -= 0.5 * x[p] * x[q] * product(p, q);
    }
    return sum;
  }
  void append_to(SimplexQp& qp, std::size_t p) const {
    Vector products;
    for (std::size_t q = 0; q <= p; ++q) products.push_back(product(p, q));
    qp.append(b[p], products);
  }
};

/// With few rows Q is singular; integers make ties.
Instance random_instance(Rng& rng, int size, int rows, bool integers) {
  Instance all;
  const auto draw = [&] {
    const double x = rng.uniform() * 4.0 - 2.0;
    return integers ? std::round(x) : x;
  };
  for (int p = 0; p < size; ++p) {
    all.b.push_back(draw());
    all.columns.emplace_back();
    for (int r = 0; r < rows; ++r) all.columns.back().push_back(draw());
  }
  return all;
}

Vector point_of(const SimplexQp& qp) {
  Vector x;
  for (int p = 0; p < qp.size(); ++p) x.push_back(qp.x(p));
  return x;
}

/// Solves the square system m z = h by elimination; false if it has no single solution.
bool eliminate(std::vector<Vector> m, Vector h, Vector& z) {
  const std::size_t size = h.size();
  for (std::size_t c = 0; c < size; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < size; ++r) {
      if (std::abs(m[r][c]) > std::abs(m[pivot][c])) pivot = r;
    }
    if (std::abs(m[pivot][c]) < 1e-9) return false;
    std::swap(m[pivot], m[c]);
    std::swap(h[pivot], h[c]);
    for (std::size_t r = 0; r < size; ++r) {
      if (r == c) continue;
      const double factor = m[r][c] / m[c][c];
      for (std::size_t k = 0; k < size; ++k) m[r][k] -= factor * m[c][k];
      h[r] -= factor * h[c];
    }
  }
  z.resize(size);
  for (std::size_t c = 0; c < size; ++c) z[c] = h[c] / m[c][c];
  return true;
}

/// The best value over all faces: on each, the stationary point of the Lagrangian if it is
/// feasible. Some optimum lies on a face with a single one.
double best_by_enumeration(const Instance& all) {
  const std::size_t size = all.b.size();
  double best = -1e300;
  for (std::size_t face = 1; face < (std::size_t{1} << size); ++face) {
    std::vector<std::size_t> support;
    for (std::size_t p = 0; p < size; ++p) {
      if ((face >> p & 1) != 0) support.push_back(p);
    }
    const std::size_t m = support.size();
    std::vector<Vector> system(m + 1, Vector(m + 1, 0.0));
    Vector right(m + 1, 1.0);
    for (std::size_t j = 0; j < m; ++j) {
      for (std::size_t k = 0; k < m; ++k) system[j][k] = all.product(support[j], support[k]);
      system[j][m] = system[m][j] = 1.0;
      right[j] = all.b[support[j]];
    }
    Vector z;
    if (!eliminate(system, right, z)) continue;
    Vector x(size, 0.0);
    bool is_feasible = true;
    for (std::size_t j = 0; j < m; ++j) {
      x[support[j]] = z[j];
      is_feasible = is_feasible && z[j] >= -1e-12;
    }
    if (is_feasible) best = std::max(best, all.value(x));
  }
  return best;
}

/// Feasible, and no coordinate promises more than those that carry weight.
void expect_optimal(const Instance& all, const SimplexQp& qp, double tolerance) {
  const Vector x = point_of(qp);
  double sum = 0.0;
  double highest = -1e300;
  double lowest = 1e300;
  for (std::size_t p = 0; p < x.size(); ++p) {
    ASSERT_GE(x[p], 0.0);
    sum += x[p];
    double gradient = all.b[p];
    for (std::size_t q = 0; q < x.size(); ++q) gradient -= all.product(p, q) * x[q];
    highest = std::max(highest, gradient);
    if (x[p] > 0.0) lowest = std::min(lowest, gradient);
  }
  EXPECT_NEAR(sum, 1.0, 1e-12);
  EXPECT_LE(highest - lowest, tolerance);
  EXPECT_NEAR(qp.value(), all.value(x), 1e-9);
}

TEST(SimplexQp, FindsTheBestFaceOfSmallProblems) {
  Rng rng(1);
  for (int round = 0; round < 400; ++round) {
    const int size = 1 + static_cast<int>(rng.below(6));
    const int rows = 1 + static_cast<int>(rng.below(6));
    const Instance all = random_instance(rng, size, rows, round % 2 == 0);
    SimplexQp qp;
    for (std::size_t p = 0; p < all.b.size(); ++p) all.append_to(qp, p);
    qp.solve(1e-11);
    ASSERT_NEAR(qp.value(), best_by_enumeration(all), 1e-9) << "round " << round;
    expect_optimal(all, qp, 1e-9);
  }
}

TEST(SimplexQp, MeetsTheOptimalityConditionsOfLargerAndSingularProblems) {
  Rng rng(2);
  for (const int rows : {3, 20, 100}) {
    const Instance all = random_instance(rng, 80, rows, false);
    SimplexQp qp;
    double before = -1e300;
    for (std::size_t p = 0; p < all.b.size(); ++p) {
      all.append_to(qp, p);
      qp.solve(1e-10);
      ASSERT_GE(qp.value(), before - 1e-12) << "a new coordinate can only help";
      before = qp.value();
    }
    expect_optimal(all, qp, 1e-9);
  }
}

TEST(SimplexQp, GoesToTheBestCornerOfALinearProblem) {
  SimplexQp qp;
  const double zeros[] = {0.0, 0.0, 0.0};
  qp.append(1.0, std::span(zeros).first(1));
  qp.append(3.0, std::span(zeros).first(2));
  qp.append(2.0, std::span(zeros).first(3));
  qp.solve(0.0);
  EXPECT_EQ(point_of(qp), (Vector{0.0, 1.0, 0.0}));
  EXPECT_EQ(qp.value(), 3.0);
}

SimplexQp solved(const Instance& all, double tolerance) {
  SimplexQp qp;
  for (std::size_t p = 0; p < all.b.size(); ++p) all.append_to(qp, p);
  qp.solve(tolerance);
  return qp;
}

TEST(SimplexQp, KeepsItsValueWhenCoordinatesWithoutWeightGoAndOthersAreMerged) {
  Rng rng(3);
  SimplexQp qp = solved(random_instance(rng, 30, 12, false), 1e-10);
  const double value = qp.value();
  std::vector<bool> kept;
  for (int p = 0; p < qp.size(); ++p) kept.push_back(qp.x(p) > 0.0);
  qp.keep(kept);
  ASSERT_GE(qp.size(), 3);
  EXPECT_NEAR(qp.value(), value, 1e-12);
  const double mean = (qp.x(0) * qp.linear(0) + qp.x(2) * qp.linear(2)) / (qp.x(0) + qp.x(2));
  qp.merge(0, 2);
  EXPECT_NEAR(qp.linear(0), mean, 1e-12);
  EXPECT_NEAR(qp.value(), value, 1e-12);
  qp.solve(1e-10);  // computes the gradient anew
  EXPECT_NEAR(qp.value(), value, 1e-10);
}

TEST(SimplexQp, ComesBackFromACheckpointAndRefusesOneWhoseSizesDiffer) {
  Rng rng(4);
  const SimplexQp qp = solved(random_instance(rng, 6, 3, false), 1e-6);
  StateWriter out;
  qp.save(out);
  SimplexQp again;
  const auto problem = testing::golden_g1();
  StateReader in(out.bytes(), "checkpoint", *problem);
  again.load(in);
  EXPECT_EQ(point_of(again), point_of(qp));
  EXPECT_EQ(again.value(), qp.value());
  StateWriter bad;
  bad.f64s(Vector{1.0, 2.0});
  bad.f64s(Vector{1.0, 0.0});
  bad.f64s(Vector{0.0, 0.0});
  bad.f64s(Vector{0.0});
  StateReader reader(bad.bytes(), "checkpoint", *problem);
  EXPECT_THROW(again.load(reader), InputError);
}

}  // namespace
}  // namespace gapwise::internal
