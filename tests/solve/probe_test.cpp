#include "solve/frank_wolfe/probe.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "solve/frank_wolfe/round_choice.h"
#include "solve/huge_pages.h"

namespace gapwise::internal {
namespace {

/// A point in one dimension that can be put anywhere.
class Slider {
 public:
  explicit Slider(NonnegativeSet nonnegative = {}) : point_(1, 1, 1.0, std::move(nonnegative)) {}
  const DualPoint& at(double v) {
    const std::vector<double> change{v - point_.v()[0]};
    point_.shift(change, 0.0);
    return point_;
  }

 private:
  DualPoint point_;
};

TEST(Probe, AsksAtTheAverageInWhichLateIteratesWeighMore) {
  Slider slider;
  Probe probe;
  double sum = 0.0;
  double weights = 0.0;
  for (int k = 1; k <= 7; ++k) {
    probe.add(slider.at(k % 3));
    sum += k * k * k * (k % 3);
    weights += k * k * k;
  }
  probe.choose(slider.at(5.0), 1);
  EXPECT_NEAR(probe.at()[0], sum / weights, 1e-12);
}

TEST(Probe, AsksAtTheIterateWhileThereIsNoAverage) {
  Slider slider;
  Probe probe;
  probe.choose(slider.at(5.0), 1);
  EXPECT_EQ(probe.at()[0], 5.0);
}

TEST(Probe, PrefersThePointThatWasBetterAndTriesTheOtherNowAndThen) {
  Slider slider;
  Probe probe;
  probe.add(slider.at(1.0));
  const DualPoint& point = slider.at(3.0);
  int iterates = 0;
  for (Index round = 1; round <= 20; ++round) {
    probe.choose(point, round);
    const bool is_iterate = probe.at()[0] == 3.0;
    iterates += is_iterate ? 1 : 0;
    probe.record(is_iterate ? 0.5 : 0.7, true);
  }
  EXPECT_GT(iterates, 12);
  EXPECT_LT(iterates, 20);
}

TEST(Probe, ReturnsTheBestPointItHasSeen) {
  Slider slider;
  Probe probe;
  EXPECT_FALSE(probe.has_answer());
  for (const auto& [w, primal] : {std::pair{1.0, 0.9}, {2.0, 0.4}, {3.0, 0.6}}) {
    probe.choose(slider.at(w), 1);
    probe.record(primal, true);
  }
  EXPECT_EQ(probe.primal(), 0.4);
  EXPECT_EQ(probe.w()[0], 2.0);
}

TEST(Probe, TakesABoundForBetterThanAnEstimate) {
  Slider slider;
  Probe probe;
  for (const auto& [w, primal, is_bound] :
       {std::tuple{1.0, 0.1, false}, {2.0, 0.9, true}, {3.0, 0.2, false}}) {
    probe.choose(slider.at(w), 1);
    probe.record(primal, is_bound);
  }
  EXPECT_TRUE(probe.is_bound());
  EXPECT_EQ(probe.w()[0], 2.0);
}

TEST(RoundChoice, StartsExactThenProbesUnlessThatGainedMuchLess) {
  RoundChoice rounds;
  Mark now;
  const auto play = [&](double gain) {
    const Round kind = rounds.next();
    rounds.begin(kind, now);
    now.cost += 1.0;
    now.dual += gain;
    rounds.end(now);
    return kind;
  };
  for (int k = 0; k < 3; ++k) EXPECT_EQ(play(1.0), Round::kExact);
  EXPECT_EQ(play(0.5), Round::kProbe) << "never seen before";
  EXPECT_EQ(play(0.2), Round::kProbe);
  EXPECT_EQ(play(0.3), Round::kExact) << "which gained 1 when last seen";
  EXPECT_EQ(play(0.2), Round::kProbe);
  EXPECT_EQ(play(0.2), Round::kProbe);
}

TEST(HugePages, HoldVectorsOfAnySize) {
  for (const std::size_t size : {1U, 1000U, 3U << 18, (1U << 20) + 1}) {
    WeightVector v(size, 1.5);
    EXPECT_EQ(std::count(v.begin(), v.end(), 1.5), static_cast<std::ptrdiff_t>(size));
    WeightVector copy = v;
    copy.push_back(2.0);
    EXPECT_EQ(copy.size(), size + 1);
  }
}

}  // namespace
}  // namespace gapwise::internal
