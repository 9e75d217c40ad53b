// Batches, weights that are exchanged, and examples put together in memory.

#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "tasks/driver_test.h"

namespace gapwise::internal {
namespace {

constexpr const char* kExamples =
    "2 1:1 9:1\n10 1:-1\n+2 1:2 4:0 9:0.5\n1 9:-3\n10 1:-2 9:1\n1.0 9:-2\n";

class MulticlassBatches : public DriverTest {
 protected:
  MulticlassBatches() : DriverTest("multiclass") {}

  /// What kExamples says.
  static void fill(RowSink& rows) {
    const auto example = [&](const char* label, double one, double four, double nine) {
      rows.label(label);
      rows.feature(1, one);
      rows.feature(4, four);
      rows.feature(9, nine);
      rows.end_row();
      rows.end_example();
    };
    example("2", 1, 0, 1);
    example("10", -1, 0, 0);
    example("+2", 2, 0, 0.5);
    example("1", 0, 0, -3);
    example("10", -2, 0, 1);
    example("1.0", 0, 0, -2);
  }
};

TEST_F(MulticlassBatches, TakeTheWeightsOfTheTrainingProblem) {
  for (const char* bias : {"no", "yes"}) {
    set("bias", bias);
    expect_exchangeable(*read(kExamples), file("test", std::string(kExamples) + "new 1:1 77:2\n"));
  }
}

TEST_F(MulticlassBatches, OfNothingPredictNothing) {
  const ModelRecord model = train(kExamples);
  for (const char* text : {"", "\n# nothing\n"}) {
    EXPECT_EQ(predict(model, text), "");
    EXPECT_NE(message_of([&] { evaluate(model, text); }).find("on each line"), std::string::npos);
  }
}

TEST_F(MulticlassBatches, SayWhatIsWritten) {
  const Answers found = answers(train(kExamples), file("test", kExamples));
  std::string told;
  for (const Output& output : found.outputs) {
    ASSERT_EQ(output.labels.size(), 1U);
    EXPECT_TRUE(output.numbers.empty());
    told += output.labels[0] + "\n";
  }
  EXPECT_EQ(found.text, "2\n10\n2\n1\n10\n1\n");
  EXPECT_EQ(told, found.text);
}

TEST_F(MulticlassBatches, ComeFromMemoryAsFromAFile) {
  set("bias", "yes");
  const ModelRecord model = expect_same_from_memory(kExamples, fill);
  const auto predictor = driver_->open(model);
  const auto batch_rows = predictor->make_rows();
  fill(*batch_rows);
  batch_rows->feature(1, 3.0);
  batch_rows->feature(77, 1.0);
  batch_rows->end_row();
  batch_rows->end_example();
  std::vector<std::unique_ptr<Batch>> batches;
  batches.push_back(batch_rows->finish());
  EXPECT_EQ(predictor->evaluate(batches, threads_)[0].value, 6.0 / 7.0) << "one has no label";
  std::string text;
  predictor->write(*batches[0], text);
  EXPECT_EQ(text, predict(model, std::string(kExamples) + "1:3 77:1\n"));
}

TEST_F(MulticlassBatches, RefuseBadRows) {
  EXPECT_EQ(row_complaint([](RowSink&) {}), "there are no examples; add at least one");
  EXPECT_EQ(row_complaint([](RowSink& rows) {
              rows.end_row();
              rows.end_example();
            }),
            "example 1: the example has 0 labels; task multiclass takes one label per example");
  EXPECT_EQ(row_complaint([](RowSink& rows) {
              fill(rows);
              rows.label("a");
              rows.label("b");
              rows.end_row();
              rows.end_example();
            }),
            "example 7: the example has 2 labels; task multiclass takes one label per example");
  EXPECT_EQ(row_complaint([](RowSink& rows) {
              rows.label("a");
              rows.end_row();
              rows.end_example();
            }),
            "examples in memory: all examples have the label 'a'; give examples of at least two "
            "classes");
  EXPECT_EQ(row_complaint([](RowSink& rows) { rows.end_example(); }),
            "example 1: the example has no row; end its row before the example");
  EXPECT_EQ(row_complaint([](RowSink& rows) {
              rows.end_row();
              rows.feature(1, 1.0);
            }),
            "example 1: the example has more than one row; end the example behind each row");
  EXPECT_EQ(row_complaint([](RowSink& rows) { rows.feature(0, 1.0); }),
            "example 1: feature 0 is not between 1 and 2147483647; number the features from 1");
  EXPECT_EQ(row_complaint([](RowSink& rows) { rows.feature(1U << 31, 1.0); }).substr(0, 42),
            "example 1: feature 2147483648 is not betwe");
  EXPECT_EQ(row_complaint([](RowSink& rows) {
              rows.feature(3, 0.0);
              rows.feature(3, 1.0);
            }),
            "example 1: feature 3 comes twice; leave one of the two out");
  EXPECT_EQ(row_complaint([](RowSink& rows) {
              rows.feature(3, 1.0);
              rows.feature(2, 1.0);
            }),
            "example 1: feature 2 comes after 3; sort the features of each row by number");
  EXPECT_EQ(row_complaint(
                [](RowSink& rows) { rows.feature(1, std::numeric_limits<double>::infinity()); }),
            "example 1: value inf of feature 1 must be finite and at most 1e+100 in size; correct "
            "or rescale it");
  EXPECT_EQ(row_complaint([](RowSink& rows) { rows.label("nan"); }),
            "example 1: label 'nan' is not a finite number of at most 1e+100 in size; give the "
            "class a number or a name");
  EXPECT_EQ(row_complaint([](RowSink& rows) { rows.label(""); }),
            "example 1: a label has an empty name; leave it out if there is none");
  EXPECT_EQ(message_of<OptionError>([&] { driver_->make_rows()->attribute("size", 1.0); }),
            "'size' is the name of an attribute, but features have numbers here; number them from "
            "1");
  set("loss", "cost-matrix");
  EXPECT_THROW(driver_->make_rows(), OptionError);
}

TEST_F(MulticlassBatches, LookFamiliarIfEveryLineHasOneLabel) {
  EXPECT_TRUE(driver_->looks_familiar("# text\r\n\r\ncat 1:2 7:1e-3\r\ndog\r\ncat 3:"));
  EXPECT_FALSE(driver_->looks_familiar(""));
  EXPECT_FALSE(driver_->looks_familiar("cat\ndog\n"));
  EXPECT_FALSE(driver_->looks_familiar("the DT B-NP\ndog NN I-NP\n\n"));
  EXPECT_FALSE(driver_->looks_familiar("1 1:1\n1:1\n"));
  EXPECT_FALSE(driver_->looks_familiar("1 1:1\n1 x:1\n"));
  EXPECT_FALSE(driver_->looks_familiar("1 1:1\n1,2 1:1\n"));
}

}  // namespace
}  // namespace gapwise::internal
