// What is certified under constraints, weights and segments, against a quadratic programme that
// lists all outputs of a block and knows nothing of decoders: its dual, by projected gradients.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "core/weighted_problem.h"
#include "infer/constrained_sets.h"
#include "solve/training.h"
#include "support/problems.h"
#include "support/simplex_projection.h"
#include "tasks/multilabel/problem.h"

namespace gapwise::internal {
namespace {

using Labels = std::vector<std::int32_t>;
using testing::Chains;
using testing::ChainSpec;
using testing::ExplicitBlock;

/// min over w of lambda/2 |w|^2 + 1/n sum_i c_i max_y loss_y - <w, psi_y>, as the dual: weights
/// alpha_i >= 0 on the outputs of block i, which add up to 1, and w = sum c_i alpha_i(y) psi_y /
/// (lambda n).
class GenericQp {
 public:
  GenericQp(std::vector<ExplicitBlock> blocks, std::vector<double> c, double lambda)
      : blocks_(std::move(blocks)), c_(std::move(c)), lambda_(lambda) {}

  /// Accelerated projected gradients, which begin anew whenever the dual falls, until the gap is
  /// as small as asked for. Returns the middle of primal and dual.
  double optimum(double gap) {
    std::vector<std::vector<double>> alpha;
    for (const ExplicitBlock& block : blocks_) {
      alpha.emplace_back(block.size(), 0.0);
      alpha.back()[0] = 1.0;
    }
    auto ahead = alpha;
    double momentum = 1.0;
    double last = -1e300;
    const double step = 1.0 / curvature();
    for (int k = 0; k < 400'000; ++k) {
      const std::vector<double> w = weights(ahead);
      auto next = ahead;
      for (std::size_t i = 0; i < blocks_.size(); ++i) {
        for (std::size_t y = 0; y < blocks_[i].size(); ++y) {
          next[i][y] += step * c_[i] * violation(blocks_[i][y], w) / n();
        }
        next[i] = testing::onto_simplex(next[i]);
      }
      const double dual = dual_at(next);
      if (dual < last) momentum = 1.0;
      const double faster = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
      for (std::size_t i = 0; i < blocks_.size(); ++i) {
        for (std::size_t y = 0; y < blocks_[i].size(); ++y) {
          ahead[i][y] = next[i][y] + (momentum - 1.0) / faster * (next[i][y] - alpha[i][y]);
        }
      }
      alpha = std::move(next);
      momentum = faster;
      last = dual;
      if (k % 50 != 49) continue;
      const double primal = primal_at(weights(alpha));
      if (primal - dual <= gap) return 0.5 * (primal + dual);
    }
    ADD_FAILURE() << "no such gap within the steps";
    return last;
  }

  double primal_at(const std::vector<double>& w) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      double h = 0.0;
      for (const auto& y : blocks_[i]) h = std::max(h, violation(y, w));
      sum += c_[i] * h;
    }
    return 0.5 * lambda_ * testing::dot(w, w) + sum / n();
  }

 private:
  double n() const { return static_cast<double>(blocks_.size()); }
  static double violation(const testing::ExplicitCorner& y, const std::vector<double>& w) {
    return y.loss - testing::dot(w, y.psi);
  }
  std::vector<double> weights(const std::vector<std::vector<double>>& alpha) const {
    std::vector<double> w(blocks_[0][0].psi.size(), 0.0);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      for (std::size_t y = 0; y < blocks_[i].size(); ++y) {
        const double x = c_[i] * alpha[i][y] / (lambda_ * n());
        if (x == 0.0) continue;
        for (std::size_t j = 0; j < w.size(); ++j) w[j] += x * blocks_[i][y].psi[j];
      }
    }
    return w;
  }
  double dual_at(const std::vector<std::vector<double>>& alpha) const {
    const std::vector<double> w = weights(alpha);
    double sum = -0.5 * lambda_ * testing::dot(w, w);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      for (std::size_t y = 0; y < blocks_[i].size(); ++y) {
        sum += c_[i] * alpha[i][y] * blocks_[i][y].loss / n();
      }
    }
    return sum;
  }
  /// The largest eigenvalue of A'A / (lambda n^2), where A has the columns c_i psi_y, by powers.
  double curvature() const {
    std::vector<double> w(blocks_[0][0].psi.size());
    Rng rng(3);
    for (double& x : w) x = rng.uniform() - 0.5;
    double size = 0.0;
    for (int k = 0; k < 300; ++k) {
      std::vector<double> next(w.size(), 0.0);
      for (std::size_t i = 0; i < blocks_.size(); ++i) {
        for (const auto& y : blocks_[i]) {
          const double x = c_[i] * c_[i] * testing::dot(w, y.psi);
          for (std::size_t j = 0; j < w.size(); ++j) next[j] += x * y.psi[j];
        }
      }
      size = std::sqrt(testing::dot(next, next));
      for (double& x : next) x /= size;
      w = std::move(next);
    }
    return 1.01 * size / (lambda_ * n() * n());
  }

  std::vector<ExplicitBlock> blocks_;
  std::vector<double> c_;
  double lambda_;
};

