// Batches, weights that are exchanged, and examples put together in memory.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tasks/driver_test.h"

namespace gapwise::internal {
namespace {

constexpr const char* kExamples =
    "2,b,10 1:1 9:1\n2 1:1.5 9:-1\n10 1:-1 4:0 9:2\n 1:-1 9:-2\n10,2.0,b 1:2 9:1.5\n1:-2 9:-1\n";
constexpr const char* kPredictions = "2,10,b\n2\n10\n\n2,10,b\n\n";

const std::string kArff =
    "@attribute wet {0,1}\n@attribute rain numeric\n@attribute snow numeric\n"
    "@attribute 'hot day' {0,1}\n@data\n1,2.5,0,0\n0,-1,0.5,1\n1,1,0,1\n";

class MultilabelBatches : public DriverTest {
 protected:
  MultilabelBatches() : DriverTest("multilabel") {}

  /// What kExamples says.
  static void fill(RowSink& rows) {
    const auto example = [&](const Texts& labels, double one, double nine) {
      for (const std::string& label : labels) rows.label(label);
      rows.feature(1, one);
      rows.feature(4, 0.0);
      rows.feature(9, nine);
      rows.end_row();
      rows.end_example();
    };
    example({"2", "b", "10"}, 1, 1);
    example({"2"}, 1.5, -1);
    example({"10"}, -1, 2);
    example({}, -1, -2);
    example({"10", "2.0", "b"}, 2, 1.5);
    example({}, -2, -1);
  }
  void use_xml() {
    set("label-xml",
        file("xml", "<labels><label name='wet'/><label name='hot day'/></labels>").path);
  }
};

TEST_F(MultilabelBatches, TakeTheWeightsOfTheTrainingProblem) {
  for (const char* couplings : {"none", "bias"}) {
    set("couplings", couplings);
    expect_exchangeable(*read(kExamples),
                        file("test", std::string(kExamples) + "zebra,2 1:1 77:2\n"));
  }
  use_xml();
  expect_exchangeable(*read(kArff), file("test", kArff));
}

TEST_F(MultilabelBatches, OfNothingPredictNothing) {
  const ModelRecord model = train(kExamples);
  EXPECT_EQ(predict(model, ""), "");
  EXPECT_EQ(predict(model, "# nothing\n"), "");
  EXPECT_EQ(predict(model, file("test", "@attribute x real\n@data\n", "arff")), "");
  EXPECT_NE(message_of([&] { evaluate(model, ""); }).find("test: is empty; expected 'label,"),
            std::string::npos);
}

TEST_F(MultilabelBatches, SayWhatIsWritten) {
  const Answers found = answers(train(kExamples), file("test", kExamples));
  std::string told;
  for (const Output& output : found.outputs) {
    EXPECT_TRUE(output.numbers.empty());
    told += fmt::format("{}\n", fmt::join(output.labels, ","));
  }
  EXPECT_EQ(found.text, kPredictions);
  EXPECT_EQ(told, found.text);
}

TEST_F(MultilabelBatches, ComeFromMemoryAsFromAFile) {
  const ModelRecord model = expect_same_from_memory(kExamples, fill);
  const auto predictor = driver_->open(model);
  const auto batch_rows = predictor->make_rows();
  fill(*batch_rows);
  std::vector<std::unique_ptr<Batch>> batches;
  batches.push_back(batch_rows->finish());
  EXPECT_EQ(predictor->evaluate(batches, threads_), evaluate(model, kExamples));
  std::string text;
  predictor->write(*batches[0], text);
  EXPECT_EQ(text, kPredictions);
}

TEST_F(MultilabelBatches, RefuseBadRows) {
  EXPECT_EQ(row_complaint([](RowSink&) {}), "there are no examples; add at least one");
  EXPECT_EQ(row_complaint([](RowSink& rows) {
              rows.feature(1, 1.0);
              rows.end_row();
              rows.end_example();
            }),
            "examples in memory: no example has a label; there is nothing to learn");
  EXPECT_EQ(row_complaint([](RowSink& rows) {
              fill(rows);
              rows.label("1");
              rows.label("1.0");
            }),
            "example 7: label '1' comes twice; leave one of the two out");
  EXPECT_TRUE(row_complaint([](RowSink& rows) {
                for (int k = 0; k <= 10'000; ++k) {
                  rows.label(std::to_string(k));
                  rows.end_row();
                  rows.end_example();
                }
              }).starts_with("example 10001: label '10000' is one more than the 10000"));
  const auto predictor =
      driver_->open(read(kExamples)->make_model(std::vector<double>(12, 0.0), Keep::kAll));
  EXPECT_THROW(predictor->make_rows()->attribute("size", 1.0), OptionError);
  use_xml();
  EXPECT_EQ(message_of<OptionError>([&] { driver_->make_rows(); }),
            "a list of labels in XML is for ARFF files; leave it out");
}

TEST_F(MultilabelBatches, LookFamiliarAsArffOrWithListsOfLabels) {
  EXPECT_TRUE(driver_->looks_familiar(kArff));
  EXPECT_TRUE(driver_->looks_familiar(kExamples));
  EXPECT_FALSE(driver_->looks_familiar(""));
  EXPECT_FALSE(driver_->looks_familiar("1 1:1\n2 1:1\n"));
  EXPECT_FALSE(driver_->looks_familiar("1:1\n2:1\n")) << "of any task";
  EXPECT_FALSE(driver_->looks_familiar("well , RB\na,b NN\n\n"));
}

}  // namespace
}  // namespace gapwise::internal
