#include "io/svmlight.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "core/random.h"
#include "support/reading.h"

namespace gapwise::internal {
namespace {

struct Example {
  std::string label;
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  friend bool operator==(const Example&, const Example&) = default;
};

std::vector<Example> read(const std::string& bytes) {
  ScratchFolder folder;
  write_file(folder.path("data"), bytes);
  LineReader lines(folder.path("data"));
  SvmlightReader reader(lines);
  SvmlightExample example;
  std::vector<Example> all;
  while (reader.read(example)) {
    all.push_back({std::string(example.label), example.indices, example.values});
  }
  return all;
}

std::string complaint(const std::string& bytes) {
  const std::string message = message_of([&] { read(bytes); });
  return message.substr(std::min(message.size(), message.find("data:")));
}

TEST(Svmlight, ReadsLabelsAndFeatures) {
  const std::vector<Example> expected{
      {"+1", {1, 3}, {0.5, -2e-3}}, {"b", {}, {}}, {"-1", {7}, {1}}};
  const std::string text = "+1 1:0.5 3:-2e-3\nb\n-1\t7:1  \n";
  EXPECT_EQ(read(text), expected);
  EXPECT_EQ(read(gzip(text)), expected);
}

TEST(Svmlight, SkipsBlankLinesAndComments) {
  const std::vector<Example> expected{{"1", {1}, {2}}, {"2", {}, {}}};
  EXPECT_EQ(read("# head\n\n1 1:2 # the first: 3\r\n  \n2#x\n"), expected);
}

TEST(Svmlight, LeavesOutZerosButNotTheirOrder) {
  EXPECT_EQ(read("1 1:0 2:1 3:-0.0 4:1e-400\n"), (std::vector<Example>{{"1", {2}, {1}}}));
  EXPECT_EQ(complaint("1 2:0 1:1\n"),
            "data:1: index 1 comes after 2; sort the features of each line by index");
}

TEST(Svmlight, LeavesTheLabelEmptyWhereThereIsNone) {
  EXPECT_EQ(read("2:1\n"), (std::vector<Example>{{"", {2}, {1}}}));
}

TEST(Svmlight, ReadsTheLargestIndex) {
  EXPECT_EQ(read("1 2147483647:1\n")[0].indices, (std::vector<std::uint32_t>{2147483647}));
}

TEST(Svmlight, RefusesIndicesOutOfRange) {
  for (const char* index : {"0", "-1", "2147483648", "99999999999999999999"}) {
    EXPECT_EQ(complaint(std::string("1 1:1\n1 ") + index + ":1\n"),
              std::string("data:2: index ") + index +
                  " is not between 1 and 2147483647; number the features from 1");
  }
}

TEST(Svmlight, RefusesIndicesThatAreNoWholeNumbers) {
  for (const char* index : {"", "x", "1.5", "1e3", "+1", "0x1"}) {
    EXPECT_EQ(complaint(std::string("1 ") + index + ":1\n"),
              std::string("data:1: index '") + index + "' of '" + index +
                  ":1' is not a whole number; expected 'label index:value ...'");
  }
}

TEST(Svmlight, RefusesUnsortedAndDoubleIndices) {
  EXPECT_EQ(complaint("1 1:1\n1 3:1 2:1\n"),
            "data:2: index 2 comes after 3; sort the features of each line by index");
  EXPECT_EQ(complaint("1 3:1 3:1\n"), "data:1: index 3 comes twice; leave one of the two out");
}

TEST(Svmlight, RefusesValuesThatAreNoFiniteNumbers) {
  for (const char* value : {"nan", "inf", "-inf", "1e400", "1e101"}) {
    EXPECT_EQ(complaint(std::string("1 1:") + value + "\n"),
              std::string("data:1: value '") + value +
                  "' of index 1 must be finite and at most 1e+100 in size; correct or rescale it");
  }
  for (const char* value : {"", "abc", "1x", "1:2", "0x10"}) {
    EXPECT_EQ(complaint(std::string("1 1:") + value + "\n"),
              std::string("data:1: value '") + value +
                  "' of index 1 is not a number; expected 'label index:value ...'");
  }
}

TEST(Svmlight, RefusesFieldsWithoutColonAndQueryIds) {
  EXPECT_EQ(complaint("1 2\n"), "data:1: '2' has no colon; expected 'label index:value ...'");
  EXPECT_EQ(complaint("1 qid:3 1:1\n"),
            "data:1: 'qid:3' groups the lines of a ranking, which is not learned here; take it out "
            "of every line");
}

TEST(Svmlight, TakesTheDoubleThatIsNearestToADecimal) {
  Rng rng(1);
  std::string line = "1";
  std::vector<double> expected;
  for (int k = 1; k <= 5000; ++k) {
    std::string text = rng.below(2) == 0 ? "-" : "";
    const std::size_t digits = static_cast<std::size_t>(rng.below(18)) + 1;
    const auto point = static_cast<std::size_t>(rng.below(20));
    for (std::size_t d = 0; d < digits; ++d) {
      if (d == point) text += '.';
      text += static_cast<char>('0' + rng.below(10));
    }
    text += "5";
    line += " " + std::to_string(k) + ":" + text;
    expected.push_back(std::strtod(text.c_str(), nullptr));
  }
  const std::vector<Example> found = read(line + "\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].values, expected);
}

}  // namespace
}  // namespace gapwise::internal
