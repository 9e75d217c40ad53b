// Labels that may not follow each other: in decoding, in training, in models.

#include "tasks/sequence/constraints.h"

#include <gtest/gtest.h>

#include "app/loaded_model.h"
#include "gapwise/gapwise.h"
#include "io/files.h"
#include "support/problems.h"
#include "support/reading.h"
#include "tasks/sequence/model.h"

namespace gapwise::internal {
namespace {

using testing::Chains;
using testing::ChainSpec;
using Texts = std::vector<std::string>;

/// Some steps, starts and ends that no truth of the chains takes are forbidden.
std::shared_ptr<const ChainConstraints> random_constraints(const Chains& chains, int labels,
                                                           Rng& rng) {
  ChainConstraints result(labels);
  for (std::int64_t number = 0; number < result.num_numbers(); ++number) {
    ChainConstraints next = result;
    next.forbid_number(number);
    bool is_kept = true;
    for (Index i = 0; i < chains.data->size(); ++i) {
      const std::size_t first = chains.data->starts[static_cast<std::size_t>(i)];
      const auto length = static_cast<std::size_t>(chains.data->length(i));
      is_kept = is_kept && !next.first_break(std::span(chains.data->labels).subspan(first, length));
    }
    if (is_kept && rng.uniform() < 0.7) result = next;
  }
  return std::make_shared<const ChainConstraints>(result);
}

double errors_of(std::span<const std::int32_t> truth, const std::vector<std::int32_t>& y) {
  double errors = 0.0;
  for (std::size_t t = 0; t < y.size(); ++t) errors += y[t] != truth[t] ? 1.0 : 0.0;
  return errors;
}

/// The best allowed labelling, by trying all: plain, with the loss, and under slack rescaling.
TEST(ChainConstraints, DecodingEqualsEnumerationOfWhatIsAllowed) {
  Rng rng(3);
  int num_forbidden = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    ChainSpec spec;
    spec.sequences = 3;
    spec.labels = 2 + static_cast<int>(seed % 3);
    spec.loss = SequenceLoss::kHamming;
    spec.edge_attributes = seed % 2 == 0 ? 2 : 0;
    spec.seed = seed;
    const auto constraints = random_constraints(testing::random_chains(spec), spec.labels, rng);
    num_forbidden += static_cast<int>(constraints->numbers().size());
    for (const Rescaling rescaling : {Rescaling::kMargin, Rescaling::kSlack}) {
      spec.variant = {rescaling, 0, constraints};
      const Chains chains = testing::random_chains(spec);
      const bool is_slack = rescaling == Rescaling::kSlack;
      testing::for_random_decodings(
          *chains.problem, 6, [&](const testing::Decoding& found, Oracle& oracle) {
            const auto truth = std::span(chains.data->labels)
                                   .subspan(chains.data->starts[static_cast<std::size_t>(found.i)],
                                            static_cast<std::size_t>(chains.data->length(found.i)));
            const auto score = [&](const std::vector<std::int32_t>& y) {
              return testing::dot(found.w, testing::joint_features(chains, found.i, y));
            };
            const double truth_score = score({truth.begin(), truth.end()});
            double best = -1e300;
            testing::for_each_labelling(
                chains.data->length(found.i), spec.labels, [&](const std::vector<std::int32_t>& y) {
                  if (constraints->first_break(y)) return;
                  const double loss = errors_of(truth, y);
                  const double value = !found.has_loss() ? score(y) - truth_score
                                       : is_slack        ? loss * (1.0 + score(y) - truth_score)
                                                         : loss + score(y) - truth_score;
                  best = std::max(best, value);
                });
            ASSERT_NEAR(found.value(), best, 1e-10);
            EXPECT_FALSE(oracle.has_expectations());
          });
    }
  }
  EXPECT_GT(num_forbidden, 200);
}

/// A proof made of labellings that are forbidden would be none.
TEST(ChainConstraints, ForbiddenOutputsAreNotRecognized) {
  ChainSpec spec;
  spec.sequences = 1;
  spec.labels = 2;
  const Chains free = testing::random_chains(spec);
  const auto length = static_cast<std::size_t>(free.data->length(0));
  std::vector<std::int32_t> other(free.data->labels);
  other[0] = 1 - other[0];
  ChainConstraints constraints(2);
  constraints.forbid_start(other[0]);
  spec.variant.constraints = std::make_shared<const ChainConstraints>(constraints);
  const Chains bound = testing::random_chains(spec);
  const auto free_oracle = free.problem->make_oracle();
  const auto bound_oracle = bound.problem->make_oracle();
  // Weights under which every label but the true one is best.
  std::vector<double> w(static_cast<std::size_t>(free.layout.dimension()), 0.0);
  w[static_cast<std::size_t>(free.layout.start()) + static_cast<std::size_t>(other[0])] = 100.0;
  PartScores theta;
  Corner corner;
  Corner again;
  free_oracle->argmax(0, w, theta, corner);
  ASSERT_FALSE(corner.parts.items().empty()) << length;
  EXPECT_TRUE(free_oracle->recognize(0, corner.parts, again));
  EXPECT_FALSE(bound_oracle->recognize(0, corner.parts, again));
}

ChainConstraints of(const std::string& rule, const Texts& names) {
  return make_constraints(rule, Alphabet::from_names(names));
}

TEST(ChainConstraints, KnowHowChunksAreMarked) {
  const Texts bio{"O", "B-x", "I-x", "B-y", "I-y"};
  const auto breaks = [](const ChainConstraints& constraints,
                         const std::vector<std::int32_t>& labels) {
    return constraints.first_break(labels);
  };
  const ChainConstraints iob2 = of("bio", bio);
  EXPECT_FALSE(breaks(iob2, {1, 2, 2, 0, 3, 1, 1, 2}));
  EXPECT_EQ(breaks(iob2, {2, 2}), 0U);
  EXPECT_EQ(breaks(iob2, {0, 2}), 1U);
  EXPECT_EQ(breaks(iob2, {1, 2, 4}), 2U);
  const ChainConstraints iob1 = of("iob1", bio);
  EXPECT_FALSE(breaks(iob1, {2, 2, 1, 0, 4, 2}));
  EXPECT_EQ(breaks(iob1, {1}), 0U);
  EXPECT_EQ(breaks(iob1, {0, 1}), 1U);
  EXPECT_EQ(breaks(iob1, {4, 1}), 1U);
  const ChainConstraints bioes = of("bioes", {"O", "B-x", "I-x", "E-x", "S-x", "U-y", "L-y"});
  EXPECT_FALSE(breaks(bioes, {1, 2, 3, 4, 0, 5}));
  EXPECT_EQ(breaks(bioes, {1, 2}), 2U);
  EXPECT_EQ(breaks(bioes, {1, 0}), 1U);
  EXPECT_EQ(breaks(bioes, {1, 6}), 1U);
  EXPECT_EQ(breaks(bioes, {3}), 0U);
  EXPECT_THROW(of("bio", {"O", "NOUN"}), OptionError);
  EXPECT_THROW(of("bio", {"O", "E-x"}), OptionError);
}

class ConstraintRuns : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    write_file(folder_.path(name), text);
    return folder_.path(name);
  }
  Fit fitted(const std::string& data, const std::string& rule) const {
    TrainOptions options;
    options.lambda = Lambda::of(0.1);
    options.relative_gap = 1e-6;
    options.max_passes = 500;
    return fit(read_examples("sequence", {data}, {{"constraints", rule}}), options);
  }

  ScratchFolder folder_;
};

