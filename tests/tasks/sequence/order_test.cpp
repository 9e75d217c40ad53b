// Chains of second order and dictionaries: decoding, laws, training, models.

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
using Labels = std::vector<std::int32_t>;

std::span<const std::int32_t> truth_of(const SequenceData& data, Index i) {
  return std::span(data.labels)
      .subspan(data.starts[static_cast<std::size_t>(i)], static_cast<std::size_t>(data.length(i)));
}

/// Every other token may have some labels only, the right one among them.
void add_lists(Chains& chains, const ChainSpec& spec, Rng& rng) {
  auto data = std::make_shared<SequenceData>(*chains.data);
  data->allowed_starts = {0};
  for (const std::int32_t label : data->labels) {
    const bool has_list = rng.uniform() < 0.5;
    for (std::int32_t k = 0; k < spec.labels && has_list; ++k) {
      if (k == label || rng.uniform() < 0.3) data->allowed.push_back(k);
    }
    data->allowed_starts.push_back(data->allowed.size());
  }
  chains.data = data;
  chains.problem = make_sequence_problem(data, chains.layout, spec.loss, spec.variant);
}

/// A rule that no truth breaks.
std::shared_ptr<const ChainConstraints> some_constraints(const SequenceData& data, int labels) {
  std::vector<bool> is_used(static_cast<std::size_t>(labels * labels), false);
  for (Index i = 0; i < data.size(); ++i) {
    const auto truth = truth_of(data, i);
    for (std::size_t t = 1; t < truth.size(); ++t) {
      is_used[static_cast<std::size_t>(truth[t - 1] * labels + truth[t])] = true;
    }
  }
  ChainConstraints result(labels);
  for (int number = 0; number < labels * labels; number += 2) {
    if (!is_used[static_cast<std::size_t>(number)]) result.forbid_number(number);
  }
  return std::make_shared<const ChainConstraints>(result);
}

/// Chains of both orders, with and without edge attributes, lists and constraints.
template <class Visit>
void for_each_kind(Visit visit) {
  Rng rng(5);
  for (std::uint64_t seed = 1; seed <= 48; ++seed) {
    ChainSpec spec;
    spec.sequences = 4;
    spec.labels = 2 + static_cast<int>(seed % 2);
    spec.max_length = 5;
    spec.loss = SequenceLoss::kHamming;
    spec.edge_attributes = seed % 4 < 2 ? 0 : 2;
    spec.variant.order = seed % 8 < 6 ? 2 : 1;
    spec.seed = seed;
    if (seed % 3 == 0) {
      spec.variant.constraints = some_constraints(*testing::random_chains(spec).data, spec.labels);
    }
    Chains chains = testing::random_chains(spec);
    if (seed % 2 == 0) add_lists(chains, spec, rng);
    visit(chains, spec);
  }
}

TEST(ChainOrder, DecodingEqualsEnumerationOfWhatIsAllowed) {
  Index allowed = 0;
  Index all = 0;
  for_each_kind([&](const Chains& chains, const ChainSpec& spec) {
    testing::for_random_decodings(*chains.problem, 6, [&](const testing::Decoding& found, Oracle&) {
      const auto truth = truth_of(*chains.data, found.i);
      const double truth_score = testing::dot(
          found.w, testing::joint_features(chains, found.i, {truth.begin(), truth.end()}));
      double best = -1e300;
      testing::for_each_labelling(chains.data->length(found.i), spec.labels, [&](const Labels& y) {
        ++all;
        if (!chains.data->lists(found.i).allow(y)) return;
        if (spec.variant.constraints && spec.variant.constraints->first_break(y)) return;
        ++allowed;
        double value =
            testing::dot(found.w, testing::joint_features(chains, found.i, y)) - truth_score;
        for (std::size_t t = 0; t < y.size() && found.has_loss(); ++t) value += y[t] != truth[t];
        best = std::max(best, value);
      });
      ASSERT_NEAR(found.value(), best, 1e-10);
    });
  });
  EXPECT_LT(allowed, all);
}

TEST(ChainOrder, OraclesKeepTheirContract) {
  for_each_kind([&](const Chains& chains, const ChainSpec& spec) {
    EXPECT_NO_THROW(check_oracle(*chains.problem)) << "seed " << spec.seed;
    EXPECT_EQ(chains.problem->make_oracle()->has_expectations(),
              spec.variant.order == 1 && !spec.variant.constraints &&
                  chains.data->allowed_starts.empty());
  });
}

TEST(ChainOrder, ProblemsDifferByWhatTheyAllow) {
  ChainSpec spec;
  spec.loss = SequenceLoss::kHamming;
  Chains first = testing::random_chains(spec);
  const std::uint64_t plain = first.problem->fingerprint();
  Rng rng(1);
  add_lists(first, spec, rng);
  EXPECT_NE(first.problem->fingerprint(), plain);
  spec.variant.constraints = some_constraints(*first.data, spec.labels);
  EXPECT_NE(testing::random_chains(spec).problem->fingerprint(), plain);
  spec.variant.constraints = {};
  spec.variant.order = 2;
  EXPECT_NE(testing::random_chains(spec).problem->fingerprint(), plain);
}