/// All labellings of each sequence that are allowed, the truth first.
std::vector<ExplicitBlock> list_outputs(const Chains& chains, const ChainSpec& spec) {
  std::vector<ExplicitBlock> blocks;
  std::vector<Segment> segments;
  for (Index i = 0; i < chains.data->size(); ++i) {
    const auto first =
        static_cast<std::ptrdiff_t>(chains.data->starts[static_cast<std::size_t>(i)]);
    const auto begin = chains.data->labels.begin() + first;
    const Labels truth(begin, begin + chains.data->length(i));
    const auto phi = testing::joint_features(chains, i, truth);
    ExplicitBlock block{{std::vector<double>(phi.size(), 0.0), 0.0}};
    testing::for_each_labelling(chains.data->length(i), spec.labels, [&](const Labels& y) {
      if (y == truth) return;
      if (spec.variant.constraints && spec.variant.constraints->first_break(y)) return;
      if (spec.variant.segments && find_segments(*spec.variant.segments, y, segments)) return;
      testing::ExplicitCorner corner{testing::joint_features(chains, i, y), 0.0};
      for (std::size_t j = 0; j < phi.size(); ++j) corner.psi[j] = phi[j] - corner.psi[j];
      for (std::size_t t = 0; t < y.size(); ++t) {
        if (y[t] == truth[t]) continue;
        const auto& weights = spec.variant.label_weights;
        corner.loss += weights.empty() ? 1.0 : weights[static_cast<std::size_t>(truth[t])];
      }
      block.push_back(std::move(corner));
    });
    blocks.push_back(std::move(block));
  }
  return blocks;
}

/// Several solvers, each stopped at its own certificate, must hold the optimum between them.
void expect_certificates_hold(const Problem& problem, std::vector<ExplicitBlock> blocks,
                              const std::vector<double>& c) {
  constexpr double kLambda = 0.2;
  GenericQp qp(std::move(blocks), c, kLambda);
  const double optimum = qp.optimum(2e-8);
  for (const char* solver : {"auto", "bcfw", "bcpfw", "one-slack", "sdm"}) {
    SCOPED_TRACE(solver);
    TrainOptions options;
    options.solver = solver;
    options.lambda = Lambda::of(kLambda);
    options.threads = 1;
    options.relative_gap = std::string(solver) == "bcfw" ? 1e-3 : 1e-6;
    options.max_passes = 200'000;
    const Report report = train(problem, options);
    ASSERT_TRUE(report.progress.is_certified);
    EXPECT_EQ(report.reason, StopReason::kConverged);
    EXPECT_LE(report.progress.dual, optimum + 1e-7);
    EXPECT_GE(*report.progress.primal, optimum - 1e-7);
    EXPECT_LE(*report.progress.primal - report.progress.dual,
              1.01 * *options.relative_gap * *report.progress.primal);
    EXPECT_NEAR(*report.progress.primal, qp.primal_at(report.w), 1e-10);
  }
}

void expect_chain_certificates_hold(ChainSpec spec) {
  const Chains chains = testing::random_chains(spec);
  const std::vector<double> once(static_cast<std::size_t>(chains.data->size()), 1.0);
  expect_certificates_hold(*chains.problem, list_outputs(chains, spec), once);
  const auto n = static_cast<std::size_t>(chains.data->size());
  std::vector<double> c;
  for (std::size_t i = 0; i < n; ++i) c.push_back(0.25 + static_cast<double>(i % 3));
  expect_certificates_hold(*make_weighted_problem(*chains.problem, c), list_outputs(chains, spec),
                           c);
}

ChainSpec small_chains() {
  ChainSpec spec;
  spec.sequences = 5;
  spec.max_length = 3;
  spec.attributes = 4;
  spec.loss = SequenceLoss::kHamming;
  return spec;
}

TEST(GenericQp, HoldsForbiddenTransitionsAndWeightsOfExamples) {
  ChainSpec spec = small_chains();
  const Chains free = testing::random_chains(spec);
  ChainConstraints constraints(spec.labels);
  for (int number = 0; number < constraints.num_numbers(); ++number) {
    ChainConstraints next = constraints;
    next.forbid_number(number);
    bool is_kept = number % 2 == 0;
    for (Index i = 0; i < free.data->size(); ++i) {
      const auto first = free.data->starts[static_cast<std::size_t>(i)];
      const auto length = static_cast<std::size_t>(free.data->length(i));
      is_kept = is_kept && !next.first_break(std::span(free.data->labels).subspan(first, length));
    }
    if (is_kept) constraints = next;
  }
  ASSERT_GT(constraints.numbers().size(), 1U);
  spec.variant.constraints = std::make_shared<const ChainConstraints>(constraints);
  expect_chain_certificates_hold(spec);
}

