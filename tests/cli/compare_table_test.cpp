#include "run/compare_table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace gapwise::internal::cli {
namespace {

using Words = std::vector<std::string>;

Progress measurement(Index passes, double primal, double dual, bool is_certified = true) {
  Progress progress;
  progress.n = 100;
  progress.passes = passes;
  progress.oracle_calls = 100 * passes;
  progress.cached_steps = 7 * passes;
  progress.seconds = 0.5 * static_cast<double>(passes);
  progress.primal = primal;
  progress.dual = dual;
  progress.is_certified = is_certified;
  return progress;
}

Outcome outcome(std::string label, double lambda, std::vector<Progress> measurements) {
  Outcome result;
  result.label = std::move(label);
  result.figures.task = "sequence";
  result.figures.solver = "bcfw";
  result.figures.lambda = lambda;
  result.figures.progress = measurements.back();
  result.figures.status = StopReason::kMaxPasses;
  result.measurements = std::move(measurements);
  return result;
}

/// The words of the row `label` in the block that starts with `title`.
Words row(const std::string& table, const std::string& title, const std::string& label) {
  std::istringstream lines(table.substr(table.find("\n" + title) + 1));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Words found;
    for (std::string word; words >> word;) found.push_back(word);
    if (!found.empty() && found[0] == label) return found;
  }
  return {};
}

TEST(CompareTable, TellsTheFirstMeasurementWithinEachGap) {
  const Comparison comparison{{"data"},
                              {0.1, 0.01},
                              {outcome("a", 0.5,
                                       {measurement(10, 1.0, 0.8), measurement(20, 1.0, 0.91),
                                        measurement(30, 1.0, 0.95)})},
                              {}};
  const std::string table = to_table(comparison);
  EXPECT_EQ(row(table, "to a gap of 10 %", "a"), (Words{"a", "20.0", "2,000", "140", "10.00"}));
  EXPECT_EQ(row(table, "to a gap of 1 %", "a"), (Words{"a", "-", "-", "-", "-"}));
  EXPECT_EQ(row(table, "to the end", "a"), (Words{"a", "30.0", "3,000", "210", "15.00"}));
  EXPECT_EQ(row(table, "result", "a"), (Words{"a", "max_passes", "0.5", "1", "0.95", "5", "%"}));
  EXPECT_EQ(table.find('*'), std::string::npos);
}

TEST(CompareTable, MeasuresRunsWithoutCertificateAgainstTheBestDualOfTheirObjective) {
  Outcome kernel = outcome("kernel", 0.5, {measurement(10, 0.95, 0.94)});
  kernel.objective = "kernel=rbf";
  const Comparison comparison{
      {},
      {0.1},
      {outcome("exact", 0.5, {measurement(10, 1.0, 0.9)}),
       outcome("guess", 0.5, {measurement(10, 1.2, 0.0, false), measurement(20, 0.95, 0.0, false)}),
       outcome("other", 0.25, {measurement(10, 0.95, 0.0, false)}), kernel},
      {}};
  const std::string table = to_table(comparison);
  EXPECT_EQ(row(table, "to a gap of 10 %", "guess"),
            (Words{"guess", "*", "20.0", "2,000", "140", "10.00"}));
  EXPECT_EQ(row(table, "to a gap of 10 %", "other"), (Words{"other", "*", "-", "-", "-", "-"}));
  EXPECT_EQ(row(table, "result", "guess"),
            (Words{"guess", "*", "max_passes", "0.5", "0.95", "0", "5.26", "%"}));
  EXPECT_NE(table.find("* without a certificate of its own"), std::string::npos);
}

TEST(CompareTable, TellsTheFirstTestNearTheLastScoreOfEachRun) {
  Outcome fast = outcome("fast", 0.5, {measurement(30, 1.0, 0.95)});
  fast.figures.test = Metrics{{"loss", 0.2}, {"f1", 0.8, Better::kHigher, true}};
  fast.tests = {{measurement(10, 1.0, 0.8), {{"loss", 0.3}, {"f1", 0.79, Better::kHigher, true}}},
                {measurement(20, 1.0, 0.9), {{"loss", 0.2}, {"f1", 0.793, Better::kHigher, true}}},
                {measurement(30, 1.0, 0.95), {{"loss", 0.2}, {"f1", 0.8, Better::kHigher, true}}}};
  Outcome untested = outcome("untested", 0.5, {measurement(30, 1.0, 0.95)});
  untested.figures.test = Metrics{{"loss", 0.3}, {"f1", 0.7, Better::kHigher, true}};
  const std::string table = to_table({{}, {}, {fast, untested}, {"late"}});
  const std::string title = "to 99 % of its own last test f1";
  EXPECT_EQ(row(table, title, "fast"), (Words{"fast", "20.0", "2,000", "140", "10.00"}));
  EXPECT_EQ(row(table, title, "untested"), (Words{"untested", "-", "-", "-", "-"}));
  EXPECT_EQ(row(table, "result", "result"),
            (Words{"result", "status", "lambda", "primal", "dual", "gap", "test", "f1", "loss"}));
  EXPECT_EQ(row(table, "result", "fast"),
            (Words{"fast", "max_passes", "0.5", "1", "0.95", "5", "%", "0.8000", "0.2000"}));
  EXPECT_EQ(row(table, "result", "late"),
            (Words{"late", "not", "run", "-", "-", "-", "-", "-", "-"}));
}

TEST(CompareTable, HasNoScoreBlockWithoutTestsOnTheWay) {
  Outcome run = outcome("run", 0.5, {measurement(30, 1.0, 0.95)});
  run.figures.test = Metrics{{"accuracy", 0.8}};
  const std::string table = to_table({{}, {}, {run}, {}});
  EXPECT_EQ(table.find("99 %"), std::string::npos);
  EXPECT_NE(table.find("test accuracy"), std::string::npos);
}

TEST(CompareTable, KeepsRunsThatFailedAndThoseThatWereNotRun) {
  Outcome broken;
  broken.label = "broken";
  broken.figures.progress.n = 100;
  broken.error = "out of luck";
  const Comparison comparison{
      {}, {0.1}, {outcome("a", 0.5, {measurement(10, 1.0, 0.95)}), broken}, {"late"}};
  const std::string table = to_table(comparison);
  EXPECT_EQ(row(table, "result", "broken").at(1), "failed");
  EXPECT_NE(table.find("broken failed: out of luck"), std::string::npos);
  EXPECT_EQ(row(table, "result", "late").at(1), "not");

  const auto json = nlohmann::json::parse(to_json(comparison));
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["label"], "a");
  EXPECT_EQ(json[0]["status"], "max_passes");
  EXPECT_FALSE(json[0].contains("error"));
  EXPECT_EQ(json[1]["status"], "failed");
  EXPECT_EQ(json[1]["error"], "out of luck");
}

TEST(CompareTable, IsAnEmptyArrayWithoutRuns) {
  EXPECT_EQ(nlohmann::json::parse(to_json(Comparison{})), nlohmann::json::array());
}

}  // namespace
}  // namespace gapwise::internal::cli
