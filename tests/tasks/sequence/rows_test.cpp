#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io/files.h"
#include "tasks/driver_test.h"

namespace gapwise::internal {
namespace {

/// A token as a caller would give it.
struct Token {
  std::string label;
  std::vector<std::pair<std::string, double>> attributes;
};
using Sequences = std::vector<std::vector<Token>>;

const Sequences kSequences{
    {{"A", {{"w=x", 1.0}, {"size", 2.5}}}, {"B", {{"w=y", 1.0}, {"size", -1.0}, {"none", 0.0}}}},
    {{"B", {{"w=y", 1.0}, {"12", 0.5}}}},
    {{"B", {}}, {"C", {{"a:b", 1.0}}}, {"A", {{"w=x", 1.0}, {"a:b", 3.0}}}}};
constexpr const char* kText =
    "A\tw=x\tsize:2.5\nB\tw=y\tsize:-1\tnone:0\n\n"
    "B\tw=y\t12:0.5\n\n"
    "B\nC\ta\\:b\nA\tw=x\ta\\:b:3\n";

void add(const Sequences& sequences, RowSink& rows) {
  for (const auto& sequence : sequences) {
    for (const Token& token : sequence) {
      for (const auto& [name, value] : token.attributes) rows.attribute(name, value);
      if (!token.label.empty()) rows.label(token.label);
      rows.end_row();
    }
    rows.end_example();
  }
}

class SequenceRows : public DriverTest {
 protected:
  SequenceRows() : DriverTest("sequence") { format_ = "crfsuite"; }

  std::unique_ptr<TrainingSet> build(const Sequences& sequences) {
    const auto rows = driver_->make_rows();
    add(sequences, *rows);
    return rows->finish();
  }
  std::string bytes(const TrainingSet& set) {
    save_model(set.make_model(perceptron_weights(set.problem(), 10)), folder_.path("model"));
    return read_file(folder_.path("model"));
  }
  std::string complaint_of(const Sequences& sequences) {
    return message_of([&] { build(sequences); });
  }
};

TEST_F(SequenceRows, MakeTheModelOfTheFileThatSaysTheSame) {
  EXPECT_EQ(build(kSequences)->describe(), read(kText)->describe());
  EXPECT_EQ(bytes(*build(kSequences)), bytes(*read(kText)));
  set("loss", "normalized-hamming");
  set("min-count", "2");
  EXPECT_EQ(bytes(*build(kSequences)), bytes(*read(kText)));
  set("hash-bits", "8");
  EXPECT_EQ(bytes(*build(kSequences)), bytes(*read(kText)));
}

TEST_F(SequenceRows, NumbersAreNames) {
  const auto rows = driver_->make_rows();
  rows->feature(3, 1.0);
  rows->feature(7, -2.0);
  rows->label("A");
  rows->end_row();
  rows->end_example();
  EXPECT_EQ(bytes(*rows->finish()), bytes(*read("A\t3\t7:-2\n")));
}

TEST_F(SequenceRows, AreLabelledAndJudgedLikeTheFile) {
  const auto set = read(kText);
  const auto predictor = driver_->open(set->make_model(perceptron_weights(set->problem(), 1)));
  Sequences unseen = kSequences;
  unseen.push_back({{"new", {{"w=z", 1.0}}}, {"A", {{"w=x", -1.0}, {"size", 7.0}}}});
  const DataSource source = file("test", std::string(kText) + "\nnew\tw=z\nA\tw=x:-1\tsize:7\n");

  const auto rows = predictor->make_rows();
  add(unseen, *rows);
  std::vector<std::unique_ptr<Batch>> batches;
  batches.push_back(rows->finish());
  ASSERT_EQ(batches[0]->size(), 4);
  EXPECT_EQ(predictor->evaluate(batches, threads_), predictor->evaluate(source, threads_));

  std::string labels;
  for (Index i = 0; i < batches[0]->size(); ++i) {
    if (i > 0) labels += "\n";
    for (const std::string& label : predictor->output(*batches[0], i).labels)
      labels += label + "\n";
  }
  std::ostringstream out;
  predictor->predict(source, threads_, [&](std::string_view text) { out << text; });
  EXPECT_EQ(labels, out.str());
}

TEST_F(SequenceRows, NeedNoLabelsToBeLabelled) {
  const auto set = read(kText);
  const auto predictor = driver_->open(set->make_model(perceptron_weights(set->problem(), 10)));
  const auto rows = predictor->make_rows();
  add({{{"", {{"w=x", 1.0}}}, {"", {{"w=y", 1.0}}}}}, *rows);
  const auto batch = rows->finish();
  predictor->label(*batch, threads_);
  EXPECT_EQ(predictor->output(*batch, 0).labels, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(predictor->make_rows()->finish()->size(), 0) << "no rows";
}

TEST_F(SequenceRows, RefuseWhatNothingCanBeLearntFrom) {
  EXPECT_EQ(complaint_of({}), "there are no sequences; add at least one");
  Sequences bare = kSequences;
  bare[2][1].label.clear();
  EXPECT_EQ(complaint_of(bare),
            "sequence 3, token 2: the token has no label; give every token to learn from its "
            "label");
  Sequences empty = kSequences;
  empty[1].clear();
  EXPECT_EQ(complaint_of(empty), "sequence 2, token 1: the sequence is empty; leave it out");
  EXPECT_EQ(complaint_of({{{"A", {{"", 1.0}}}}}),
            "sequence 1, token 1: an attribute has no name; give it one");
  for (const double value : {std::numeric_limits<double>::infinity(), std::nan(""), -1e101}) {
    EXPECT_NE(complaint_of({{{"A", {{"x", value}}}}}).find("of attribute 'x' must be finite"),
              std::string::npos)
        << value;
  }
}

TEST_F(SequenceRows, TakeNoTemplate) {
  set("template", "t");
  EXPECT_THROW(driver_->make_rows(), OptionError);
}

}  // namespace
}  // namespace gapwise::internal
