// What every task of the registry that offers factor graphs promises: an assignment of the graph is
// an output of the problem, with the same parts and the same loss.

#include <gtest/gtest.h>

#include <cmath>

#include "core/factor_graph.h"
#include "support/graph_outputs.h"
#include "support/identifier.h"
#include "support/problems.h"
#include "support/task_sample.h"
#include "support/tasks_where.h"
#include "tasks/task.h"

namespace gapwise::internal {
namespace {

using testing::for_each_assignment;
using testing::graph_output;
using testing::GraphOutput;
using testing::num_assignments;

/// Graphs of up to six nodes with some edges, an edge twice now and then.
std::string tiny_segmentation() {
  Rng rng(5);
  std::string text;
  for (int i = 0; i < 8; ++i) {
    const Index nodes = 2 + rng.below(5);
    text += "graph\n";
    for (Index v = 0; v < nodes; ++v) {
      text += "node " + std::to_string(rng.below(2)) + " bias a:" + std::to_string(rng.uniform()) +
              "\n";
    }
    for (Index u = 1; u <= nodes; ++u) {
      for (Index v = u + 1; v <= nodes; ++v) {
        for (Index times = rng.below(3); times > 0; --times) {
          text += "edge " + std::to_string(u) + " " + std::to_string(v) +
                  " near:" + std::to_string(rng.uniform()) + "\n";
        }
      }
    }
  }
  return text;
}

/// Data of a task, small enough to look at all outputs.
struct Tiny : testing::TaskSample {
  explicit Tiny(const std::string& name)
      : TaskSample(name, name == "segmentation" ? tiny_segmentation()
                                                : testing::sample_text(name, 8, 3)) {}
};

class FactorGraphLaws : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> tasks_with_graphs() {
  return testing::tasks_where(
      [](const std::string& name) { return Tiny(name).problem().factor_graphs() != nullptr; });
}
INSTANTIATE_TEST_SUITE_P(Every, FactorGraphLaws, ::testing::ValuesIn(tasks_with_graphs()),
                         [](const auto& test) { return testing::identifier(test.param); });

TEST_P(FactorGraphLaws, GraphsFitTogether) {
  const Tiny tiny(GetParam());
  const FactorGraphs& graphs = *tiny.problem().factor_graphs();
  for (Index i = 0; i < tiny.problem().num_blocks(); ++i) {
    const FactorGraph& graph = graphs.graph(i);
    ASSERT_EQ(std::ssize(graphs.truth(i)), graph.num_variables());
    for (Index v = 0; v < graph.num_variables(); ++v) {
      const Index truth = graphs.truth(i)[static_cast<std::size_t>(v)];
      ASSERT_GE(truth, 0);
      ASSERT_LT(truth, graph.num_states(v));
      EXPECT_EQ(graphs.cost(i, v, truth), 0.0);
      for (Index s = 0; s < graph.num_states(v); ++s) EXPECT_GE(graphs.cost(i, v, s), 0.0);
    }
    for (Index c = 0; c < graph.num_factors(); ++c) {
      Index size = 1;
      for (const Index v : graph.scope(c)) size *= graph.num_states(v);
      EXPECT_GE(graph.scope(c).size(), 2u);
      EXPECT_EQ(std::ssize(graph.parts_of_factor(c)), size);
    }
  }
}

TEST_P(FactorGraphLaws, AssignmentsAreOutputsWithTheSamePartsAndLoss) {
  const Tiny tiny(GetParam());
  const FactorGraphs& graphs = *tiny.problem().factor_graphs();
  const auto oracle = tiny.problem().make_oracle();
  ASSERT_TRUE(oracle->has_recognition());
  Rng rng(11);
  Corner corner;
  for (Index i = 0; i < tiny.problem().num_blocks(); ++i) {
    const FactorGraph& graph = graphs.graph(i);
    for (int trial = 0; trial < 50; ++trial) {
      std::vector<std::int32_t> states;
      for (Index v = 0; v < graph.num_variables(); ++v) {
        states.push_back(static_cast<std::int32_t>(rng.below(graph.num_states(v))));
      }
      const GraphOutput output = graph_output(graphs, i, states);
      ASSERT_TRUE(oracle->recognize(i, output.parts, corner)) << "block " << i;
      EXPECT_TRUE(corner.parts == output.parts);
      EXPECT_NEAR(corner.loss, output.loss, 1e-12);
    }
  }
}

TEST_P(FactorGraphLaws, TheBestAssignmentIsTheDecodedOutput) {
  const Tiny tiny(GetParam());
  const FactorGraphs& graphs = *tiny.problem().factor_graphs();
  testing::for_random_decodings(
      tiny.problem(), 40, [&](const testing::Decoding& decoding, Oracle&) {
        ASSERT_LE(num_assignments(graphs.graph(decoding.i)), 1e5) << "too many to look at";
        double best = -INFINITY;
        for_each_assignment(graphs.graph(decoding.i), [&](const std::vector<std::int32_t>& y) {
          const GraphOutput output = graph_output(graphs, decoding.i, y);
          best = std::max(best, violation(decoding.has_loss() ? output.loss : 0.0, output.parts,
                                          decoding.theta));
        });
        EXPECT_NEAR(decoding.value(), best, 1e-9 * (1.0 + std::abs(best)));
      });
}

}  // namespace
}  // namespace gapwise::internal
