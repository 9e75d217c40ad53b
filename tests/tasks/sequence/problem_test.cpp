#include "tasks/sequence/problem.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "support/linear_map.h"
#include "support/problems.h"

namespace gapwise::internal {
namespace {

using testing::Chains;
using testing::ChainSpec;
using testing::Inputs;

std::vector<ChainSpec> all_specs() {
  std::vector<ChainSpec> specs;
  for (const Inputs inputs : {Inputs::kBinary, Inputs::kSparse, Inputs::kDense}) {
    for (const std::uint32_t edges : {0U, 3U}) {
      for (const SequenceLoss loss : {SequenceLoss::kHamming, SequenceLoss::kNormalizedHamming}) {
        ChainSpec spec;
        spec.inputs = inputs;
        spec.edge_attributes = edges;
        spec.loss = loss;
        spec.seed = specs.size() + 1;
        specs.push_back(spec);
      }
    }
  }
  return specs;
}

double loss_of(const ChainSpec& spec, const std::vector<std::int32_t>& truth,
               const std::vector<std::int32_t>& y) {
  double errors = 0.0;
  for (std::size_t t = 0; t < y.size(); ++t) errors += y[t] != truth[t] ? 1.0 : 0.0;
  return spec.loss == SequenceLoss::kHamming ? errors : errors / static_cast<double>(y.size());
}

std::vector<std::int32_t> truth_of(const Chains& chains, Index i) {
  const auto k = static_cast<std::size_t>(i);
  const auto* labels = chains.data->labels.data();
  return {labels + chains.data->starts[k], labels + chains.data->starts[k + 1]};
}

TEST(SequenceProblem, ArgmaxEqualsEnumeration) {
  for (const ChainSpec& spec : all_specs()) {
    const Chains chains = testing::random_chains(spec);
    testing::for_random_decodings(
        *chains.problem, 20, [&](const testing::Decoding& found, Oracle&) {
          const auto truth = truth_of(chains, found.i);
          const auto score = [&](const std::vector<std::int32_t>& y) {
            return testing::dot(found.w, testing::joint_features(chains, found.i, y));
          };
          double best = -1e300;
          testing::for_each_labelling(
              chains.data->length(found.i), spec.labels, [&](const std::vector<std::int32_t>& y) {
                const double loss = found.has_loss() ? loss_of(spec, truth, y) : 0.0;
                best = std::max(best, loss + score(y) - score(truth));
              });
          ASSERT_NEAR(found.value(), best, 1e-10);
        });
  }
}

/// Slack rescaling: max_y L(y) (1 - <w, psi(y)>), from corners whose parts stand for L(y) psi(y).
TEST(SequenceProblem, SlackRescaledArgmaxEqualsEnumeration) {
  for (ChainSpec spec : all_specs()) {
    spec.variant.rescaling = Rescaling::kSlack;
    const Chains chains = testing::random_chains(spec);
    const auto oracle = chains.problem->make_oracle();
    Rng rng(19);
    PartScores theta;
    Corner corner;
    for (int trial = 0; trial < 20; ++trial) {
      const auto w = testing::random_weights(chains.layout.dimension(), rng, trial % 2 == 0);
      const Index i = rng.below(chains.problem->num_blocks());
      const auto truth = truth_of(chains, i);
      const double truth_score = testing::dot(w, testing::joint_features(chains, i, truth));
      oracle->argmax(i, w, theta, corner);
      std::vector<double> psi(w.size(), 0.0);
      oracle->scatter(i, corner.parts, 1.0, psi);
      double best = -1e300;
      bool is_an_output = false;
      testing::for_each_labelling(
          chains.data->length(i), spec.labels, [&](const std::vector<std::int32_t>& y) {
            const double loss = loss_of(spec, truth, y);
            const auto phi = testing::joint_features(chains, i, y);
            best = std::max(best, loss * (1.0 - (truth_score - testing::dot(w, phi))));
            auto difference = testing::joint_features(chains, i, truth);
            double distance = std::abs(loss - corner.loss);
            for (std::size_t j = 0; j < phi.size(); ++j) {
              distance += std::abs(loss * (difference[j] - phi[j]) - psi[j]);
            }
            is_an_output = is_an_output || distance < 1e-10;
          });
      ASSERT_NEAR(violation(corner.loss, corner.parts, theta), best, 1e-10);
      ASSERT_NEAR(corner.loss - testing::dot(w, psi), best, 1e-10);
      ASSERT_TRUE(is_an_output);
      ASSERT_TRUE(corner.is_exact);
    }
  }
}

TEST(SequenceProblem, RescalingAndLossLeavePlainDecodingAlone) {
  const Chains margin = testing::random_chains({});
  const Chains slack = testing::random_chains({.variant = {Rescaling::kSlack}});
  const auto one = margin.problem->make_oracle();
  const auto other = slack.problem->make_oracle();
  Rng rng(20);
  PartScores theta;
  Corner a;
  Corner b;
  for (Index i = 0; i < margin.problem->num_blocks(); ++i) {
    const auto w = testing::random_weights(margin.layout.dimension(), rng, false);
    one->score(i, w, theta);
    one->decode(i, theta, Augment::kNone, a);
    other->decode(i, theta, Augment::kNone, b);
    EXPECT_EQ(a.parts, b.parts);
    EXPECT_EQ(a.loss, b.loss);
  }
}

TEST(SequenceProblem, BeamsThatDropLabelsAreNotExactAndNeverBetter) {
  const Chains exact = testing::random_chains({.labels = 4});
  const auto best = exact.problem->make_oracle();
  PartScores theta;
  Corner corner;
  Corner top;
  for (const int beam : {1, 2, 4, 9}) {
    const Chains chains = testing::random_chains({.labels = 4, .variant = {.beam = beam}});
    const auto oracle = chains.problem->make_oracle();
    Rng rng(21);
    for (Index i = 0; i < chains.problem->num_blocks(); ++i) {
      const auto w = testing::random_weights(chains.layout.dimension(), rng, false);
      oracle->argmax(i, w, theta, corner);
      EXPECT_EQ(corner.is_exact, beam >= 4 || chains.data->length(i) == 1);
      EXPECT_FALSE(corner.upper_bound.has_value());
      const double found = violation(corner.loss, corner.parts, theta);
      best->argmax(i, w, theta, top);
      EXPECT_LE(found, violation(top.loss, top.parts, theta) + 1e-12);
      EXPECT_TRUE(!corner.is_exact || corner.parts == top.parts);
      // The tagger decodes as the oracle does.
      SequenceTagger tagger(chains.layout, w, {.beam = beam});
      const auto labels = tagger.tag(*chains.data, i);
      oracle->score(i, w, theta);
      oracle->decode(i, theta, Augment::kNone, corner);
      const auto truth = truth_of(chains, i);
      EXPECT_EQ(corner.loss, loss_of({}, truth, {labels.begin(), labels.end()}));
    }
  }
}

TEST(SequenceProblem, RefusesABeamWithSlackRescaling) {
  EXPECT_THROW(testing::random_chains({.variant = {Rescaling::kSlack, 2}}), OptionError);
  EXPECT_THROW(testing::random_chains({.variant = {.beam = -1}}), OptionError);
}

TEST(SequenceProblem, AtZeroWeightsTheArgmaxHasTheLargestLoss) {
  const Chains chains = testing::random_chains({});
  const auto oracle = chains.problem->make_oracle();
  const std::vector<double> w(static_cast<std::size_t>(chains.layout.dimension()), 0.0);
  PartScores theta;
  Corner corner;
  for (Index i = 0; i < chains.problem->num_blocks(); ++i) {
    oracle->argmax(i, w, theta, corner);
    EXPECT_EQ(corner.loss, 1.0);
  }
}

/// The feature difference that the parts of a corner stand for, and the law that ties score, dot,
/// scatter and squared_norm of a task together.
TEST(SequenceProblem, ScoreDotScatterAndNormAreTheSameLinearMap) {
  auto specs = all_specs();
  specs.push_back({.sequences = 5, .labels = 26, .max_length = 12, .attributes = 40});
  for (const ChainSpec& spec : specs) {
    testing::expect_one_linear_map(*testing::random_chains(spec).problem, 30);
  }
}

TEST(SequenceProblem, CornerPartsGiveTheFeatureDifference) {
  for (const ChainSpec& spec : all_specs()) {
    const Chains chains = testing::random_chains(spec);
    const auto oracle = chains.problem->make_oracle();
    Rng rng(29);
    PartScores theta;
    Corner corner;
    for (Index i = 0; i < chains.problem->num_blocks(); ++i) {
      const auto w = testing::random_weights(chains.layout.dimension(), rng, false);
      oracle->argmax(i, w, theta, corner);
      SequenceTagger tagger(chains.layout, w);
      std::vector<double> psi(w.size(), 0.0);
      oracle->scatter(i, corner.parts, 1.0, psi);
      bool found = false;
      const auto truth = truth_of(chains, i);
      testing::for_each_labelling(
          chains.data->length(i), spec.labels, [&](const std::vector<std::int32_t>& y) {
            auto difference = testing::joint_features(chains, i, truth);
            const auto phi = testing::joint_features(chains, i, y);
            double distance = 0.0;
            for (std::size_t j = 0; j < phi.size(); ++j) {
              distance = std::max(distance, std::abs(difference[j] - phi[j] - psi[j]));
            }
            found = found ||
                    (distance < 1e-12 && std::abs(loss_of(spec, truth, y) - corner.loss) < 1e-12);
          });
      EXPECT_TRUE(found) << "block " << i;
    }
  }
}

TEST(SequenceProblem, GivesTheSameBitsOnEveryInstructionSet) {
  const Chains chains = testing::random_chains({.labels = 13, .max_length = 9, .attributes = 30});
  const auto oracle = chains.problem->make_oracle();
  Rng rng(31);
  const auto w = testing::random_weights(chains.layout.dimension(), rng, false);
  std::vector<std::vector<double>> seen;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    PartScores theta;
    Corner corner;
    oracle->argmax(0, w, theta, corner);
    std::vector<double> all(theta.values().begin(), theta.values().end());
    std::vector<double> image(w.size(), 0.0);
    oracle->scatter(0, corner.parts, 0.3, image);
    all.insert(all.end(), image.begin(), image.end());
    seen.push_back(all);
  }
  hwy::SetSupportedTargetsForTest(0);
  for (const auto& values : seen) EXPECT_EQ(values, seen.front());
}

TEST(SequenceProblem, RefusesLabelsOutOfRange) {
  const Chains chains = testing::random_chains({.labels = 4});
  ChainLayout small = chains.layout;
  small.labels = 2;
  EXPECT_THROW(make_sequence_problem(chains.data, small, SequenceLoss::kHamming), InputError);
}

}  // namespace
}  // namespace gapwise::internal