class OrderRuns : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    write_file(folder_.path(name), text);
    return folder_.path(name);
  }
  Fit fitted(const std::string& data, const TaskOptions& options) const {
    TrainOptions training;
    training.lambda = Lambda::of(0.01);
    training.relative_gap = 1e-4;
    training.max_passes = 2000;
    return fit(read_examples("sequence", {data}, options), training);
  }

  ScratchFolder folder_;
};

/// Two of each by turns, which only the first two words tell of: the label before does not say what
/// comes next, the two before do.
TEST_F(OrderRuns, SecondOrderLearnsWhatFirstOrderCannot) {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    for (int t = 0; t < 12; ++t) {
      const char* label = (i + t) / 2 % 2 == 0 ? "A" : "B";
      text += fmt::format("{} {}\n", t < 2 ? label : "x", label);
    }
    text += "\n";
  }
  const std::string data = file("turns", text);
  const std::string plain = file("template", "U:%x[0,0]\nB\n");
  const auto breaks = [&](const char* order) {
    const Fit result = fitted(data, {{"chain-order", order}, {"template", plain}});
    EXPECT_TRUE(result.report.progress.is_certified);
    const Model again = load_model_bytes(result.model.bytes());
    int wrong = 0;
    for (const Output& output : again.predict(open_examples("sequence", {data}))) {
      for (std::size_t t = 2; t < output.labels.size(); ++t) {
        wrong += output.labels[t] == output.labels[t - 2] ? 1 : 0;
      }
    }
    return wrong;
  };
  EXPECT_EQ(breaks("2"), 0);
  EXPECT_GT(breaks("1"), 0);
}

TEST_F(OrderRuns, WhatDoesNotGoTogetherIsRefused) {
  const std::string data = file("few", "x A\ny B\n\n");
  for (const TaskOptions& wrong :
       {TaskOptions{{"chain-order", "2"}, {"beam", "1"}},
        TaskOptions{{"chain-order", "2"}, {"rescaling", "slack"}},
        TaskOptions{{"chain-order", "3"}}, TaskOptions{{"dictionary", "yes"}, {"beam", "1"}}}) {
    EXPECT_THROW(read_examples("sequence", {data}, wrong), OptionError);
  }
}

const char* const kTagged =
    "the * D\nrun N|V N\nsees V|X V\n\nthe D D\ndog * N\nrun N|V V\n\nrun V|N V\nthe D D\ndog N "
    "N\n\n";

TEST_F(OrderRuns, DictionariesHoldInTrainingAndInPrediction) {
  const Fit result = fitted(file("tagged", kTagged), {{"dictionary", "yes"}});
  EXPECT_TRUE(result.report.progress.is_certified);
  const Model model = load_model_bytes(result.model.bytes());
  EXPECT_EQ(model.names("labels"), (std::vector<std::string>{"D", "N", "V"}));  // X is no class
  const auto predict = [&](const std::string& text) {
    return model.predict(open_examples("sequence", {file("new", text)})).front().labels;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(predict("the V ?\nthe N|X ?\nrun D ?\n"), (Names{"V", "N", "D"}));
  EXPECT_EQ(predict("the V\nthe N\nrun D\n"), (Names{"V", "N", "D"}));  // without labels
  EXPECT_EQ(predict("the * ?\nthe X|Y ?\n"), (Names{"D", "D"}));        // nothing known is listed
  EXPECT_NO_THROW(model.evaluate(open_examples("sequence", {file("off", "the V|N D\n\n")})));
}

TEST_F(OrderRuns, DictionariesOfAttributes) {
  const std::string data = file("tagged",
                                "D\tw=the\nN\tw=run\tallowed=N|V\n\nD\tw=the\tallowed=D\nV\tw=run\t"
                                "allowed=N|V\n\n");
  const Model model = fitted(data, {{"dictionary", "yes"}}).model;
  EXPECT_EQ(model.names("attributes"), (std::vector<std::string>{"w=the", "w=run"}));
  const std::string fresh = file("new", "\tw=the\tallowed=V\n\tw=the\tallowed=N\n\n");
  EXPECT_EQ(model.predict(open_examples("sequence", {fresh})).front().labels,
            (std::vector<std::string>{"V", "N"}));
}

TEST_F(OrderRuns, LabelsThatTheirListsLackAreToldWithTheirPlace) {
  const auto complaint = [&](const std::string& text) {
    return message_of([&] { fitted(file("wrong", text), {{"dictionary", "yes"}}); });
  };
  const std::string message = complaint("the * D\nrun D|V N\n\n");
  for (const char* part : {"wrong:2", "'N'", "D, V"}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
  EXPECT_NE(complaint("the D||V D\n\n").find("empty label"), std::string::npos);
  EXPECT_NE(complaint("the D\n\n").find("2 columns"), std::string::npos);
  EXPECT_NE(complaint("N\tw=run\tallowed=D|V\n\n").find("wrong:1"), std::string::npos);
}

}  // namespace
}  // namespace gapwise::internal
