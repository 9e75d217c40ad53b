#include "tasks/sequence/crfsuite.h"

#include <gtest/gtest.h>

#include "tasks/sequence/reading.h"

namespace gapwise::internal {
namespace {

ReadResult read(const std::string& text) {
  return read_text(text, "crfsuite");
}

TEST(Crfsuite, ReadsLabelsAndAttributes) {
  const ReadResult result = read("A\tx\ty=1\nB\n\n\nA\ty=1\t__BOS__\t@eos\n");
  EXPECT_EQ(result.lengths(), (std::vector<int>{2, 1}));
  EXPECT_EQ(result.attributes(0), (Texts{"x", "y=1"}));
  EXPECT_EQ(result.attributes(1), Texts{});
  EXPECT_EQ(result.attributes(2), (Texts{"y=1", "__BOS__", "@eos"}));
  EXPECT_EQ(result.label(1), "B");
}

TEST(Crfsuite, ReadsValuesFromTheFirstOneOn) {
  EXPECT_EQ(read("A\tx:2.5\ty:1\tz:-1e-3\tu\n").attributes(0),
            (Texts{"x:2.5", "y", "z:-0.001", "u"}));
}

TEST(Crfsuite, ResolvesEscapesInNamesAndLabels) {
  const ReadResult result = read("a\\:b\tx\\:y:2\tp\\\\q\tr\\s\tt\\\n");
  EXPECT_EQ(result.label(0), "a:b");
  EXPECT_EQ(result.attributes(0), (Texts{"x:y:2", "p\\q", "r\\s", "t\\"}));
}

TEST(Crfsuite, SkipsEmptyFieldsAndZeros) {
  EXPECT_EQ(read("A\t\tx:0\ty\t\n").attributes(0), (Texts{"y"}));
}

TEST(Crfsuite, TakesLabelsOfAnyBytes) {
  EXPECT_EQ(read("\xff\xfe\tx\n").label(0), "\xff\xfe");
}

TEST(Crfsuite, RefusesValuesThatAreNoFiniteNumbers) {
  for (const char* value : {"nan", "NaN", "inf", "-inf", "1e400", "-1e400", "1e101"}) {
    const std::string message = complaint(std::string("A\tx\nA\tx:") + value + "\n", "crfsuite");
    EXPECT_NE(message.find("data:2: value '"), std::string::npos) << message;
    EXPECT_NE(message.find("of attribute 'x' must be finite"), std::string::npos) << message;
  }
  for (const char* value : {"", "abc", "1x", "1:2", "0x10", " 1"}) {
    const std::string message = complaint(std::string("A\tx:") + value + "\n", "crfsuite");
    EXPECT_NE(message.find("data:1: value '"), std::string::npos) << message;
    EXPECT_NE(message.find("is not a number; a colon that belongs to the name is written \\:"),
              std::string::npos)
        << message;
  }
  EXPECT_EQ(read("A\tx:1e-400\ty\n").attributes(0), (Texts{"y"}));
}

TEST(Crfsuite, ComplainsOfMissingNamesAndLabels) {
  EXPECT_NE(complaint("A\t:1\n", "crfsuite").find("data:1: ':1' has no name"), std::string::npos);
  EXPECT_NE(complaint("\tx\n", "crfsuite").find("data:1: the line has no label"),
            std::string::npos);
  ReadPlan plan;
  plan.format = "crfsuite";
  plan.needs_labels = false;
  EXPECT_EQ(read_text("\tx\n", plan).batch.gold, (std::vector<std::int32_t>{-1}));
}

}  // namespace
}  // namespace gapwise::internal
