// Splits of examples into parts, at random, by example or by group.

#include "app/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "gapwise/errors.h"

namespace gapwise::internal {
namespace {

TEST(Split, GivesPartsOfEqualSizesThatFollowFromTheSeed) {
  const SplitPlan plan{23, {1.0, 1.0, 1.0}, {}, 5};
  const std::vector<Index> parts = split(plan);
  EXPECT_EQ(parts, split(plan));
  EXPECT_NE(parts, split({23, {1.0, 1.0, 1.0}, {}, 6}));
  std::map<Index, int> sizes;
  for (const Index part : parts) ++sizes[part];
  ASSERT_EQ(sizes.size(), 3U);
  for (const auto& [part, size] : sizes) EXPECT_TRUE(size == 7 || size == 8) << part;
}

TEST(Split, FollowsTheShares) {
  const std::vector<Index> parts = split({100, {0.2, 0.8}, {}, 1});
  EXPECT_EQ(examples_in(parts, 0).size(), 20U);
  EXPECT_EQ(examples_outside(parts, 0).size(), 80U);
}

TEST(Split, NeverTearsAGroupApart) {
  SplitPlan plan{40, {1.0, 1.0, 1.0, 1.0}, {}, 2};
  for (int i = 0; i < 40; ++i) plan.groups.push_back("patient " + std::to_string(i % 9));
  const std::vector<Index> parts = split(plan);
  std::map<std::string, std::set<Index>> seen;
  for (std::size_t i = 0; i < parts.size(); ++i) seen[plan.groups[i]].insert(parts[i]);
  EXPECT_EQ(seen.size(), 9U);
  for (const auto& [group, its] : seen) EXPECT_EQ(its.size(), 1U) << group;
  for (Index part = 0; part < 4; ++part) EXPECT_FALSE(examples_in(parts, part).empty()) << part;
}

TEST(Split, SaysWhatIsTooFew) {
  EXPECT_THROW(split({2, {1.0, 1.0, 1.0}, {}, 1}), OptionError);
  EXPECT_THROW(split({3, {1.0, 1.0}, {"a", "a", "a"}, 1}), OptionError);
  EXPECT_THROW(split({3, {1.0, 1.0}, {"a", "b"}, 1}), OptionError);
}

}  // namespace
}  // namespace gapwise::internal
