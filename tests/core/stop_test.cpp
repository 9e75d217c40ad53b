#include "core/stop.h"

#include <gtest/gtest.h>

#include "core/parallel.h"

namespace gapwise::internal {
namespace {

bool gives_up() {
  try {
    give_up_if_asked();
  } catch (const GivenUp&) {
    return true;
  }
  return false;
}

TEST(Stop, WithoutAScopeNothingIsGivenUp) {
  EXPECT_FALSE(gives_up());
}

TEST(Stop, AFlagIsSeenAsSoonAsTheEarliestTimeHasCome) {
  std::atomic<bool> flag{false};
  StopCondition condition{.flag = &flag};
  const StopScope scope(&condition);
  EXPECT_FALSE(gives_up());
  flag = true;
  EXPECT_TRUE(gives_up());
  condition.earliest = seconds_from_now(100.0);
  EXPECT_FALSE(gives_up());
}

TEST(Stop, ADeadlineIsSeenWithoutAFlag) {
  StopCondition condition{.deadline = seconds_from_now(100.0)};
  const StopScope scope(&condition);
  EXPECT_FALSE(gives_up());
  condition.deadline = seconds_from_now(-1.0);
  EXPECT_TRUE(gives_up());
  condition.deadline = seconds_from_now(1e300);
  EXPECT_FALSE(gives_up());
}

TEST(Stop, TheInnermostScopeCounts) {
  const StopCondition over{.deadline = seconds_from_now(-1.0)};
  const StopScope outer(&over);
  {
    const StopScope inner(nullptr);
    EXPECT_FALSE(gives_up());
  }
  EXPECT_TRUE(gives_up());
}

TEST(Stop, ThreadsWorkUnderTheConditionOfTheirCaller) {
  const StopCondition over{.deadline = seconds_from_now(-1.0)};
  for (const int count : {1, 2}) {
    const Threads threads(count);
    const auto work = [](Index, Index, int) { give_up_if_asked(); };
    EXPECT_NO_THROW(threads.run(100, work));
    const StopScope scope(&over);
    EXPECT_THROW(threads.run(100, work), GivenUp);
  }
}

TEST(Stop, APollLooksWhenMuchWorkIsDone) {
  const StopCondition over{.deadline = seconds_from_now(-1.0)};
  const StopScope scope(&over);
  StopPoll poll;
  EXPECT_NO_THROW(poll.spend(1000));
  EXPECT_THROW(poll.spend(std::size_t{1} << 30), GivenUp);
}

}  // namespace
}  // namespace gapwise::internal
