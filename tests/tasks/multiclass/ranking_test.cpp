// Ranked classes and their probabilities.

#include <gtest/gtest.h>

#include <cmath>

#include "gapwise/gapwise.h"
#include "io/files.h"
#include "support/reading.h"

namespace gapwise::internal {
namespace {

TEST(MulticlassRanking, ListsAllClassesWithMarginsProbabilitiesAndReasons) {
  const ScratchFolder folder;
  const std::string data = folder.path("points");
  write_file(data, "a 1:1\nb 2:1\nc 1:-1 2:-1\na 1:2 2:0.5\nb 1:0.5 2:2\nc 1:-2\n");
  const Model model = fit(read_examples("multiclass", {data}), {}).model;
  const Examples examples = open_examples("multiclass", {data});
  const std::vector<Output> plain = model.predict(examples);
  RankSettings settings{.nbest = 5, .margins = true, .marginals = true, .explain = 9};
  settings.temperature = 0.5;
  const std::vector<Ranking> rankings = model.rank(examples, settings);
  ASSERT_EQ(rankings.size(), 6U);
  for (std::size_t i = 0; i < rankings.size(); ++i) {
    const auto& outputs = rankings[i].outputs;
    ASSERT_EQ(outputs.size(), 3U);
    EXPECT_EQ(outputs[0].output, plain[i]);
    EXPECT_GE(outputs[1].score, outputs[2].score);
    const RankedPlace& place = rankings[i].places.at(0);
    EXPECT_NEAR(place.margin, outputs[0].score - outputs[1].score, 1e-12);
    EXPECT_EQ(place.runner_up, outputs[1].output.labels[0]);
    double mass = 0.0;
    for (const RankedOutput& ranked : outputs) mass += std::exp(ranked.score / 0.5);
    EXPECT_NEAR(place.probability, std::exp(outputs[0].score / 0.5) / mass, 1e-12);
    double sum = 0.0;
    for (const Reason& reason : place.reasons) sum += reason.score;
    EXPECT_NEAR(sum, place.margin, 1e-9);
  }
  EXPECT_GT(fit_temperature(model, examples), 0.0);
}

}  // namespace
}  // namespace gapwise::internal
