// Expectations of every task that has them against sums over all outputs.

#include <gtest/gtest.h>

#include <cmath>

#include "support/enumeration.h"

namespace gapwise::internal {
namespace {

using testing::Enumerated;
using testing::Output;

std::vector<Enumerated> all_tasks() {
  std::vector<Enumerated> all;
  for (const testing::Inputs inputs :
       {testing::Inputs::kBinary, testing::Inputs::kSparse, testing::Inputs::kDense}) {
    for (const std::uint32_t edges : {0U, 3U}) {
      const auto seed = static_cast<std::uint64_t>(all.size() + 1);
      all.push_back(testing::enumerate(testing::random_chains({.inputs = inputs,
                                                               .edge_attributes = edges,
                                                               .loss = SequenceLoss::kHamming,
                                                               .seed = seed})));
      all.push_back(testing::enumerate(testing::random_chains({.labels = 2, .seed = seed})));
      all.push_back(
          testing::enumerate(testing::random_classes({.has_costs = edges > 0, .seed = seed})));
    }
  }
  return all;
}

/// <values, m(y) - m(y_i)> for an output that is given as m(y_i) - m(y).
double relative_score(const Output& y, const PartScores& values) {
  return -y.parts.dot(values.values());
}

TEST(Expectations, CostsOfPartsAddUpToTheLoss) {
  for (const Enumerated& task : all_tasks()) {
    const auto oracle = task.problem->make_oracle();
    ASSERT_TRUE(oracle->has_expectations());
    PartScores costs;
    for (Index i = 0; i < task.problem->num_blocks(); ++i) {
      oracle->part_costs(i, costs);
      for (const Output& y : task.block(i)) {
        ASSERT_NEAR(relative_score(y, costs), y.loss, 1e-12);
      }
    }
  }
}

TEST(Expectations, EqualSumsOverAllOutputs) {
  Rng rng(23);
  for (const Enumerated& task : all_tasks()) {
    const auto oracle = task.problem->make_oracle();
    PartScores logits;
    Parts mean;
    for (Index i = 0; i < task.problem->num_blocks(); ++i) {
      const auto w = testing::random_weights(task.problem->dimension(), rng, i % 2 == 0);
      oracle->score(i, w, logits);
      const double log_sum = oracle->expect(i, logits, mean);
      double total = 0.0;
      std::vector<double> expected(logits.values().size(), 0.0);
      for (const Output& y : task.block(i)) total += std::exp(relative_score(y, logits));
      for (const Output& y : task.block(i)) {
        const double p = std::exp(relative_score(y, logits)) / total;
        for (const Part& part : y.parts) {
          expected[static_cast<std::size_t>(part.id)] += p * part.value;
        }
      }
      ASSERT_NEAR(log_sum, std::log(total), 1e-10);
      for (const Part& part : mean) expected[static_cast<std::size_t>(part.id)] -= part.value;
      for (const double difference : expected) ASSERT_NEAR(difference, 0.0, 1e-10);
    }
  }
}

TEST(Expectations, NoTwoOutputsAreFartherApartThanTwiceTheRadius) {
  for (const Enumerated& task : all_tasks()) {
    const auto oracle = task.problem->make_oracle();
    Parts difference;
    for (Index i = 0; i < task.problem->num_blocks(); ++i) {
      double widest = 0.0;
      for (const Output& y : task.block(i)) {
        for (const Output& z : task.block(i)) {
          subtract(y.parts, z.parts, difference);
          widest = std::max(widest, std::sqrt(oracle->squared_norm(i, difference)));
        }
      }
      EXPECT_GE(oracle->radius(i), 0.5 * widest * (1.0 - 1e-12));
      EXPECT_LE(oracle->radius(i), 0.5 * widest * 3.0);  // and is of the right size
    }
  }
}

TEST(Expectations, AreNotThereWhereTheLossIsNoSumOrTheDecoderIsNotExact) {
  const auto slack = testing::random_chains({.variant = {Rescaling::kSlack}}).problem;
  const auto beam = testing::random_chains({.variant = {Rescaling::kMargin, 2}}).problem;
  EXPECT_FALSE(slack->make_oracle()->has_expectations());
  EXPECT_FALSE(beam->make_oracle()->has_expectations());
  EXPECT_FALSE(testing::golden_g1()->make_oracle()->has_expectations());
}

}  // namespace
}  // namespace gapwise::internal
