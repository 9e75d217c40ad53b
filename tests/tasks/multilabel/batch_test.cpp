// Batches, weights that are exchanged, and examples put together in memory.

#include <gtest/gtest.h>

#include <sstream>

#include "tasks/driver_test.h"

namespace gapwise::internal {
namespace {

using testing::message_of;
using testing::perceptron_weights;
using Texts = std::vector<std::string>;

constexpr const char* kExamples =
    "2,b,10 1:1 9:1\n2 1:1.5 9:-1\n10 1:-1 4:0 9:2\n 1:-1 9:-2\n10,2.0,b 1:2 9:1.5\n1:-2 9:-1\n";
constexpr const char* kPredictions = "2,10,b\n2\n10\n\n2,10,b\n\n";

const std::string kArff =
    "@attribute wet {0,1}\n@attribute rain numeric\n@attribute snow numeric\n"
    "@attribute 'hot day' {0,1}\n@data\n1,2.5,0,0\n0,-1,0.5,1\n1,1,0,1\n";

class MultilabelBatches : public testing::DriverTest {
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
  /// Expects that a model that kept all names takes the weights of the training problem.
  void expect_exchangeable(const std::string& text) {
    const auto training = read(text);
    const std::vector<double> zero(static_cast<std::size_t>(training->problem().dimension()), 0.0);
    const ModelRecord all = training->make_model(zero, Keep::kAll);
    EXPECT_EQ(all.w.size(), zero.size());
    const auto predictor = driver_->open(all);
    for (int passes = 0; passes < 4; ++passes) {
      const std::vector<double> w = perceptron_weights(training->problem(), passes);
      predictor->set_weights(w);
      std::ostringstream out;
      predictor->predict(file("test", text), threads_, [&](std::string_view text) { out << text; });
      EXPECT_EQ(out.str(), predict(training->make_model(w), text));
    }
  }
};

TEST_F(MultilabelBatches, TakeTheWeightsOfTheTrainingProblem) {
  for (const char* couplings : {"none", "bias"}) {
    set("couplings", couplings);
    expect_exchangeable(kExamples);
  }
  use_xml();
  expect_exchangeable(kArff);
}

TEST_F(MultilabelBatches, AreReadOnceAndJudgedManyTimes) {
  const auto training = read(kExamples);
  const std::vector<double> w = perceptron_weights(training->problem(), 20);
  const std::vector<double> zero(w.size(), 0.0);
  const auto predictor = driver_->open(training->make_model(w, Keep::kAll));
  const DataSource source = file("test", std::string(kExamples) + "zebra,2 1:1 77:2\n");
  const auto batches = predictor->read(source, Purpose::kEvaluate);
  for (const auto& weights : {w, zero, w}) {
    predictor->set_weights(weights);
    const Metrics metrics = predictor->evaluate(batches, threads_);
    EXPECT_EQ(metrics, predictor->evaluate(source, threads_));
    EXPECT_EQ(metrics[3].value, weights == zero ? 2.0 / 7.0 : 6.0 / 7.0);
  }
}

TEST_F(MultilabelBatches, OfNothingPredictNothing) {
  const auto training = read(kExamples);
  const ModelRecord model = training->make_model(perceptron_weights(training->problem(), 20));
  EXPECT_EQ(predict(model, ""), "");
  EXPECT_EQ(predict(model, "# nothing\n"), "");
  EXPECT_EQ(predict(model, file("test", "@attribute x real\n@data\n", "arff")), "");
  EXPECT_NE(message_of([&] { evaluate(model, ""); }).find("test: is empty; expected 'label,"),
            std::string::npos);
}

TEST_F(MultilabelBatches, SayWhatIsWritten) {
  const auto training = read(kExamples);
  const auto predictor =
      driver_->open(training->make_model(perceptron_weights(training->problem(), 20)));
  std::string text;
  std::string told;
  for (const auto& batch : predictor->read(file("test", kExamples), Purpose::kPredict)) {
    predictor->label(*batch, threads_);
    predictor->write(*batch, text);
    for (Index i = 0; i < batch->size(); ++i) {
      const Output output = predictor->output(*batch, i);
      EXPECT_TRUE(output.numbers.empty());
      for (std::size_t l = 0; l < output.labels.size(); ++l) {
        told += (l == 0 ? "" : ",") + output.labels[l];
      }
      told += "\n";
    }
  }
  EXPECT_EQ(text, kPredictions);
  EXPECT_EQ(told, text);
}

TEST_F(MultilabelBatches, ComeFromMemoryAsFromAFile) {
  const auto training = read(kExamples);
  const auto rows = driver_->make_rows();
  fill(*rows);
  const auto same = rows->finish();
  EXPECT_EQ(same->describe(), training->describe());
  EXPECT_EQ(same->problem().fingerprint(), training->problem().fingerprint());
  const std::vector<double> w = perceptron_weights(training->problem(), 20);
  const ModelRecord model = same->make_model(w);
  EXPECT_EQ(encode_model(model), encode_model(training->make_model(w)));

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
  const auto complaint_about = [&](auto make) {
    return message_of([&] {
      const auto rows = driver_->make_rows();
      make(*rows);
      rows->finish();
    });
  };
  EXPECT_EQ(complaint_about([](RowSink&) {}), "there are no examples; add at least one");
  EXPECT_EQ(complaint_about([](RowSink& rows) {
              rows.feature(1, 1.0);
              rows.end_row();
              rows.end_example();
            }),
            "examples in memory: no example has a label; there is nothing to learn");
  EXPECT_EQ(complaint_about([](RowSink& rows) {
              fill(rows);
              rows.label("1");
              rows.label("1.0");
            }),
            "example 7: label '1' comes twice; leave one of the two out");
  EXPECT_TRUE(complaint_about([](RowSink& rows) {
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
  Rng rng(3);
  EXPECT_TRUE(driver_->looks_familiar(kArff));
  EXPECT_TRUE(driver_->looks_familiar(kExamples));
  EXPECT_FALSE(driver_->looks_familiar(""));
  EXPECT_FALSE(driver_->looks_familiar("1 1:1\n2 1:1\n"));
  EXPECT_FALSE(driver_->looks_familiar("1:1\n2:1\n")) << "of any task";
  EXPECT_FALSE(driver_->looks_familiar("well , RB\na,b NN\n\n"));
  for (const std::string_view task : task_names()) {
    const auto other = make_task_driver(task);
    EXPECT_EQ(driver_->looks_familiar(other->sample(50, rng)), task == "multilabel") << task;
  }
}

}  // namespace
}  // namespace gapwise::internal
