// Ranked sets of labels, what each label is worth and how likely it is.

#include <gtest/gtest.h>

#include <cmath>

#include "gapwise/gapwise.h"
#include "io/files.h"
#include "support/reading.h"

namespace gapwise::internal {
namespace {

/// Labels a and b, which the first two features tell; c mostly comes with both.
const char* const kSets =
    "a 1:1\nb 2:1\na,b,c 1:1 2:1\n 3:1\na,b,c 1:2 2:0.5\nb 1:-1 2:2\na 1:1 3:1\n";

class SetRanking : public ::testing::Test {
 protected:
  Model trained(const TaskOptions& options = {}) const {
    TrainOptions training;
    training.lambda = Lambda::of(0.01);
    return fit(read_examples("multilabel", {data()}, options), training).model;
  }
  std::string data() const {
    write_file(folder_.path("sets"), kSets);
    return folder_.path("sets");
  }

  ScratchFolder folder_;
};

TEST_F(SetRanking, ListsSetsWithMarginsProbabilitiesAndReasons) {
  for (const char* couplings : {"bias", "none"}) {
    const Model model = trained({{"couplings", couplings}});
    const Examples examples = open_examples("multilabel", {data()});
    const std::vector<Output> plain = model.predict(examples);
    RankSettings settings{.nbest = 20, .margins = true, .marginals = true, .explain = 9};
    settings.temperature = 0.5;
    const std::vector<Ranking> rankings = model.rank(examples, settings);
    ASSERT_EQ(rankings.size(), 7U);
    for (std::size_t i = 0; i < rankings.size(); ++i) {
      const auto& outputs = rankings[i].outputs;
      ASSERT_EQ(outputs.size(), 8U);
      EXPECT_EQ(outputs[0].output, plain[i]);
      ASSERT_EQ(rankings[i].places.size(), 3U);
      for (const RankedPlace& place : rankings[i].places) {
        const auto has = [&](const RankedOutput& ranked) {
          return std::ranges::find(ranked.output.labels, place.runner_up) !=
                 ranked.output.labels.end();
        };
        double same = 0.0;
        double all = 0.0;
        double other = -1e300;
        for (const RankedOutput& ranked : outputs) {
          const double mass = std::exp(ranked.score / 0.5);
          all += mass;
          if (has(ranked) == has(outputs[0])) {
            same += mass;
          } else {
            other = std::max(other, ranked.score);
          }
        }
        EXPECT_NEAR(place.margin, outputs[0].score - other, 1e-12);
        EXPECT_NEAR(place.probability, same / all, 1e-12);
        double sum = 0.0;
        for (const Reason& reason : place.reasons) sum += reason.score;
        EXPECT_GE(sum, place.margin - 1e-9);  // the others may change, too
      }
    }
    EXPECT_GT(fit_temperature(model, examples), 0.0);
  }
}

TEST_F(SetRanking, WritesColumnsBehindTheBestSet) {
  const Model model = trained();
  std::string text;
  model.write_ranked({data()}, {.nbest = 2, .margins = true}, true,
                     [&](std::string_view piece) { text += piece; });
  EXPECT_TRUE(text.starts_with("# 1 ")) << text;
  EXPECT_TRUE(testing::says(text, "\ta "));
  EXPECT_TRUE(testing::says(text, "\tc -"));
  EXPECT_TRUE(testing::says(text, "\n# 2 "));
}

TEST_F(SetRanking, KeepsConstraints) {
  const std::string rules = folder_.path("rules");
  write_file(rules, "implies c a b\n");
  const Model model = trained({{"constraints", rules}});
  const auto rankings = model.rank(open_examples("multilabel", {data()}), {.nbest = 20});
  EXPECT_EQ(rankings[0].outputs.size(), 5U);  // three sets have c without a or b
}

TEST_F(SetRanking, RefusesTooManySets) {
  std::string text;
  for (int l = 0; l < 24; ++l) text += std::to_string(l) + " 1:1\n";
  write_file(folder_.path("many"), text);
  const Examples examples = open_examples("multilabel", {folder_.path("many")});
  TrainOptions training;
  training.max_passes = 3;
  const auto model = [&](const char* couplings) {
    return fit(read_examples("multilabel", {folder_.path("many")}, {{"couplings", couplings}}),
               training)
        .model;
  };
  const std::string message =
      message_of<OptionError>([&] { model("bias").rank(examples, {.nbest = 2}); });
  EXPECT_TRUE(testing::says(message, "24 labels"));
  EXPECT_EQ(model("none").rank(examples, {.nbest = 2})[0].outputs.size(), 2U);
}

}  // namespace
}  // namespace gapwise::internal