TEST_F(ConstraintRuns, FilesSayWhatIsForbiddenOrAllAllowed) {
  const Texts names{"a", "b", "c"};
  const ChainConstraints found =
      of(file("rules", "# comment\nforbid a a\n\nonly b c <end>\nforbid <start> c\nonly c a b c\n"),
         names);
  // 0..8 steps, 9..11 starts, 12..14 ends.
  EXPECT_EQ(found.numbers(), (std::vector<std::int64_t>{0, 3, 4, 11, 14}));
  for (const char* wrong : {"", "# nothing\n", "forbid a\n", "forbid a b c\n", "allow a b\n",
                            "only a\n", "forbid a d\n", "only a d\n", "forbid <start> <end>\n",
                            "forbid <end> a\n", "only <end> a\n"}) {
    const std::string message = message_of([&] { of(file("wrong", wrong), names); });
    EXPECT_NE(message.find("wrong"), std::string::npos) << wrong << ": " << message;
  }
}

const char* const kChunks =
    "the D B-N\ndog N I-N\nruns V B-V\n\na D B-N\nbig A I-N\ncat N I-N\nsat V B-V\n\n"
    "dogs N B-N\nrun V B-V\n\n";

TEST_F(ConstraintRuns, TheModelKeepsThemAndPredictsByThem) {
  const std::string data = file("chunks", kChunks);
  const Fit result = fitted(data, "bio");
  EXPECT_TRUE(result.report.progress.is_certified);
  EXPECT_EQ(result.model.settings().at("constraints"), "bio");
  // Words that nothing is known of, in any number.
  const std::string strange =
      file("strange", "x Y ?\nthe Z ?\ncat N ?\ncat N ?\nbig A ?\n\ncat N ?\n");
  const Model model = load_model_bytes(result.model.bytes());
  const ChainConstraints rules = of("bio", model.names("labels"));
  const Alphabet labels = Alphabet::from_names(model.names("labels"));
  for (const Output& output : model.predict(open_examples("sequence", {strange}))) {
    std::vector<std::int32_t> numbers;
    for (const std::string& label : output.labels) {
      numbers.push_back(static_cast<std::int32_t>(labels.find(label)));
    }
    EXPECT_FALSE(rules.first_break(numbers));
  }
  // Fewer outputs, so neither primal nor dual can be above those of all.
  const Fit free = fitted(data, "");
  EXPECT_LE(result.report.progress.dual, *free.report.progress.primal + 1e-9);
  EXPECT_FALSE(free.model.settings().contains("constraints"));
}

