#include "io/alphabet.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace gapwise::internal {
namespace {

TEST(Alphabet, NumbersNamesByFirstAppearance) {
  Alphabet alphabet;
  EXPECT_EQ(alphabet.find("a"), Alphabet::kUnknown);
  EXPECT_EQ(alphabet.add("b"), 0U);
  EXPECT_EQ(alphabet.add("a"), 1U);
  EXPECT_EQ(alphabet.add("b"), 0U);
  EXPECT_EQ(alphabet.find("a"), 1U);
  EXPECT_EQ(alphabet.find("c"), Alphabet::kUnknown);
  EXPECT_EQ(alphabet.names(), (std::vector<std::string>{"b", "a"}));
}

TEST(Alphabet, TakesAnyBytesAndTheEmptyName) {
  Alphabet alphabet;
  const std::string odd("\0\xff\n", 3);
  EXPECT_EQ(alphabet.add(""), 0U);
  EXPECT_EQ(alphabet.add(odd), 1U);
  EXPECT_EQ(alphabet.find(odd), 1U);
  EXPECT_EQ(alphabet.find(""), 0U);
  EXPECT_EQ(alphabet.name(1), odd);
}

TEST(Alphabet, AgreesWithAMapOnManyNames) {
  Alphabet alphabet;
  std::map<std::string, std::uint32_t> expected;
  for (int k = 0; k < 200'000; ++k) {
    const std::string name = fmt::format("name{}", (k * 7919L) % 60'000);
    const auto [found, is_new] =
        expected.emplace(name, static_cast<std::uint32_t>(expected.size()));
    ASSERT_EQ(alphabet.add(name), found->second) << name;
  }
  EXPECT_EQ(alphabet.size(), expected.size());
  for (const auto& [name, id] : expected) ASSERT_EQ(alphabet.find(name), id);
}

TEST(Alphabet, HashedKeepsOnlyBucketsThatOccur) {
  Alphabet alphabet(4);
  std::set<std::uint32_t> ids;
  for (int k = 0; k < 1000; ++k) ids.insert(alphabet.add(fmt::format("n{}", k)));
  EXPECT_EQ(alphabet.size(), 16U);
  EXPECT_EQ(ids.size(), 16U);
  EXPECT_TRUE(alphabet.names().empty());
  for (const std::int64_t bucket : alphabet.buckets()) EXPECT_LT(bucket, 16);
  Alphabet sparse(30);
  sparse.add("a");
  EXPECT_EQ(sparse.size(), 1U);
  EXPECT_EQ(sparse.display_name(0), fmt::format("bucket {}", sparse.buckets()[0]));
}

TEST(Alphabet, ComesBackFromNamesAndBuckets) {
  Alphabet names;
  Alphabet hashed(20);
  for (const char* name : {"x", "y", "z"}) {
    names.add(name);
    hashed.add(name);
  }
  const Alphabet names_again = Alphabet::from_names(names.names());
  const Alphabet hashed_again = Alphabet::from_buckets(20, hashed.buckets());
  for (const char* name : {"x", "y", "z", "none"}) {
    EXPECT_EQ(names_again.find(name), names.find(name));
    EXPECT_EQ(hashed_again.find(name), hashed.find(name));
  }
}

TEST(Alphabet, SelectsAndRenumbers) {
  for (const int bits : {0, 30}) {
    Alphabet alphabet(bits);
    for (const char* name : {"x", "y", "z"}) alphabet.add(name);
    const Alphabet chosen = alphabet.select(std::vector<std::uint32_t>{2, 0});
    EXPECT_EQ(chosen.find("z"), 0U);
    EXPECT_EQ(chosen.find("x"), 1U);
    EXPECT_EQ(chosen.find("y"), Alphabet::kUnknown);
  }
}

}  // namespace
}  // namespace gapwise::internal