TEST(GenericQp, HoldsWeightsOfLabels) {
  ChainSpec spec = small_chains();
  spec.variant.label_weights = {0.5, 1.0, 3.0};
  expect_chain_certificates_hold(spec);
}

TEST(GenericQp, HoldsSegments) {
  ChainSpec spec = small_chains();
  spec.labels = 5;
  spec.variant.segments = testing::bio_segments(2, 2);
  spec.segment_attributes = 3;
  expect_chain_certificates_hold(spec);
}

TEST(GenericQp, HoldsSecondOrder) {
  ChainSpec spec = small_chains();
  spec.max_length = 4;
  spec.labels = 2;
  spec.variant.order = 2;
  expect_chain_certificates_hold(spec);
}

/// Sets of four labels of which one needs another, two exclude each other and at most two are on.
TEST(GenericQp, HoldsRulesOfSetsAndWeightsOfLabels) {
  constexpr int kLabels = 4;
  auto rules = std::make_shared<SetConstraints>();
  rules->rules = {{SetRule::Kind::kImplies, 0, {0, 1}},
                  {SetRule::Kind::kAtMost, 1, {2, 3}},
                  {SetRule::Kind::kAtMost, 2, {0, 1, 2, 3}}};
  auto data = std::make_shared<MultilabelData>();
  data->attributes = 3;
  data->labels = kLabels;
  data->missed = {1.0, 2.0, 0.5, 1.5};
  data->invented = {0.5, 1.0, 1.0, 0.25};
  data->constraints = rules;
  Rng rng(8);
  std::vector<std::vector<std::uint8_t>> sets;
  testing::for_each_labelling(kLabels, 2, [&](const Labels& y) {
    const std::vector<std::uint8_t> on(y.begin(), y.end());
    if (!first_broken(rules->rules, on)) sets.push_back(on);
  });
  ASSERT_EQ(sets.size(), 7U);
  std::vector<std::vector<double>> inputs;
  std::vector<std::vector<std::uint8_t>> truths;
  for (int i = 0; i < 6; ++i) {
    inputs.emplace_back();
    for (std::uint32_t a = 0; a < 3; ++a) {
      inputs.back().push_back(rng.uniform() * 2.0 - 1.0);
      data->inputs.add(a, inputs.back().back());
    }
    data->inputs.end_row();
    truths.push_back(sets[static_cast<std::size_t>(rng.below(std::ssize(sets)))]);
    data->sets.insert(data->sets.end(), truths.back().begin(), truths.back().end());
  }
  data->inputs.finish(3);
  const auto phi = [&](std::size_t i, const std::vector<std::uint8_t>& on) {
    std::vector<double> result(3 * kLabels + num_pairs(kLabels), 0.0);
    for (std::size_t l = 0; l < kLabels; ++l) {
      for (std::size_t a = 0; a < 3 && on[l] != 0; ++a) result[a * kLabels + l] = inputs[i][a];
      for (std::size_t m = l + 1; m < kLabels; ++m) {
        result[3 * kLabels + pair_index(kLabels, l, m)] = on[l] * on[m];
      }
    }
    return result;
  };
  std::vector<ExplicitBlock> blocks;
  for (std::size_t i = 0; i < truths.size(); ++i) {
    const auto right = phi(i, truths[i]);
    ExplicitBlock block{{std::vector<double>(right.size(), 0.0), 0.0}};
    for (const auto& on : sets) {
      if (on == truths[i]) continue;
      testing::ExplicitCorner corner{phi(i, on), 0.0};
      for (std::size_t j = 0; j < right.size(); ++j) corner.psi[j] = right[j] - corner.psi[j];
      for (std::size_t l = 0; l < kLabels; ++l) {
        if (on[l] < truths[i][l]) corner.loss += data->missed[l];
        if (on[l] > truths[i][l]) corner.loss += data->invented[l];
      }
      block.push_back(std::move(corner));
    }
    blocks.push_back(std::move(block));
  }
  const auto problem = make_multilabel_problem(data, Couplings::kBias, MultilabelLoss::kHamming);
  expect_certificates_hold(*problem, blocks, std::vector<double>(blocks.size(), 1.0));
  const std::vector<double> c{1.0, 2.0, 0.5, 1.0, 4.0, 0.125};
  expect_certificates_hold(*make_weighted_problem(*problem, c), blocks, c);
}

}  // namespace
}  // namespace gapwise::internal
