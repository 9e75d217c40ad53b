#include "tasks/sequence/letters.h"

#include <gtest/gtest.h>

#include "io/folds.h"
#include "tasks/sequence/reading.h"

namespace gapwise::internal {
namespace {

constexpr const char* kWords =
    "1 1 0 b 0110\n"
    "1 2 0 a 0000\n"
    "2 1 3 a 1001\n"
    "3 1 1 b 0110\n";

ReadPlan letters(const std::string& folds = "") {
  ReadPlan plan;
  plan.format = "letters";
  plan.folds = folds;
  return plan;
}

TEST(Letters, TurnsPixelsAndABiasIntoAttributes) {
  const ReadResult read = read_text(kWords, letters());
  EXPECT_EQ(read.lengths(), (std::vector<int>{2, 1, 1}));
  EXPECT_EQ(read.attributes(0), (Texts{"p1", "p2", "bias"}));
  EXPECT_EQ(read.attributes(1), (Texts{"bias"}));
  EXPECT_EQ(read.attributes(2), (Texts{"p0", "p3", "bias"}));
  EXPECT_EQ(read.label(0), "b");
  EXPECT_EQ(read.label(2), "a");
}

TEST(Letters, NumbersPixelsInFileOrderWhetherOnOrNot) {
  const ReadResult read = read_text("1 1 0 a 00\n", letters());
  EXPECT_EQ(read.alphabets.nodes.names(), (Texts{"p0", "p1", "bias"}));
}

TEST(Letters, KeepsTheFoldsAskedFor) {
  EXPECT_EQ(read_text(kWords, letters("0")).lengths(), (std::vector<int>{2}));
  EXPECT_EQ(read_text(kWords, letters("1-3")).lengths(), (std::vector<int>{1, 1}));
  EXPECT_EQ(read_text(kWords, letters("0, 2-3")).lengths(), (std::vector<int>{2, 1}));
  EXPECT_EQ(read_text(kWords, letters("7")).lengths(), (std::vector<int>{}));
}

TEST(Letters, RefusesFoldsThatAreNoList) {
  for (const char* folds :
       {"x", "1-", "-1", "3-1", "1,,2", "1,", ",", "1.5", "99999999999999999999"}) {
    EXPECT_NE(message_of<OptionError>([&] { Folds{folds}; }).find("such as 0 or 1-9"),
              std::string::npos)
        << folds;
  }
}

TEST(Letters, TakesAnyTokenAsLabel) {
  const ReadResult read = read_text("w1 1 0 \xff\xfe 1\nw2 1 0 <unk> 0\n", letters());
  EXPECT_EQ(read.label(0), "\xff\xfe");
  EXPECT_EQ(read.label(1), "<unk>");
}

TEST(Letters, ComplainsWithLineAndRemedy) {
  const ExpectComplaint expect{"letters"};
  expect("1 1 0 a\n", "data:1: 4 fields; expected 'word_id position fold letter bits'");
  expect("1 1 0 a 01 x\n", "data:1: 6 fields");
  expect("1 1 0 a 02\n", "data:1: the bits must be 0 and 1 only");
  expect("1 1 0 a 01\n1 2 0 a 011\n", "data:2: 3 bits, but the lines before have 2");
  expect("1 x 0 a 01\n", "data:1: position 'x' is not a whole number");
  expect("1 1 -1 a 01\n", "data:1: fold '-1' is not a whole number");
  expect("1 2 0 a 01\n", "data:1: position 2 of word '1', expected 1");
  expect("1 1 0 a 01\n1 3 0 a 01\n", "data:2: position 3 of word '1', expected 2");
  expect("1 1 0 a 01\n1 1 0 a 01\n", "data:2: position 1 of word '1', expected 2");
  expect("1 1 0 a 01\n2 2 0 a 01\n", "data:2: position 2 of word '2', expected 1");
  expect("1 1 0 a 01\n1 2 1 a 01\n", "data:2: word '1' changes from fold 0 to 1");
}

}  // namespace
}  // namespace gapwise::internal
