#include "tasks/segmentation/problem.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gapwise/errors.h"
#include "gapwise/train.h"
#include "support/linear_map.h"
#include "support/problems.h"

namespace gapwise::internal {
namespace {

using testing::Decoding;
using testing::Inputs;

struct GraphsSpec {
  Index graphs = 6;
  Index max_nodes = 6;
  std::uint32_t attributes = 4;
  std::uint32_t edge_attributes = 2;
  Inputs inputs = Inputs::kSparse;
  SegmentationLoss loss = SegmentationLoss::kNormalizedHamming;
  bool has_sizes = false;
  std::uint64_t seed = 1;
};

struct Graphs {
  std::shared_ptr<const SegmentationData> data;
  SegmentationLayout layout;
  std::unique_ptr<Problem> problem;
};

void add_random_row(std::uint32_t attributes, Inputs inputs, bool allows_negative, Rng& rng,
                    FeatureRows& rows) {
  for (std::uint32_t a = 0; a < attributes; ++a) {
    if (inputs != Inputs::kDense && rng.uniform() < 0.4) continue;
    const auto whole = static_cast<double>(rng.below(4));
    const double value = allows_negative ? whole - 1.5 : whole + 0.5;
    rows.add(a, inputs == Inputs::kBinary ? 1.0 : value);
  }
  rows.end_row();
}

Graphs random_graphs(const GraphsSpec& spec) {
  Rng rng(spec.seed);
  auto data = std::make_shared<SegmentationData>();
  for (Index i = 0; i < spec.graphs; ++i) {
    const Index nodes = 1 + rng.below(spec.max_nodes);
    for (Index v = 0; v < nodes; ++v) {
      add_random_row(spec.attributes, spec.inputs, true, rng, data->nodes);
      data->labels.push_back(static_cast<std::int8_t>(rng.below(2)));
      data->sizes.push_back(spec.has_sizes ? static_cast<double>(1 + rng.below(4)) : 1.0);
    }
    for (Index u = 0; u < nodes; ++u) {
      for (Index v = 0; v < u; ++v) {
        if (rng.uniform() < 0.4) continue;
        data->ends.emplace_back(static_cast<std::int32_t>(u), static_cast<std::int32_t>(v));
        add_random_row(spec.edge_attributes, spec.inputs, false, rng, data->edges);
      }
    }
    data->node_starts.push_back(data->labels.size());
    data->edge_starts.push_back(data->ends.size());
  }
  data->nodes.finish(spec.attributes);
  data->edges.finish(spec.edge_attributes);
  const SegmentationLayout layout{spec.attributes, spec.edge_attributes};
  return {data, layout, make_segmentation_problem(data, layout, spec.loss)};
}

std::vector<GraphsSpec> all_specs() {
  std::vector<GraphsSpec> specs;
  for (const Inputs inputs : {Inputs::kBinary, Inputs::kSparse, Inputs::kDense}) {
    for (const auto loss : {SegmentationLoss::kNormalizedHamming, SegmentationLoss::kHamming,
                            SegmentationLoss::kBalancedHamming}) {
      for (const bool has_sizes : {false, true}) {
        specs.push_back(
            {.inputs = inputs, .loss = loss, .has_sizes = has_sizes, .seed = specs.size() + 1});
      }
    }
  }
  return specs;
}

double row_score(const FeatureRow& row, std::span<const double> w) {
  double sum = 0.0;
  for (std::size_t f = 0; f < row.size; ++f) {
    sum += (row.values != nullptr ? row.values[f] : 1.0) *
           w[row.attributes != nullptr ? row.attributes[f] : f];
  }
  return sum;
}

using Labels = std::vector<std::int32_t>;

Labels truth_of(const Graphs& graphs, Index i) {
  const SegmentationData& data = *graphs.data;
  const auto first = data.labels.begin() +
                     static_cast<std::ptrdiff_t>(data.node_starts[static_cast<std::size_t>(i)]);
  return {first, first + static_cast<std::ptrdiff_t>(data.num_nodes(i))};
}

/// <w, phi(x_i, y)> written out from its definition.
double score_of(const Graphs& graphs, const GraphsSpec& spec, Index i, const Labels& y,
                std::span<const double> w) {
  const SegmentationData& data = *graphs.data;
  const std::size_t first_node = data.node_starts[static_cast<std::size_t>(i)];
  const std::size_t first_edge = data.edge_starts[static_cast<std::size_t>(i)];
  double score = 0.0;
  for (std::size_t v = 0; v < y.size(); ++v) {
    if (y[v] == 1) score += row_score(data.nodes.row(first_node + v), w);
  }
  const auto edge_weights = w.subspan(spec.attributes);
  for (std::size_t e = 0; e < data.num_edges(i); ++e) {
    const auto [u, v] = data.ends_of(i)[e];
    if (y[static_cast<std::size_t>(u)] == y[static_cast<std::size_t>(v)]) continue;
    score -= row_score(data.edges.row(first_edge + e), edge_weights);
  }
  const bool is_mean = spec.loss != SegmentationLoss::kHamming;
  return is_mean ? score / static_cast<double>(y.size()) : score;
}

/// L_i(y) written out from its definition.
double loss_of(const Graphs& graphs, const GraphsSpec& spec, Index i, const Labels& y) {
  const Labels truth = truth_of(graphs, i);
  const std::size_t first = graphs.data->node_starts[static_cast<std::size_t>(i)];
  double wrong[2] = {0.0, 0.0};
  double all[2] = {0.0, 0.0};
  for (std::size_t v = 0; v < y.size(); ++v) {
    all[truth[v]] += graphs.data->sizes[first + v];
    if (y[v] != truth[v]) wrong[truth[v]] += graphs.data->sizes[first + v];
  }
  if (spec.loss == SegmentationLoss::kHamming) return wrong[0] + wrong[1];
  if (spec.loss == SegmentationLoss::kNormalizedHamming || all[0] == 0.0 || all[1] == 0.0) {
    return (wrong[0] + wrong[1]) / (all[0] + all[1]);
  }
  return 0.5 * wrong[0] / all[0] + 0.5 * wrong[1] / all[1];
}

/// The output behind a corner.
Labels labels_of(const Graphs& graphs, Index i, const Corner& corner) {
  Labels y = truth_of(graphs, i);
  for (const Part& part : corner.parts) {
    if (part.id < std::ssize(y))
      y[static_cast<std::size_t>(part.id)] -= static_cast<int>(part.value);
  }
  return y;
}

TEST(SegmentationProblem, ArgmaxEqualsEnumerationAndTiesGoToTheBackground) {
  for (const GraphsSpec& spec : all_specs()) {
    const Graphs graphs = random_graphs(spec);
    testing::for_random_decodings(*graphs.problem, 40, [&](const Decoding& found, Oracle&) {
      const auto& [i, w, augment, theta, corner] = found;
      const Labels truth = truth_of(graphs, i);
      double best_value = -1e300;
      Labels best;  // what all best outputs have in common
      testing::for_each_labelling(static_cast<int>(truth.size()), 2, [&](const Labels& y) {
        const double loss = found.has_loss() ? loss_of(graphs, spec, found.i, y) : 0.0;
        const double value = score_of(graphs, spec, found.i, y, found.w) + loss;
        if (value > best_value + 1e-10) {
          best_value = value;
          best = y;
        } else if (value > best_value - 1e-10) {
          for (std::size_t v = 0; v < y.size(); ++v) best[v] &= y[v];
        }
      });
      ASSERT_EQ(labels_of(graphs, i, corner), best);
      ASSERT_NEAR(corner.loss, loss_of(graphs, spec, i, best), 1e-12);
      ASSERT_NEAR(-corner.parts.dot(theta.values()),
                  score_of(graphs, spec, i, best, w) - score_of(graphs, spec, i, truth, w), 1e-9);
      if (found.has_loss()) return;
      SegmentationLabeller labeller(graphs.layout, w);
      const auto labels = labeller.label(*graphs.data, i);
      ASSERT_EQ(Labels(labels.begin(), labels.end()), best);
    });
  }
}

TEST(SegmentationProblem, ScoreDotScatterAndNormAreTheSameLinearMap) {
  for (const GraphsSpec& spec : all_specs()) {
    testing::expect_one_linear_map(*random_graphs(spec).problem, 20);
  }
}

/// Golden example G7: a path of three nodes, truth (1, 1, 0), loss Hamming / 3.
TEST(SegmentationProblem, FindsTheMostViolatedOutputOfTheGoldenPath) {
  auto data = std::make_shared<SegmentationData>();
  for (const double u : {0.7, -0.4, 0.2}) {
    data->nodes.add(0, 2.0 * u);
    data->nodes.end_row();
  }
  data->labels = {1, 1, 0};
  data->sizes = {1.0, 1.0, 1.0};
  data->ends = {{0, 1}, {1, 2}};
  for (int e = 0; e < 2; ++e) {
    data->edges.add(0);
    data->edges.end_row();
  }
  data->node_starts.push_back(3);
  data->edge_starts.push_back(2);
  const auto problem =
      make_segmentation_problem(data, {1, 1}, SegmentationLoss::kNormalizedHamming);
  PartScores theta;
  Corner corner;
  const std::vector<double> w{3.0, 0.9};  // features are divided by the 3 nodes
  problem->make_oracle()->argmax(0, w, theta, corner);
  EXPECT_NEAR(corner.loss, 2.0 / 3.0, 1e-15);
  EXPECT_NEAR(violation(corner.loss, corner.parts, theta), 1.5666666667, 1e-10);
  ASSERT_EQ(corner.parts.size(), 3U);  // nodes 1 and 2, and the edge between 0 and 1
  EXPECT_EQ(corner.parts[0], (Part{1, 1.0}));
  EXPECT_EQ(corner.parts[1], (Part{2, -1.0}));
  EXPECT_EQ(corner.parts[2], (Part{3, -1.0}));
}

TEST(SegmentationProblem, TrainingKeepsEdgeWeightsAtLeastZeroWithoutBeingAsked) {
  const Graphs graphs = random_graphs({.graphs = 12, .seed = 5});
  for (const char* solver : {"auto", "fw", "bcfw", "bcpfw", "bcafw", "mpbcfw"}) {
    TrainOptions options;
    options.solver = solver;
    options.lambda = Lambda::of(0.01);
    options.max_passes = 30;
    options.threads = 1;
    const Report report = train(*graphs.problem, options);
    for (Index j = graphs.layout.edge(0); j < graphs.layout.dimension(); ++j) {
      EXPECT_GE(report.w[static_cast<std::size_t>(j)], 0.0) << solver;
    }
  }
  TrainOptions options;
  EXPECT_EQ(fitted(options, *graphs.problem).nonnegative, "edges");
  options.nonnegative = "nodes";
  EXPECT_EQ(fitted(options, *graphs.problem).nonnegative, "nodes,edges");
  options.nonnegative = "edges";
  EXPECT_EQ(fitted(options, *graphs.problem).nonnegative, "edges");
  options = {};
  options.solver = "kernel-bcfw";
  EXPECT_THROW(fitted(options, *graphs.problem), OptionError);
}

TEST(SegmentationProblem, RefusesToDecodeWithNegativeEdgeWeights) {
  const Graphs graphs = random_graphs({.graphs = 1, .max_nodes = 6, .seed = 3});
  ASSERT_GT(graphs.data->ends.size(), 0U);
  std::vector<double> w(static_cast<std::size_t>(graphs.layout.dimension()), 0.0);
  for (Index j = graphs.layout.edge(0); j < graphs.layout.dimension(); ++j) {
    w[static_cast<std::size_t>(j)] = -1.0;
  }
  PartScores theta;
  Corner corner;
  EXPECT_THROW(graphs.problem->make_oracle()->argmax(0, w, theta, corner), OracleError);
}

TEST(SegmentationProblem, FingerprintTellsDataAndLossApart) {
  const auto first = random_graphs({.seed = 1}).problem->fingerprint();
  EXPECT_EQ(first, random_graphs({.seed = 1}).problem->fingerprint());
  EXPECT_NE(first, random_graphs({.seed = 2}).problem->fingerprint());
  EXPECT_NE(first, random_graphs({.loss = SegmentationLoss::kHamming}).problem->fingerprint());
}

TEST(SegmentationProblem, RefusesDataThatDoNotFitTogether) {
  const Graphs good = random_graphs({.inputs = Inputs::kDense, .seed = 3});
  ASSERT_GT(good.data->num_edges(0), 0U);
  const auto refuses = [&](SegmentationData data) {
    const auto shared = std::make_shared<const SegmentationData>(std::move(data));
    EXPECT_THROW(make_segmentation_problem(shared, good.layout, SegmentationLoss::kHamming),
                 InputError);
  };
  refuses({});
  SegmentationData data = *good.data;
  data.labels[0] = -1;
  refuses(data);
  data = *good.data;
  data.labels.pop_back();
  refuses(data);
  data = *good.data;
  data.sizes[0] = 0.0;
  refuses(data);
  for (const std::int32_t node : {-1, 6, good.data->ends[0].second}) {
    data = *good.data;
    data.ends[0].first = node;
    refuses(data);
  }
  data = *good.data;
  data.edges = FeatureRows();
  for (std::size_t e = 0; e < data.ends.size(); ++e) {
    data.edges.add(0, -0.5);
    data.edges.end_row();
  }
  refuses(data);
}

}  // namespace
}  // namespace gapwise::internal
