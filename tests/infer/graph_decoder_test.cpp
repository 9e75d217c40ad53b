#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "infer/graph/decoder.h"
#include "support/graph_outputs.h"

namespace gapwise::internal {
namespace {

using testing::for_each_assignment;

/// A graph with scores for all its states and joint states.
struct Scored {
  FactorGraph graph;
  std::vector<double> states;
  std::vector<double> joints;

  GraphScores view() const { return {graph, states, joints}; }
};

struct Shape {
  Index variables = 4;
  Index most_states = 4;
  Index most_arity = 4;
  Index factors = 4;
  bool is_tree = false;
  bool has_ties = false;  ///< scores are small integers
};

double random_score(Rng& rng, bool has_ties) {
  return has_ties ? static_cast<double>(rng.below(5)) - 2.0 : rng.uniform() * 4.0 - 2.0;
}

/// The variables of a factor: different ones, in any order. In a tree the first was there before,
/// the others are new.
std::vector<Index> random_scope(const Shape& shape, Rng& rng, Index& joined) {
  std::vector<Index> scope;
  const Index arity = 2 + rng.below(std::min(shape.most_arity, shape.variables) - 1);
  if (shape.is_tree) {
    if (joined == 0) joined = 1;
    scope.push_back(rng.below(joined));
    while (std::ssize(scope) < arity && joined < shape.variables) scope.push_back(joined++);
  }
  while (!shape.is_tree && std::ssize(scope) < arity) {
    const Index v = rng.below(shape.variables);
    if (std::find(scope.begin(), scope.end(), v) == scope.end()) scope.push_back(v);
  }
  for (Index k = std::ssize(scope) - 1; k > 0; --k) {
    std::swap(scope[static_cast<std::size_t>(k)],
              scope[static_cast<std::size_t>(rng.below(k + 1))]);
  }
  return scope;
}

Scored random_graph(const Shape& shape, Rng& rng) {
  Scored out;
  const std::vector<Index> parts(1000, FactorGraph::kNoPart);  // decoders look at scores only
  for (Index v = 0; v < shape.variables; ++v) {
    const Index states = shape.most_states == 2 ? 2 : 1 + rng.below(shape.most_states);
    add_variable(out.graph, std::span(parts).first(static_cast<std::size_t>(states)));
  }
  Index joined = 0;
  for (Index c = 0; c < shape.factors; ++c) {
    const std::vector<Index> scope = random_scope(shape, rng, joined);
    if (scope.size() < 2) break;
    std::size_t size = 1;
    for (const Index v : scope) size *= static_cast<std::size_t>(out.graph.num_states(v));
    add_factor(out.graph, scope, std::span(parts).first(size));
  }
  out.states.resize(out.graph.state_parts.size());
  out.joints.resize(out.graph.table_parts.size());
  for (double& score : out.states) score = random_score(rng, shape.has_ties);
  for (double& score : out.joints) score = random_score(rng, shape.has_ties);
  return out;
}

double best_score(const Scored& graph) {
  double best = -INFINITY;
  for_each_assignment(graph.graph, [&](const std::vector<std::int32_t>& y) {
    best = std::max(best, score_of(graph.view(), y));
  });
  return best;
}

std::vector<std::int32_t> empty_assignment(const Scored& graph) {
  return std::vector<std::int32_t>(static_cast<std::size_t>(graph.graph.num_variables()), 0);
}

/// Every combination of arity, number of states and ties.
template <class Visit>
void for_random_graphs(Shape shape, int trials, Visit visit) {
  Rng rng(21);
  for (int trial = 0; trial < trials; ++trial) {
    shape.has_ties = trial % 2 == 0;
    shape.variables = 2 + rng.below(4);
    shape.factors = rng.below(6);
    visit(random_graph(shape, rng));
  }
}

TEST(GraphElimination, FindsTheBestAssignmentOfAllGraphs) {
  for (const bool is_tree : {false, true}) {
    for_random_graphs({.is_tree = is_tree}, 400, [&](const Scored& graph) {
      const GraphPlan plan(graph.graph);
      ASSERT_TRUE(plan.elimination().is_complete());
      if (is_tree) {
        EXPECT_TRUE(plan.is_forest());
      }
      Elimination::Scratch scratch;
      auto found = empty_assignment(graph);
      plan.elimination().maximize(graph.view(), scratch, found);
      EXPECT_NEAR(score_of(graph.view(), found), best_score(graph), 1e-9);
    });
  }
}

TEST(GraphElimination, GivesUpInsteadOfFillingTheMemory) {
  FactorGraph graph;
  const std::vector<Index> parts(4, FactorGraph::kNoPart);
  for (Index v = 0; v < 60; ++v) add_variable(graph, std::span(parts).first(2));
  for (Index a = 0; a < 60; ++a) {
    for (Index b = a + 1; b < 60; ++b) add_factor(graph, std::vector{a, b}, parts);
  }
  EXPECT_FALSE(GraphPlan(graph).elimination().is_complete());
  FactorGraph chain;
  for (Index v = 0; v < 1000; ++v) add_variable(chain, std::span(parts).first(2));
  for (Index v = 1; v < 1000; ++v) add_factor(chain, std::vector{v - 1, v}, parts);
  const GraphPlan plan(chain);
  ASSERT_TRUE(plan.elimination().is_complete());
  EXPECT_LE(plan.elimination().num_cells(), 4000);
}

/// Of any graph: consistent, at least as good as every assignment, and at most what it proves.
void expect_relaxation(const Scored& graph, const Beliefs& beliefs, const GraphResult& found) {
  EXPECT_LE(inconsistency(graph.graph, beliefs), 1e-12);
  for (const double belief : beliefs.states) EXPECT_GE(belief, 0.0);
  for (const double belief : beliefs.joints) EXPECT_GE(belief, 0.0);
  EXPECT_NEAR(score_of(graph.view(), beliefs), found.value, 1e-9);
  EXPECT_GE(found.value, best_score(graph) - 1e-9);
  EXPECT_TRUE(found.is_exact);
}

TEST(GraphRelaxation, SimplexBoundsAllGraphs) {
  int fractional = 0;
  for_random_graphs({}, 400, [&](const Scored& graph) {
    const GraphPlan plan(graph.graph);
    LinearRelaxation linear;
    LinearBasis basis;
    Beliefs beliefs;
    const GraphResult found = linear.run(plan, graph.view(), basis, beliefs);
    expect_relaxation(graph, beliefs, found);
    if (plan.is_forest()) {
      EXPECT_NEAR(found.value, best_score(graph), 1e-9);
    }
    fractional += found.value > best_score(graph) + 1e-6 ? 1 : 0;
  });
  EXPECT_GT(fractional, 10) << "no relaxation was above the best assignment";
}

/// The bound of messages is that of the relaxation, or a little above; on trees it is met.
TEST(MessagePassing, BoundsAllGraphsAndNeverGrows) {
  int tight = 0;
  for (const bool is_tree : {false, true}) {
    for_random_graphs({.is_tree = is_tree}, 400, [&](const Scored& graph) {
      const GraphPlan plan(graph.graph);
      MessagePassing messages;
      messages.start(plan, graph.view());
      double bound = INFINITY;
      for (int sweep = 0; sweep < 50; ++sweep) {
        const double next = messages.sweep(plan, graph.view());
        ASSERT_LE(next, bound + 1e-12);
        bound = next;
      }
      LinearRelaxation linear;
      LinearBasis basis;
      Beliefs beliefs;
      const double relaxed = linear.run(plan, graph.view(), basis, beliefs).value;
      EXPECT_GE(bound, relaxed - 1e-9);
      if (is_tree) {
        EXPECT_NEAR(bound, best_score(graph), 1e-3);
      }
      tight += bound <= relaxed + 1e-6 ? 1 : 0;
    });
  }
  EXPECT_GT(tight, 600) << "messages hardly ever reach the relaxation";
}

/// More joint states than the simplex method takes on.
TEST(GraphDecoder, PassesMessagesOnLargeGrids) {
  Rng rng(8);
  int proven = 0;
  for (int trial = 0; trial < 6; ++trial) {
    constexpr Index kSide = 9;
    constexpr std::size_t kStates = 12;
    const std::vector<Index> parts(kStates * kStates, FactorGraph::kNoPart);
    Scored grid;
    for (Index v = 0; v < kSide * kSide; ++v) {
      add_variable(grid.graph, std::span(parts).first(kStates));
    }
    for (Index v = 0; v < kSide * kSide; ++v) {
      if (v % kSide + 1 < kSide) add_factor(grid.graph, std::vector{v, v + 1}, parts);
      if (v + kSide < kSide * kSide) add_factor(grid.graph, std::vector{v, v + kSide}, parts);
    }
    for (std::size_t k = 0; k < grid.graph.state_parts.size(); ++k) {
      grid.states.push_back(4.0 * rng.uniform());
    }
    const double strength = trial < 3 ? 0.5 : 2.0;
    for (std::size_t k = 0; k < grid.graph.table_parts.size(); ++k) {
      grid.joints.push_back(strength * rng.uniform());
    }
    const GraphPlan plan(grid.graph);
    ASSERT_FALSE(plan.elimination().is_complete());
    ASSERT_GT(grid.graph.table_starts.back(), GraphDecoder::kMostSimplexCells);
    GraphDecoder decoder;
    LinearBasis basis;
    auto found = empty_assignment(grid);
    const GraphResult result = decoder.maximize(plan, grid.view(), basis, found);
    EXPECT_TRUE(basis.empty()) << "the simplex method was asked";
    EXPECT_NEAR(score_of(grid.view(), found), result.value, 1e-9);
    EXPECT_GE(result.upper_bound, result.value);
    EXPECT_LE(result.upper_bound, 1.05 * result.value);
    proven += result.is_exact ? 1 : 0;
    auto other = found;  // no change of one variable is better
    for (std::size_t v = 0; v < other.size(); ++v) {
      for (std::int32_t s = 0; s < static_cast<std::int32_t>(kStates); ++s) {
        other[v] = s;
        EXPECT_LE(score_of(grid.view(), other), result.value + 1e-6);
      }
      other[v] = found[v];
    }
  }
  EXPECT_GE(proven, 1);
}

TEST(GraphRelaxation, FlowAndSimplexAgreeOnBinaryPairs) {
  int halves = 0;
  for_random_graphs({.most_states = 2, .most_arity = 2}, 400, [&](const Scored& graph) {
    const GraphPlan plan(graph.graph);
    ASSERT_TRUE(plan.is_binary_pairs());
    PairRelaxation flow;
    LinearRelaxation linear;
    LinearBasis basis;
    Beliefs by_flow;
    Beliefs by_simplex;
    const GraphResult found = flow.run(plan, graph.view(), by_flow);
    expect_relaxation(graph, by_flow, found);
    EXPECT_NEAR(found.value, linear.run(plan, graph.view(), basis, by_simplex).value, 1e-9);
    halves += std::count(by_flow.states.begin(), by_flow.states.end(), 0.5) > 0 ? 1 : 0;
  });
  EXPECT_GT(halves, 10) << "no vertex was half-integral";
}

/// The same by the scores of parts, some of which several joint states stand for.
TEST(GraphRelaxation, FlowWithoutTablesFindsTheSame) {
  Rng rng(12);
  for (int trial = 0; trial < 200; ++trial) {
    Scored graph = random_graph({.variables = 2 + rng.below(5),
                                 .most_states = 2,
                                 .most_arity = 2,
                                 .factors = rng.below(9),
                                 .has_ties = trial % 2 == 0},
                                rng);
    std::vector<double> part_scores(10);
    for (double& score : part_scores) score = random_score(rng, trial % 2 == 0);
    for (std::size_t k = 0; k < graph.joints.size(); ++k) {
      const Index part = rng.below(12) - 2;
      graph.graph.table_parts[k] = part < 0 ? FactorGraph::kNoPart : part;
      graph.joints[k] = part < 0 ? 0.0 : part_scores[static_cast<std::size_t>(part)];
    }
    const GraphPlan plan(graph.graph);
    PairRelaxation flow;
    Beliefs beliefs;
    const GraphResult found = flow.run(plan, graph.view(), beliefs);
    flow.solve(plan, graph.states, part_scores);
    double value = 0.0;
    for (std::size_t v = 0; 2 * v < graph.states.size(); ++v) {
      value +=
          flow.belief(v) * graph.states[2 * v + 1] + (1.0 - flow.belief(v)) * graph.states[2 * v];
    }
    for (const auto& [c, place, part] : plan.scored_joints()) {
      value +=
          flow.joint_belief(graph.graph, c, place) * part_scores[static_cast<std::size_t>(part)];
    }
    EXPECT_NEAR(value, found.value, 1e-9);
  }
}

/// All pairs of many variables: the dense network.
TEST(GraphRelaxation, FlowAndSimplexAgreeOnManyBinaryPairs) {
  Rng rng(13);
  for (const double strength : {0.1, 0.3, 1.0}) {
    Scored graph;
    const std::vector<Index> parts(4, FactorGraph::kNoPart);
    for (Index v = 0; v < 36; ++v) add_variable(graph.graph, std::span(parts).first(2));
    for (Index a = 0; a < 36; ++a) {
      for (Index b = a + 1; b < 36; ++b) add_factor(graph.graph, std::vector{a, b}, parts);
    }
    for (std::size_t k = 0; k < graph.graph.state_parts.size(); ++k) {
      graph.states.push_back(rng.uniform() - 0.5);
    }
    for (std::size_t k = 0; k < graph.graph.table_parts.size(); ++k) {
      graph.joints.push_back(strength * (rng.uniform() - 0.5));
    }
    const GraphPlan plan(graph.graph);
    PairRelaxation flow;
    LinearRelaxation linear;
    LinearBasis basis;
    Beliefs beliefs;
    const double by_flow = flow.run(plan, graph.view(), beliefs).value;
    EXPECT_LE(inconsistency(graph.graph, beliefs), 1e-12);
    EXPECT_NEAR(by_flow, linear.run(plan, graph.view(), basis, beliefs).value, 1e-9);
  }
}

/// Where it starts changes nothing but the time.
TEST(GraphRelaxation, SimplexStartsFromWhereItStood) {
  Rng rng(4);
  Scored graph = random_graph({.variables = 6, .most_states = 3, .factors = 9}, rng);
  const GraphPlan plan(graph.graph);
  LinearRelaxation linear;
  LinearBasis warm;
  for (int trial = 0; trial < 30; ++trial) {
    for (double& score : graph.states) score += 0.2 * rng.uniform() - 0.1;
    for (double& score : graph.joints) score += 0.2 * rng.uniform() - 0.1;
    Beliefs beliefs;
    LinearBasis cold;
    const GraphResult found = linear.run(plan, graph.view(), warm, beliefs);
    expect_relaxation(graph, beliefs, found);
    EXPECT_NEAR(found.value, linear.run(plan, graph.view(), cold, beliefs).value, 1e-9);
  }
}

TEST(GraphRelaxation, AttractivePairsAreTight) {
  Rng rng(8);
  for (int trial = 0; trial < 100; ++trial) {
    Scored graph =
        random_graph({.variables = 6, .most_states = 2, .most_arity = 2, .factors = 12}, rng);
    for (std::size_t c = 0; c < graph.joints.size() / 4; ++c) {
      double* table = graph.joints.data() + 4 * c;
      table[3] = table[1] + table[2] - table[0] + rng.uniform();
    }
    PairRelaxation flow;
    Beliefs beliefs;
    const GraphResult found = flow.run(GraphPlan(graph.graph), graph.view(), beliefs);
    EXPECT_NEAR(found.value, best_score(graph), 1e-9);
    EXPECT_EQ(std::count(beliefs.states.begin(), beliefs.states.end(), 0.5), 0);
  }
}

/// A graph of large width: cells enough, but no plan for them.
TEST(GraphDecoder, RoundsWhatItCannotEliminate) {
  Rng rng(6);
  int proven = 0;
  int open = 0;
  for (int trial = 0; trial < 8; ++trial) {
    Scored graph;
    const std::vector<Index> parts(9, FactorGraph::kNoPart);
    for (Index v = 0; v < 24; ++v) add_variable(graph.graph, std::span(parts).first(3));
    for (Index a = 0; a < 24; ++a) {
      for (Index b = a + 1; b < 24; ++b) add_factor(graph.graph, std::vector{a, b}, parts);
    }
    const double strength = trial % 2 == 0 ? 0.05 : 2.0;
    for (std::size_t k = 0; k < graph.graph.state_parts.size(); ++k) {
      graph.states.push_back(rng.uniform() * 4.0 - 2.0);
    }
    for (std::size_t k = 0; k < graph.graph.table_parts.size(); ++k) {
      graph.joints.push_back(strength * (rng.uniform() - 0.5));
    }
    const GraphPlan plan(graph.graph);
    ASSERT_FALSE(plan.elimination().is_complete());
    GraphDecoder decoder;
    LinearBasis basis;
    auto found = empty_assignment(graph);
    const GraphResult result = decoder.maximize(plan, graph.view(), basis, found);
    EXPECT_NEAR(result.value, score_of(graph.view(), found), 1e-9);
    EXPECT_GE(result.upper_bound, result.value);
    (result.is_exact ? proven : open) += 1;
    for (std::size_t v = 0; v < found.size(); ++v) {  // no single change helps
      const std::int32_t state = found[v];
      for (std::int32_t s = 0; s < 3; ++s) {
        found[v] = s;
        EXPECT_LE(score_of(graph.view(), found), result.value + 1e-7);
      }
      found[v] = state;
    }
  }
  EXPECT_GT(proven, 0);
  EXPECT_GT(open, 0);
}

TEST(GraphDecoder, IsExactOnSmallGraphsAndRelaxesTheSameGraphs) {
  for_random_graphs({}, 200, [&](const Scored& graph) {
    const GraphPlan plan(graph.graph);
    GraphDecoder decoder;
    LinearBasis basis;
    Beliefs beliefs;
    auto found = empty_assignment(graph);
    const GraphResult exact = decoder.maximize(plan, graph.view(), basis, found);
    EXPECT_TRUE(exact.is_exact);
    EXPECT_NEAR(exact.value, best_score(graph), 1e-9);
    const GraphResult relaxed = decoder.relax(plan, graph.view(), basis, beliefs);
    expect_relaxation(graph, beliefs, relaxed);
  });
}

}  // namespace
}  // namespace gapwise::internal
