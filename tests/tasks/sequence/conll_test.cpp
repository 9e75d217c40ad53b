#include "tasks/sequence/conll.h"

#include <gtest/gtest.h>

#include "tasks/sequence/reading.h"

namespace gapwise::internal {
namespace {

ReadPlan conll(const Texts& lines = {"U:%x[0,0]"}) {
  ReadPlan plan;
  plan.format = "conll";
  plan.templates = Template::parse(lines, "t");
  return plan;
}

TEST(Conll, SeparatesSequencesByBlankLines) {
  const ReadResult read = read_text("\n\na A\nb\t B\n \t\n\nc  A", conll());
  EXPECT_EQ(read.lengths(), (std::vector<int>{2, 1}));
  EXPECT_EQ(read.attributes(1), (Texts{"U:b"}));
  EXPECT_EQ(read.label(1), "B");
  EXPECT_EQ(read.label(2), "A");
}

TEST(Conll, AcceptsWindowsLineEndsAndAByteOrderMark) {
  const ReadResult read = read_text(
      "\xef\xbb\xbf"
      "a A\r\n\r\nb B\r\n",
      conll());
  EXPECT_EQ(read.lengths(), (std::vector<int>{1, 1}));
  EXPECT_EQ(read.attributes(0), (Texts{"U:a"}));
  EXPECT_EQ(read.label(1), "B");
}

TEST(Conll, TreatsDocumentMarksAsOrdinaryTokens) {
  const ReadResult read = read_text("-DOCSTART- O\n\na A\n", conll());
  EXPECT_EQ(read.lengths(), (std::vector<int>{1, 1}));
  EXPECT_EQ(read.attributes(0), (Texts{"U:-DOCSTART-"}));
}

TEST(Conll, GivesEdgeAttributesARowPerToken) {
  const ReadResult read = read_text("a A\nb B\n\nc A\n", conll({"U:%x[0,0]", "B:%x[0,0]"}));
  ASSERT_EQ(read.batch.data.edges.num_rows(), 3U);
  EXPECT_EQ(read.edge_attributes(0), Texts{});
  EXPECT_EQ(read.edge_attributes(1), (Texts{"B:b"}));
  EXPECT_EQ(read.edge_attributes(2), Texts{});
  EXPECT_EQ(read_text("a A\nb B\n", conll()).batch.data.edges.num_rows(), 0U);
}

TEST(Conll, UsesTheStandardTemplateWithoutOne) {
  const ReadResult read = read_text("a DT A\n", "conll");
  EXPECT_EQ(read.template_lines, Template::standard(2).text());
}

TEST(Conll, ComplainsWithLineAndRemedy) {
  const ExpectComplaint expect{"conll"};
  expect("a b A\n\na A\n", "data:3: 2 columns, but the lines before have 3; every line needs");
  expect("a A\na b A\n", "data:2: 3 columns, but the lines before have 2");
  expect("a\n", "data:1: 1 column; expected at least a token and its label");
  expect(std::string("a A\na\0 A\n", 9), "data:2: a NUL byte");
  std::string wide = "x";
  for (int k = 0; k < 1000; ++k) wide += " x";
  expect(wide, "data:1: more than 1000 columns");
}

TEST(Conll, RefusesATemplateThatLooksBeyondTheColumns) {
  const std::string message = message_of([] {
    read_text("a DT A\n", conll({"U:%x[0,0]", "U:%x[0,2]"}));
  });
  EXPECT_TRUE(message.starts_with("t:2: column 2 is out of range")) << message;
}

TEST(Conll, LimitsTheNumberOfLabels) {
  std::string text;
  for (int k = 0; k <= 10'000; ++k) text += "a L" + std::to_string(k) + "\n\n";
  EXPECT_NE(complaint(text, "conll").find(":20001: label 'L10000' is one more than"),
            std::string::npos);
}

TEST(Conll, LimitsTheLengthOfASequence) {
  std::string text;
  for (std::size_t k = 0; k <= kLongestSequence; ++k) text += "a A\n";
  EXPECT_NE(message_of([&] { read_text(text, conll()); }).find("is a blank line missing"),
            std::string::npos);
}

TEST(SequenceFormats, AreToldFromTheFirstLine) {
  EXPECT_EQ(detect_sequence_format(""), "conll");
  EXPECT_EQ(detect_sequence_format("\nConfidence NN B-NP\n"), "conll");
  EXPECT_EQ(detect_sequence_format("Confidence\tNN\tB-NP\n"), "conll");
  EXPECT_EQ(detect_sequence_format("1\tThe\tthe\tDET\tDT\tNumber=Sing\t2\tdet\n"), "conll");
  EXPECT_EQ(detect_sequence_format("1 1 0 o 000110\r\n"), "letters");
  EXPECT_EQ(detect_sequence_format("1 1 0 o 0002\n"), "conll");
  EXPECT_EQ(detect_sequence_format("B-NP\tw[0]=An\tpos=DT\t__BOS__\n"), "crfsuite");
  EXPECT_EQ(detect_sequence_format("B-NP\tx:0.5\n"), "crfsuite");
}

TEST(SequenceFormats, RefuseWhatDoesNotSuitThem) {
  ReadPlan plan;
  plan.format = "arff";
  EXPECT_EQ(message_of<OptionError>([&] { read_text("a A\n", plan); }),
            "format 'arff' is not one of conll, letters, crfsuite");
  plan.format = "conll";
  plan.folds = "1";
  EXPECT_NE(message_of<OptionError>([&] {
              read_text("a A\n", plan);
            }).find("format conll says of no example"),
            std::string::npos);
}

}  // namespace
}  // namespace gapwise::internal