TEST_F(ConstraintRuns, ATruthThatBreaksThemIsToldWithItsPlace) {
  const std::string data = file("broken", std::string(kChunks) + "runs V B-V\ndog N I-N\n\n");
  const std::string message = message_of([&] { fitted(data, "bio"); });
  for (const char* part : {"broken", "sequence 4", "'I-N' behind 'B-V' at token 2", "bio"}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

TEST_F(ConstraintRuns, NoLabellingThatKeepsThemIsAnError) {
  // Only one token fits: whatever begins must end.
  const std::string data = file("ones", "a x\n\nb y\n\n");
  const Model model =
      fitted(data,
             file("rules", "only x <end> x\nforbid x x\nonly y <end> y\nforbid y y\nforbid x y\n"))
          .model;
  const std::string two = file("two", "a ?\nb ?\n\n");
  const std::string message =
      message_of([&] { (void)model.predict(open_examples("sequence", {two})); });
  EXPECT_NE(message.find("no labelling of so many"), std::string::npos) << message;
}

TEST_F(ConstraintRuns, DamagedModelsAreRefused) {
  ModelRecord record = fitted(file("chunks", kChunks), "bio").model.loaded().record();
  for (const std::int64_t number : {std::int64_t{-1}, std::int64_t{1} << 40}) {
    ModelRecord wrong = record;
    wrong.numbers["forbidden"].push_back(number);
    EXPECT_NE(message_of([&] { decode_sequence_model(wrong); }).find("forbidden"),
              std::string::npos);
  }
  record.numbers.erase("forbidden");
  EXPECT_THROW(decode_sequence_model(record), InputError);
}

TEST_F(ConstraintRuns, ABeamIsRefused) {
  const std::string data = file("chunks", kChunks);
  EXPECT_THROW(read_examples("sequence", {data}, {{"constraints", "bio"}, {"beam", "2"}}),
               OptionError);
}

}  // namespace
}  // namespace gapwise::internal
