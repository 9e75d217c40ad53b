// Sweeps of factorwise solvers: the ways that are faster find what single steps find, and messages
// that are made better still bound the best output.

#include <gtest/gtest.h>

#include <algorithm>

#include "core/factor_graph.h"
#include "solve/factorwise/message_sweep.h"
#include "solve/factorwise/region_scores.h"
#include "solve/factorwise/soft_dual.h"
#include "support/graph_problem.h"
#include "support/solver_bench.h"

namespace gapwise::internal {
namespace {

using testing::GraphProblem;

struct Bench {
  Bench(const Problem& problem, RegionMove move)
      : options(testing::options_for("gdmm", 0.3)),
        team(problem, 1),
        rng(1),
        context{problem, options, 0.3, team, rng},
        soft(context, move, 0.7) {}

  TrainOptions options;
  OracleTeam team;
  Rng rng;
  RunContext context;
  SoftDual soft;
};

/// Four variables, all pairs joined, every part with features of its own. With a part per region
/// states and joint states but the last have none.
std::unique_ptr<GraphProblem> unshared(Index states, bool one_part_per_region, std::uint64_t seed) {
  constexpr Index kVariables = 4;
  constexpr Index kBlocks = 4;
  Rng rng(seed);
  auto graph = std::make_shared<FactorGraph>();
  Index parts = 0;
  const auto parts_of = [&](Index size) {
    std::vector<Index> all(static_cast<std::size_t>(size), FactorGraph::kNoPart);
    for (Index s = one_part_per_region ? size - 1 : 1; s < size; ++s) {
      all[static_cast<std::size_t>(s)] = parts++;
    }
    return all;
  };
  for (Index v = 0; v < kVariables; ++v) add_variable(*graph, parts_of(states));
  for (Index a = 0; a < kVariables; ++a) {
    for (Index b = a + 1; b < kVariables; ++b) {
      add_factor(*graph, std::vector<Index>{a, b}, parts_of(states * states));
    }
  }
  std::vector<testing::GraphBlock> blocks;
  for (Index i = 0; i < kBlocks; ++i) {
    testing::GraphBlock block{graph, {}, {}, {}};
    for (Index v = 0; v < kVariables; ++v) {
      block.truth.push_back(static_cast<std::int32_t>(rng.below(states)));
      for (Index s = 0; s < states; ++s) block.costs.push_back(s == block.truth.back() ? 0.0 : 1.0);
    }
    for (Index r = 0; r < parts; ++r) {
      std::vector<double> x(static_cast<std::size_t>(parts), 0.0);
      x[static_cast<std::size_t>(r)] = 0.5 + rng.uniform();
      block.features.push_back(std::move(x));
    }
    blocks.push_back(std::move(block));
  }
  return std::make_unique<GraphProblem>(parts, std::move(blocks));
}

std::vector<std::unique_ptr<GraphProblem>> problems() {
  std::vector<std::unique_ptr<GraphProblem>> all;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    all.push_back(unshared(2, true, seed));
    all.push_back(unshared(2, false, seed));
    all.push_back(unshared(3, true, seed));
    all.push_back(unshared(3, false, seed));
    all.push_back(testing::random_graphs({.seed = seed}));
    all.push_back(testing::random_graphs({.variables = 3, .most_states = 2, .seed = seed}));
  }
  return all;
}

TEST(Sweep, FindsWhatSingleStepsFind) {
  for (const auto& problem : problems()) {
    for (const RegionMove move : {RegionMove::kPair, RegionMove::kFrankWolfe}) {
      Bench swept(*problem, move);
      Bench stepped(*problem, move);
      for (int pass = 0; pass < 12; ++pass) {
        for (Index i = 0; i < problem->num_blocks(); ++i) {
          const double gap = swept.soft.sweep(swept.team.leader(), i);
          double sum = 0.0;
          const auto regions = stepped.soft.beliefs()[i].layout().regions();
          for (Index a = 0; a < std::ssize(regions); ++a) {
            sum += stepped.soft.step(stepped.team.leader(), i, a).gap;
          }
          EXPECT_NEAR(gap, sum / static_cast<double>(problem->num_blocks()), 1e-11);
        }
        stepped.soft.rebuild(stepped.team.leader());
        swept.soft.rebuild(swept.team.leader());
        ASSERT_NEAR(swept.soft.value(), stepped.soft.value(), 1e-11) << "pass " << pass;
        swept.soft.raise_multipliers(0.5);
        stepped.soft.raise_multipliers(0.5);
      }
      for (std::size_t j = 0; j < swept.soft.point().w().size(); ++j) {
        EXPECT_NEAR(swept.soft.point().w()[j], stepped.soft.point().w()[j], 1e-9);
      }
    }
  }
}

TEST(Sweep, SeveralOfAVisitGainWhatTheySay) {
  for (const auto& problem : problems()) {
    Bench bench(*problem, RegionMove::kPair);
    for (int pass = 0; pass < 12; ++pass) {
      for (Index i = 0; i < problem->num_blocks(); ++i) {
        const double before = bench.soft.value();
        bench.soft.sweep(bench.team.leader(), i, {.by_region = 4, .whole = 3});
        const double after = bench.soft.value();
        EXPECT_GE(after, before - 1e-13);
        bench.soft.rebuild(bench.team.leader());
        ASSERT_NEAR(bench.soft.value(), after, 1e-11) << "pass " << pass;
      }
      bench.soft.raise_multipliers(1.0);
    }
  }
}

/// sum_v max + sum_c max under the multipliers of a block.
double bound_of(std::span<const double> theta, const BlockBeliefs& block) {
  RegionScores scores;
  double sum = 0.0;
  for (const Region& region : block.layout().regions()) {
    const std::span<const double> here = scores.at(theta, block, region, 0.0);
    sum += here[argmax(here)];
  }
  return sum;
}

TEST(MessageSweep, BoundFallsAndStaysAboveEveryOutput) {
  Rng rng(4);
  for (const auto& problem : problems()) {
    Bench bench(*problem, RegionMove::kPair);
    for (Index i = 0; i < problem->num_blocks(); ++i) {
      const BlockBeliefs block = bench.soft.beliefs()[i];
      const testing::GraphBlock& whole = problem->block(i);
      std::vector<double> theta(static_cast<std::size_t>(block.layout().end_part()) + 1, 0.0);
      for (std::size_t r = 0; r + 1 < theta.size(); ++r) theta[r] = 2.0 * rng.uniform() - 1.0;
      block.for_each_axis([&](const Region& factor, const Axis& axis) {
        for (double& x : block.multipliers(factor, axis)) x = 2.0 * rng.uniform() - 1.0;
      });
      block.add_up_multipliers();
      double best = -1e300;
      whole.for_each_assignment([&](const std::vector<std::int32_t>& y) {
        Parts parts;
        whole.collect(y, 1.0, parts);
        parts.normalize();
        best = std::max(best, whole.loss(y) + parts.dot(theta));
      });
      MessageSweep messages;
      double before = bound_of(theta, block);
      for (int sweep = 0; sweep < 6; ++sweep) {
        messages.tighten(theta, block);
        const double after = bound_of(theta, block);
        EXPECT_LE(after, before + 1e-12);
        EXPECT_GE(after, best - 1e-12);
        before = after;
      }
    }
  }
}

}  // namespace
}  // namespace gapwise::internal
