#include "core/delayed_problem.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>

#include "gapwise/errors.h"
#include "support/problems.h"

namespace gapwise::internal {
namespace {

double milliseconds_of(const std::function<void()>& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

std::vector<double> some_weights(Index dimension) {
  Rng rng(3);
  std::vector<double> w(static_cast<std::size_t>(dimension));
  for (double& value : w) value = rng.uniform() - 0.5;
  return w;
}

TEST(DelayedProblem, GivesTheAnswersOfTheProblemInside) {
  const auto chains = testing::random_chains({});
  const auto delayed = make_delayed_problem(*chains.problem, 0.01);
  const Problem& plain = *chains.problem;
  ASSERT_EQ(delayed->num_blocks(), plain.num_blocks());
  ASSERT_EQ(delayed->dimension(), plain.dimension());
  EXPECT_EQ(delayed->fingerprint(), plain.fingerprint());

  const std::vector<double> w = some_weights(plain.dimension());
  const auto slow = delayed->make_oracle();
  const auto fast = plain.make_oracle();
  for (Index i = 0; i < plain.num_blocks(); ++i) {
    PartScores theta, slow_theta;
    Corner corner, slow_corner;
    fast->argmax(i, w, theta, corner);
    slow->argmax(i, w, slow_theta, slow_corner);
    EXPECT_EQ(slow_corner.parts, corner.parts);
    EXPECT_EQ(slow_corner.loss, corner.loss);
    EXPECT_EQ(slow->squared_norm(i, corner.parts), fast->squared_norm(i, corner.parts));
    EXPECT_EQ(slow->inner_product(i, corner.parts, corner.parts),
              fast->inner_product(i, corner.parts, corner.parts));

    std::vector<double> moved = w, slow_moved = w;
    fast->scatter(i, corner.parts, 0.5, moved);
    slow->scatter(i, corner.parts, 0.5, slow_moved);
    EXPECT_EQ(slow_moved, moved);

    slow->score(i, w, slow_theta);
    std::vector<Index> ids;
    for (const Part& part : corner.parts) ids.push_back(part.id);
    std::vector<double> scores(ids.size());
    slow->score_some(i, w, ids, scores);
    for (std::size_t k = 0; k < ids.size(); ++k) EXPECT_NEAR(scores[k], theta[ids[k]], 1e-12);

    fast->decode(i, theta, Augment::kNone, corner);
    slow->decode(i, slow_theta, Augment::kNone, slow_corner);
    EXPECT_EQ(slow_corner.parts, corner.parts);
  }
}

TEST(DelayedProblem, TakesTheDelayOncePerMaxOracleCallAndNowhereElse) {
  const auto chains = testing::random_chains({});
  const std::vector<double> w = some_weights(chains.problem->dimension());
  for (const double delay : {0.5, 20.0}) {  // one spins, the other sleeps
    const auto oracle = make_delayed_problem(*chains.problem, delay)->make_oracle();
    PartScores theta;
    Corner corner;
    double shortest = HUGE_VAL;  // whatever else the machine does, one of them goes through
    for (int trial = 0; trial < 20; ++trial) {
      const double taken = milliseconds_of([&] { oracle->argmax(0, w, theta, corner); });
      EXPECT_GE(taken, delay);
      shortest = std::min(shortest, taken);
    }
    EXPECT_LT(shortest, 2.0 * delay) << "the delay was taken twice";
    EXPECT_GE(milliseconds_of([&] { oracle->decode(0, theta, Augment::kLoss, corner); }), delay);
    shortest = HUGE_VAL;
    for (int trial = 0; trial < 20; ++trial) {
      shortest = std::min(shortest, milliseconds_of([&] {
                            oracle->score(0, w, theta);
                            oracle->squared_norm(0, corner.parts);
                          }));
    }
    EXPECT_LT(shortest, delay);
  }
}

TEST(DelayedProblem, CountsTheDelayInTheOracleCost) {
  const auto chains = testing::random_chains({});
  const double plain = chains.problem->oracle_cost();
  EXPECT_DOUBLE_EQ(make_delayed_problem(*chains.problem, 0.0)->oracle_cost(), plain);
  EXPECT_DOUBLE_EQ(make_delayed_problem(*chains.problem, 3.0)->oracle_cost(), plain + 1e6);
}

TEST(DelayedProblem, RefusesADelayThatIsNotATime) {
  const auto chains = testing::random_chains({});
  for (const double delay : {-1.0, HUGE_VAL, std::nan("")}) {
    EXPECT_THROW(make_delayed_problem(*chains.problem, delay), OptionError);
  }
}

}  // namespace
}  // namespace gapwise::internal
