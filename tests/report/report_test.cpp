#include "report/report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "core/random.h"
#include "gapwise/errors.h"
#include "report/assets.h"
#include "report/band.h"
#include "report/chart.h"
#include "report/gap_histogram.h"
#include "report/html.h"
#include "support/scratch_folder.h"

namespace gapwise::internal {
namespace {

std::string line(double calls, const std::string& rest) {
  return fmt::format(
      R"({{"task":"sequence","solver":"bcfw","objective":"l1","lambda":0.1,"n":10,"dimension":5,)"
      R"("status":null,"passes":1,"effective_passes":{},"oracle_calls":{},{}}})",
      calls / 10.0, calls, rest);
}

std::string measured(double calls, double primal, double dual) {
  return line(calls,
              fmt::format(R"("seconds":0.5,"primal":{},"dual":{},"gap":{},"relative_gap":{},)"
                          R"("certified":true,"test":null)",
                          primal, dual, primal - dual, (primal - dual) / primal));
}

using Runs = std::vector<gapwise::internal::Run>;

Run run_of(const std::string& label, const std::vector<std::string>& lines) {
  return parse_run(lines, label, label);
}

TEST(Band, HoldsTheLastValueOfEveryRunAsBruteForceDoes) {
  Rng rng(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<Steps> runs(1 + static_cast<std::size_t>(rng.below(5)));
    for (Steps& run : runs) {
      double x = 0.0;
      const auto count = 1 + rng.below(6);
      for (Index k = 0; k < static_cast<Index>(count); ++k) {
        x += 1.0 + static_cast<double>(rng.below(3));
        run.emplace_back(x, static_cast<double>(rng.below(100)));
      }
    }
    const Band band = band_of(runs);
    ASSERT_FALSE(band.is_empty());
    for (std::size_t k = 0; k < band.x.size(); ++k) {
      std::vector<double> values;
      for (const Steps& run : runs) {
        ASSERT_LE(run.front().first, band.x[k]);
        double last = 0.0;
        for (const auto& [x, y] : run) {
          if (x <= band.x[k]) last = y;
        }
        values.push_back(last);
      }
      std::sort(values.begin(), values.end());
      EXPECT_EQ(band.low[k], values.front());
      EXPECT_EQ(band.high[k], values.back());
      const std::size_t half = values.size() / 2;
      const double median =
          values.size() % 2 == 1 ? values[half] : (values[half] + values[half - 1]) / 2.0;
      EXPECT_EQ(band.middle[k], median);
    }
    EXPECT_TRUE(std::is_sorted(band.x.begin(), band.x.end()));
  }
}

TEST(Chart, MarksAreRoundAndInside) {
  EXPECT_EQ(ticks_of(0.0, 10.0, false, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  for (const double tick : ticks_of(0.003, 250.0, true, 6)) {
    EXPECT_GE(tick, 0.002);
    EXPECT_LE(tick, 251.0);
    EXPECT_NEAR(std::log10(tick), std::round(std::log10(tick)), 1e-9);
  }
  EXPECT_GE(ticks_of(1.0, 4.0, true, 6).size(), 2u);
}

TEST(GapHistogram, CountsEveryExampleOnce) {
  Rng rng(3);
  for (int round = 0; round < 100; ++round) {
    std::vector<double> gaps(1 + static_cast<std::size_t>(rng.below(50)));
    double sum = 0.0;
    for (double& gap : gaps) {
      gap = rng.below(4) == 0 ? 0.0 : std::pow(10.0, -12.0 * rng.uniform());
      sum += gap;
    }
    const GapHistogram histogram = histogram_of(gaps);
    ASSERT_LE(histogram.bins.size(), kMostGapBins);
    Index count = histogram.closed;
    for (const GapBin& bin : histogram.bins) {
      const auto is_inside = [&](double gap) { return gap >= bin.from && gap < bin.to; };
      double inside = 0.0;
      for (const double gap : gaps) inside += is_inside(gap) ? gap : 0.0;
      EXPECT_EQ(bin.examples, std::count_if(gaps.begin(), gaps.end(), is_inside));
      EXPECT_NEAR(bin.share, inside / sum, 1e-12);
      count += bin.examples;
    }
    EXPECT_EQ(count, std::ssize(gaps));
  }
  EXPECT_EQ(histogram_of(std::vector<double>{0.0, 0.0}).closed, 2);
  EXPECT_TRUE(histogram_of(std::vector<double>{0.0, 0.0}).bins.empty());
}

TEST(Html, EscapesWhatMeansSomethingAndReplacesWhatIsNoText) {
  EXPECT_EQ(escaped("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
  EXPECT_EQ(escaped("\x01"
                    "a\xff"),
            "&#xFFFD;a&#xFFFD;");
  EXPECT_EQ(escaped("\xc3\xa9"), "\xc3\xa9");
  EXPECT_EQ(base64("Man"), "TWFu");
  EXPECT_EQ(base64("Ma"), "TWE=");
  EXPECT_EQ(base64("M"), "TQ==");
  EXPECT_EQ(from_hex("4d616e"), "Man");
  EXPECT_EQ(show_whole(1234567.0), "1,234,567");
}

TEST(TracedRuns, AreOneGroupIfOnlyTheSeedDiffers) {
  const std::vector<std::string> lines{measured(10, 2.0, 1.0)};
  const Runs runs{run_of("bcfw+seed=1", lines), run_of("auto", lines),
                  run_of("bcfw+seed=12", lines), run_of("bcfw-seed3", lines)};
  const auto groups = group_runs(runs);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].name, "bcfw");
  EXPECT_EQ(groups[0].runs.size(), 3u);
  EXPECT_EQ(groups[1].name, "auto");
}

TEST(TracedRuns, WithoutACertificateAreMeasuredAgainstTheBestDual) {
  const Runs runs{run_of("a", {measured(10, 2.0, 1.0), measured(20, 1.6, 1.5)}),
                  run_of("b", {line(10, R"("primal":3.0,"dual":null,"certified":false)")})};
  const double best = best_dual(runs, runs[1]);
  EXPECT_EQ(best, 1.5);
  EXPECT_EQ(shown_gap(runs[1].moments[0], best), 0.5);
  EXPECT_EQ(shown_gap(runs[0].moments[0], best), 0.5);
  EXPECT_TRUE(lacks_certificate(runs[1]));
  EXPECT_FALSE(lacks_certificate(runs[0]));
}

TEST(TracedRuns, ThatAreNoneAreRefusedWithTheirPlace) {
  const ScratchFolder folder;
  const auto refusal = [&](const std::string& text) {
    const std::string path = folder.path("x.jsonl");
    std::ofstream(path) << text;
    RunSet set;
    try {
      read_runs(path, set);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(refusal(measured(10, 2.0, 1.0) + "\n{\"a\":1}\n").find("x.jsonl:2: "),
            std::string::npos);
  EXPECT_NE(refusal("{\"solver\":").find("x.jsonl:1: "), std::string::npos);
  EXPECT_NE(refusal("some text\n").find("neither a trace"), std::string::npos);
  EXPECT_NE(refusal("").find("neither a trace"), std::string::npos);
  RunSet set;
  EXPECT_THROW(read_runs(folder.root().string(), set), InputError);
  EXPECT_THROW(read_runs(folder.path("nowhere"), set), InputError);
}

/// Whatever bytes change in a trace: it is refused, or a page comes of it.
TEST(TracedRuns, WithChangedBytesAreRefusedOrHarmless) {
  Rng rng(9);
  const std::string good = measured(10, 2.0, 1.0);
  const std::string_view signs = "0123456789.eE+-\"{}[],:tfn \\\x01\xff";
  int accepted = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = good;
    const Index changes = 1 + rng.below(4);
    for (Index k = 0; k < changes; ++k) {
      text[static_cast<std::size_t>(rng.below(std::ssize(text)))] =
          signs[static_cast<std::size_t>(rng.below(std::ssize(signs)))];
    }
    ReportInput input;
    try {
      input.set.runs = {run_of("a", {good, text})};
    } catch (const InputError&) {
      continue;
    }
    ++accepted;
    EXPECT_FALSE(to_html(input).empty());
    EXPECT_FALSE(to_csv(input.set.runs).empty());
  }
  EXPECT_GT(accepted, 100);
}

TEST(TracedRuns, WithNumbersOfAnySizeMakeAPage) {
  for (const char* primal : {"1e308", "-1e308", "1e-308", "1e16", "0"}) {
    ReportInput input;
    const std::string rest = fmt::format(
        R"("seconds":1e300,"primal":{},"dual":-1e300,"relative_gap":1e-300,"certified":1,"n":1e300)",
        primal);
    input.set.runs = {run_of("a", {line(1e16, rest), line(1e16 + 2, rest)})};
    EXPECT_FALSE(to_html(input).empty()) << primal;
  }
}

TEST(Csv, HasALineForEachMeasurementAndQuotesWhatNeedsIt) {
  const Runs runs{run_of("a,\"b\"", {measured(10, 2.0, 1.0), line(20, R"("test":{"f1":0.25})")})};
  const std::string text = to_csv(runs);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  EXPECT_NE(text.find("\"a,\"\"b\"\"\","), std::string::npos);
  EXPECT_NE(text.find(",test_f1\n"), std::string::npos);
  EXPECT_NE(text.find(",0.25\n"), std::string::npos);
}

TEST(Page, AsksForNothingAndHoldsEveryNumber) {
  ReportInput input;
  input.title = "a <b> page";
  input.set.runs = {run_of("bcfw", {measured(10, 2.0, 1.0), measured(20, 1.75, 1.625)})};
  const std::string page = to_html(input);
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_NE(page.find("a &lt;b&gt; page"), std::string::npos);
  for (const char* text : {"<svg", "1.75", "1.625", "7.14286"}) {
    EXPECT_NE(page.find(text), std::string::npos) << text;
  }
  for (const char* text : {" src=\"http", "<link", "@import", "url("}) {
    EXPECT_EQ(page.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(page.find("http-equiv=\"refresh\""), std::string::npos);
  input.reload_seconds = 5.0;
  EXPECT_NE(to_html(input).find("http-equiv=\"refresh\" content=\"5\""), std::string::npos);
  EXPECT_EQ(assets().script.is_there(), page.find("<script>") != std::string::npos);
}

TEST(Page, ShowsWhereTheGapLies) {
  const auto page_of = [&](const std::string& gaps) {
    ReportInput input;
    input.set.runs = {
        run_of("bcfw", {line(10, R"("primal":2.0,"dual":1.0,"block_gaps":)" + gaps)})};
    return to_html(input);
  };
  const std::string page =
      page_of(R"({"closed":3,"bins":[{"from":0.01,"to":0.0316,"examples":5,"share":0.25},)"
              R"({"from":0.0316,"to":0.1,"examples":2,"share":0.75}]})");
  EXPECT_NE(page.find("3 of 10 examples have no gap"), std::string::npos);
  EXPECT_NE(page.find("<td>5<td>25 %"), std::string::npos) << page;
  for (const char* gaps : {"7", "{}", R"({"bins":3})", R"({"bins":[4]})",
                           R"({"bins":[{"from":-1,"to":2}]})", R"({"bins":[{"from":2,"to":1}]})"}) {
    EXPECT_EQ(page_of(gaps).find("block-gaps"), std::string::npos) << gaps;
  }
}

TEST(Page, OfALongTraceStaysSmall) {
  ReportInput input;
  std::vector<std::string> lines;
  for (int k = 1; k <= 20000; ++k) lines.push_back(measured(10.0 * k, 1.0 + 1.0 / k, 1.0));
  for (int seed = 1; seed <= 8; ++seed) {
    input.set.runs.push_back(run_of(fmt::format("bcfw+seed={}", seed), lines));
  }
  const std::string page = to_html(input);
  EXPECT_LT(page.size(), 500'000u);
  EXPECT_NE(page.find("500 of 20000 measurements"), std::string::npos);
}

}  // namespace
}  // namespace gapwise::internal
