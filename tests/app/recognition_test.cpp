// What proofs ask of a task: outputs are told from their parts, and sizes hold. And what
// check_oracle says of every task.

#include <gtest/gtest.h>

#include <cmath>

#include "app/small_data.h"
#include "gapwise/check_oracle.h"
#include "support/identifier.h"
#include "support/problems.h"
#include "support/tasks_where.h"

namespace gapwise::internal {
namespace {

using testing::samples;

class Recognition : public ::testing::TestWithParam<std::string> {
 protected:
  /// Calls visit(oracle, i, corner) for random outputs of all examples.
  template <class Visit>
  void for_outputs(Visit visit) {
    const Problem& problem = examples_.problem();
    const auto oracle = problem.make_oracle();
    Rng rng(5);
    PartScores theta;
    Corner corner;
    for (int trial = 0; trial < 8; ++trial) {
      const auto w = testing::feasible_weights(problem, rng, trial % 3 == 0);
      for (Index i = 0; i < problem.num_blocks(); ++i) {
        oracle->argmax(i, w, theta, corner);
        visit(*oracle, i, theta, corner);
      }
    }
  }

  ScratchFolder folder_;
  Examples examples_ = samples(folder_, GetParam(), 8);
};

INSTANTIATE_TEST_SUITE_P(Every, Recognition, ::testing::ValuesIn(testing::all_tasks()),
                         [](const auto& test) { return testing::identifier(test.param); });

TEST_P(Recognition, TellsOutputsFromTheirParts) {
  for_outputs([](Oracle& oracle, Index i, const PartScores&, const Corner& corner) {
    ASSERT_TRUE(oracle.has_recognition());
    Corner found;
    ASSERT_TRUE(oracle.recognize(i, corner.parts, found)) << "example " << i;
    EXPECT_EQ(found.parts, corner.parts);
    EXPECT_EQ(found.loss, corner.loss);
  });
}

TEST_P(Recognition, RefusesPartsOfNoOutput) {
  Rng rng(9);
  for_outputs([&](Oracle& oracle, Index i, const PartScores& theta, const Corner& corner) {
    if (corner.parts.size() < 2) return;
    const auto refuses = [&](const Parts& parts) {
      Corner found;
      return !oracle.recognize(i, parts, found);
    };
    Parts half = corner.parts;
    half.scale(0.5);
    EXPECT_TRUE(refuses(half)) << "half an output";
    Parts negative = corner.parts;
    negative.scale(-1.0);
    EXPECT_TRUE(refuses(negative)) << "the wrong way round";
    Parts beyond = corner.parts;
    beyond.append(std::ssize(theta.values()) + rng.below(1000), 1.0);
    EXPECT_TRUE(refuses(beyond)) << "a part that there is not";
    Parts below;
    below.append(-1 - rng.below(1000), -1.0);
    EXPECT_TRUE(refuses(below)) << "a part of negative number";
  });
}

TEST_P(Recognition, KnowsSizesThatHold) {
  for_outputs([](Oracle& oracle, Index i, const PartScores&, const Corner& corner) {
    const std::optional<PartSizes> sizes = oracle.part_sizes(i);
    double count = 0.0;
    for (const Part& part : corner.parts) {
      count += std::abs(part.value);
      Parts one;
      one.append(part.id, 1.0);
      if (sizes) {
        EXPECT_LE(std::sqrt(oracle.squared_norm(i, one)), sizes->length * (1.0 + 1e-12));
      } else {
        EXPECT_LE(std::abs(part.value), 1.0);
      }
    }
    if (sizes) {
      EXPECT_LE(count, sizes->count);
    }
  });
}

TEST_P(Recognition, GoesWithOraclesThatKeepTheirPromises) {
  const OracleCheck done = check_oracle(examples_.problem());
  EXPECT_EQ(done.examples, 8);
  EXPECT_GT(done.exact + done.with_bound, 0);
}

}  // namespace
}  // namespace gapwise::internal
