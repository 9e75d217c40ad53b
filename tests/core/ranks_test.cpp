#include "core/ranks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <new>

#include "core/stop.h"
#include "gapwise/errors.h"
#include "support/thread_ranks.h"

namespace gapwise::internal {
namespace {

using testing::message_of;
using testing::ThreadRanks;

TEST(Ranks, HearWhatAllOthersSay) {
  const auto thrown = ThreadRanks(3).run([](Ranks& ranks) {
    const std::string mine(static_cast<std::size_t>(1000 * ranks.rank()), 'a');
    const auto said = ranks.meet(Meeting::kStep, mine);
    for (std::size_t r = 0; r < 3; ++r) EXPECT_EQ(said[r].size(), 1000 * r);
    EXPECT_EQ(ranks.share(Meeting::kVerdict, ranks.leads() ? "yes" : "no"), "yes");
    EXPECT_EQ(ranks.find_other(Meeting::kData, ranks.rank() == 2 ? "x" : "y"), 2);
    EXPECT_EQ(ranks.find_other(Meeting::kData, "y"), 0);
  });
  for (const auto& one : thrown) EXPECT_EQ(message_of(one), "");
}

TEST(Ranks, AllEndWithTheFailureOfOne) {
  const auto thrown = ThreadRanks(3).run([](Ranks& ranks) {
    ranks.meet(Meeting::kStep, {});
    if (ranks.rank() == 1) throw InputError("data.txt:3: no label");
    ranks.meet(Meeting::kStep, {});
    FAIL() << "rank 1 never came here";
  });
  EXPECT_EQ(message_of(thrown[0]), "rank 1: data.txt:3: no label");
  EXPECT_EQ(message_of(thrown[1]), "data.txt:3: no label");
  EXPECT_EQ(message_of(thrown[2]), "rank 1: data.txt:3: no label");
  EXPECT_THROW(std::rethrow_exception(thrown[0]), InputError);
}

TEST(Ranks, AFailureIsHeardByThoseWhoWaitForWork) {
  const auto thrown = ThreadRanks(3).run([](Ranks& ranks) {
    if (ranks.leads()) throw std::bad_alloc();
    while (!ranks.take().is_empty()) continue;
    ranks.meet(Meeting::kWork, {});
  });
  EXPECT_EQ(message_of(thrown[2]), "out of memory");
}

TEST(Ranks, AllMayFailAtOnce) {
  const auto thrown =
      ThreadRanks(2).run([](Ranks& ranks) { throw OptionError(ranks.name(ranks.rank())); });
  EXPECT_EQ(message_of(thrown[0]), "rank 0");
  EXPECT_EQ(message_of(thrown[1]), "rank 1");
}

TEST(Ranks, DifferentMeetingsAreAnErrorAndNoHang) {
  const auto thrown = ThreadRanks(2).run(
      [](Ranks& ranks) { ranks.meet(ranks.leads() ? Meeting::kStep : Meeting::kWork, {}); });
  EXPECT_NE(message_of(thrown[0]).find("rank 1 has gone another way"), std::string::npos);
  EXPECT_NE(message_of(thrown[1]).find("rank 1 has gone another way"), std::string::npos);
}

TEST(Ranks, AllGiveUpWhenRankZeroDoes) {
  std::atomic<int> gave_up = 0;
  const auto thrown = ThreadRanks(3).run([&](Ranks& ranks) {
    for (const bool by_itself : {true, false}) {
      try {
        if (ranks.leads() && by_itself) throw GivenUp();
        if (ranks.leads()) ranks.give_up_work();
        ranks.meet(by_itself ? Meeting::kStep : Meeting::kWork, {});
      } catch (const GivenUp&) {
        ranks.settle_given_up();
        ++gave_up;
      }
    }
    ranks.meet(Meeting::kStep, {});
  });
  EXPECT_EQ(gave_up, 6);
  for (const auto& one : thrown) EXPECT_EQ(message_of(one), "");
}

TEST(Ranks, EveryItemIsTakenOnce) {
  constexpr Index kItems = 1000;
  std::vector<std::atomic<int>> taken(kItems);
  ThreadRanks(4).run([&](Ranks& ranks) {
    for (int round = 0; round < 20; ++round) {
      ranks.open(kItems, 1 + round, 1);
      for (auto range = ranks.take(); !range.is_empty(); range = ranks.take()) {
        for (Index k = range.begin; k < range.end; ++k) ++taken[static_cast<std::size_t>(k)];
      }
      ranks.meet(Meeting::kWork, {});
    }
  });
  EXPECT_TRUE(std::all_of(taken.begin(), taken.end(), [](const auto& n) { return n == 20; }));
}

}  // namespace
}  // namespace gapwise::internal
