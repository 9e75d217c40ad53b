// Some blocks of a problem: the same oracle under other numbers.

#include "core/subset_problem.h"

#include <gtest/gtest.h>

#include "gapwise/train.h"
#include "support/problems.h"

namespace gapwise::internal {
namespace {

TEST(SubsetProblem, AnswersForItsBlocks) {
  const testing::Chains chains = testing::random_chains({});
  const Problem* const whole = chains.problem.get();
  const auto part = make_subset_problem(*whole, {2, 0});
  EXPECT_EQ(part->num_blocks(), 2);
  EXPECT_EQ(part->dimension(), whole->dimension());
  EXPECT_NE(part->fingerprint(), whole->fingerprint());
  EXPECT_NE(part->fingerprint(), make_subset_problem(*whole, {0, 2})->fingerprint());
  const std::vector<double> w(static_cast<std::size_t>(whole->dimension()), 0.1);
  const auto all = whole->make_oracle();
  const auto some = part->make_oracle();
  PartScores theta;
  Corner expected;
  Corner found;
  all->argmax(2, w, theta, expected);
  some->argmax(0, w, theta, found);
  EXPECT_EQ(found.loss, expected.loss);
  EXPECT_TRUE(found.parts == expected.parts);
}

TEST(SubsetProblem, OfAllBlocksTrainsLikeTheWhole) {
  const testing::Chains chains = testing::random_chains({});
  const Problem* const whole = chains.problem.get();
  std::vector<Index> all;
  for (Index i = 0; i < whole->num_blocks(); ++i) all.push_back(i);
  const auto part = make_subset_problem(*whole, all);
  TrainOptions options;
  options.lambda = Lambda::of(0.1);
  EXPECT_EQ(train(*whole, options).w, train(*part, options).w);
}

}  // namespace
}  // namespace gapwise::internal
