// Ranked and scored predictions against all outputs, and calibrated probabilities.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "gapwise/gapwise.h"
#include "io/files.h"
#include "support/reading.h"

namespace gapwise::internal {
namespace {

const char* const kChunks =
    "the D B-N\ndog N I-N\nruns V B-V\n\na D B-N\nbig A I-N\ncat N I-N\nsat V B-V\n\n"
    "dogs N B-N\nrun V B-V\n\nrun V B-V\nthe D B-N\n\n";

class Rankings : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    write_file(folder_.path(name), text);
    return folder_.path(name);
  }
  Model model(const TaskOptions& options) const {
    TrainOptions training;
    training.lambda = Lambda::of(0.05);
    training.max_passes = 30;
    return fit(read_examples("sequence", {file("chunks", kChunks)}, options), training).model;
  }
  Examples fresh() const {
    return open_examples("sequence", {file("new", "the D ?\ncat N ?\nbig A ?\n\ndogs N ?\n\n")});
  }

  ScratchFolder folder_;
};

/// With every output of every example at hand, whatever else is told follows from them.
TEST_F(Rankings, MarginsProbabilitiesAndOrderAreThoseOfAllOutputs) {
  for (const TaskOptions& options :
       {TaskOptions{}, TaskOptions{{"constraints", "bio"}}, TaskOptions{{"chain-order", "2"}},
        TaskOptions{{"chain-order", "2"}, {"constraints", "bio"}}}) {
    const Model tagger = model(options);
    const std::vector<Output> plain = tagger.predict(fresh());
    RankSettings settings{.nbest = 1000, .margins = true, .marginals = true};
    settings.temperature = 0.7;
    const std::vector<Ranking> rankings = tagger.rank(fresh(), settings);
    ASSERT_EQ(rankings.size(), 2U);
    for (std::size_t i = 0; i < rankings.size(); ++i) {
      const std::vector<RankedOutput>& outputs = rankings[i].outputs;
      const bool is_bound = options.contains("constraints");
      EXPECT_EQ(outputs.size(), i == 0 ? (is_bound ? 13U : 27U) : (is_bound ? 2U : 3U));
      EXPECT_EQ(outputs.front().output, plain[i]);
      std::set<std::vector<std::string>> seen;
      double mass = 0.0;
      for (std::size_t k = 0; k < outputs.size(); ++k) {
        EXPECT_TRUE(seen.insert(outputs[k].output.labels).second);
        if (k > 0) {
          EXPECT_LE(outputs[k].score, outputs[k - 1].score);
        }
        mass += std::exp(outputs[k].score / 0.7);
      }
      for (std::size_t t = 0; t < rankings[i].places.size(); ++t) {
        const RankedPlace& place = rankings[i].places[t];
        const std::string& label = outputs[0].output.labels[t];
        double second = -std::numeric_limits<double>::infinity();
        double p = 0.0;
        for (const RankedOutput& ranked : outputs) {
          if (ranked.output.labels[t] == label) {
            p += std::exp(ranked.score / 0.7) / mass;
          } else {
            second = std::max(second, ranked.score);
          }
        }
        EXPECT_NEAR(place.margin, outputs[0].score - second, 1e-9);
        EXPECT_NEAR(place.probability, p, 1e-9);
        EXPECT_NE(place.runner_up, label);
      }
    }
  }
}

TEST_F(Rankings, ReasonsAddUpToTheDifferenceOfTheScores) {
  for (const char* order : {"1", "2"}) {
    const Model tagger = model({{"chain-order", order}});
    const Ranking ranking = tagger.rank(fresh(), {.nbest = 1000, .explain = 1'000'000}).front();
    const Output& best = ranking.outputs.front().output;
    for (std::size_t t = 0; t < ranking.places.size(); ++t) {
      Output other = best;
      other.labels[t] = ranking.places[t].runner_up;
      double sum = 0.0;
      for (const Reason& reason : ranking.places[t].reasons) sum += reason.score;
      for (const RankedOutput& ranked : ranking.outputs) {
        if (ranked.output == other) {
          EXPECT_NEAR(sum, ranking.outputs[0].score - ranked.score, 1e-9);
        }
      }
    }
    EXPECT_LE(tagger.rank(fresh(), {.explain = 2}).front().places[0].reasons.size(), 2U);
  }
}

TEST_F(Rankings, TheTextHasHeadsAndColumns) {
  const Model tagger = model({});
  const auto text = [&](const RankSettings& settings, bool with_scores) {
    std::string out;
    tagger.write_ranked({file("new", "the D\ncat N\n\nrun V\n\n")}, settings, with_scores,
                        [&](std::string_view piece) { out += piece; });
    return out;
  };
  const std::string two = text({.nbest = 2}, false);
  EXPECT_EQ(two.find("# 1 "), 0U);
  EXPECT_NE(two.find("\n# 2 "), std::string::npos);
  EXPECT_EQ(std::count(two.begin(), two.end(), '#'), 4);
  EXPECT_EQ(std::count(two.begin(), two.end(), '\n'), 2 * (1 + 2 + 1) + 2 * (1 + 1 + 1));
  const std::string columns = text({.margins = true, .marginals = true}, false);
  EXPECT_EQ(columns.find("the D B-N\t"), 0U);
  EXPECT_EQ(std::count(columns.begin(), columns.end(), '\t'), 6);
  EXPECT_EQ(std::count(columns.begin(), columns.end(), '\n'), 5);
}

TEST_F(Rankings, WhatCannotBeRankedIsRefused) {
  EXPECT_THROW(model({}).rank(fresh(), {.nbest = 0}), OptionError);
  EXPECT_THROW(model({}).rank(fresh(), {.temperature = -1.0}), OptionError);
  EXPECT_THROW(model({{"beam", "1"}}).rank(fresh()), OptionError);
}

TEST_F(Rankings, CalibrationFindsTheTemperatureOfLeastLoss) {
  const Model tagger = model({{"constraints", "bio"}});
  const Examples held_out = open_examples(
      "sequence",
      {file("held", "the D B-N\ncat N I-N\nrun V B-N\n\nbig A B-N\ndogs N B-N\n\nold A B-X\n\n")});
  EXPECT_FALSE(tagger.temperature());
  const double temperature = fit_temperature(tagger, held_out);
  const double least = reliability(tagger, held_out, temperature).log_loss;
  for (const double factor : {0.01, 0.5, 0.9, 1.1, 2.0, 100.0}) {
    EXPECT_GE(reliability(tagger, held_out, factor * temperature).log_loss, least - 1e-6) << factor;
  }
  const Model calibrated = load_model_bytes(tagger.with_temperature(temperature).bytes());
  EXPECT_EQ(calibrated.temperature(), temperature);
  EXPECT_EQ(calibrated.predict(fresh()), tagger.predict(fresh()));
  const Reliability found = reliability(calibrated, held_out, temperature);
  EXPECT_EQ(found.places, 6);
  double error = 0.0;
  Index places = 0;
  for (const ReliabilityBin& bin : found.bins) {
    error += static_cast<double>(bin.places) * std::fabs(bin.accuracy - bin.confidence) / 6.0;
    places += bin.places;
  }
  EXPECT_EQ(places, 6);
  EXPECT_NEAR(found.calibration_error, error, 1e-12);
  const double own = calibrated.rank(fresh(), {.marginals = true})[0].places[0].probability;
  const double given = tagger.rank(fresh(), {.marginals = true, .temperature = temperature})[0]
                           .places[0]
                           .probability;
  EXPECT_EQ(own, given);
}

}  // namespace
}  // namespace gapwise::internal
