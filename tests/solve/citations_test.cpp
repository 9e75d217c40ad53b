#include "solve/citations.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gapwise/train.h"

namespace gapwise::internal {
namespace {

TEST(Citations, EverySolverComesFromSomewhere) {
  for (const SolverInfo& solver : solvers()) {
    const auto keys = citations_of(solver.name);
    ASSERT_FALSE(keys.empty()) << solver.name;
    const std::string name(solver.name);
    const std::string text = bibtex(std::span(&name, 1), false);
    for (const std::string_view key : keys) {
      EXPECT_NE(text.find("{" + std::string(key) + ","), std::string::npos) << key;
    }
    EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
  }
}

TEST(Citations, NamesEachPaperOnce) {
  const std::vector<std::string> names{"bcfw", "fw", "auto", "bcfw"};
  const std::string text = bibtex(names, true);
  for (const char* key : {"{LJSP13,", "{OALDL16,", "{SKL15,", "{gapwise,"}) {
    const std::size_t first = text.find(key);
    ASSERT_NE(first, std::string::npos) << key;
    EXPECT_EQ(text.find(key, first + 1), std::string::npos) << key;
  }
  EXPECT_EQ(text.find("CY13"), std::string::npos);
}

}  // namespace
}  // namespace gapwise::internal
