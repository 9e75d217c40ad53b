#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/reading.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// Weights that the perceptron makes in so many passes over the training data.
inline std::vector<double> perceptron_weights(const Problem& problem, int passes) {
  std::vector<double> w(static_cast<std::size_t>(problem.dimension()), 0.0);
  const auto oracle = problem.make_oracle();
  PartScores theta;
  Corner corner;
  for (int pass = 0; pass < passes; ++pass) {
    for (Index i = 0; i < problem.num_blocks(); ++i) {
      oracle->argmax(i, w, theta, corner);
      oracle->scatter(i, corner.parts, 1.0, w);
    }
  }
  return w;
}

/// The driver of one task, with a folder for the files it reads.
class DriverTest : public ::testing::Test {
 protected:
  explicit DriverTest(std::string_view task) : driver_(make_task_driver(task)) {}

  void set(std::string_view name, std::string_view value) {
    set_option(driver_->options(), name, value);
  }

  DataSource file(const std::string& name, const std::string& bytes, const std::string& format) {
    write_file(folder_.path(name), bytes);
    return {folder_.path(name), format, ""};
  }
  DataSource file(const std::string& name, const std::string& bytes) {
    return file(name, bytes, format_);
  }

  std::unique_ptr<TrainingSet> read(const DataSource& source) {
    return driver_->read_training(source, threads_);
  }
  std::unique_ptr<TrainingSet> read(const std::string& text) { return read(file("train", text)); }

  /// A model of what the perceptron makes of `text`.
  ModelRecord train(const std::string& text) {
    const auto training = read(text);
    return training->make_model(perceptron_weights(training->problem(), 20));
  }

  /// What reading complains about, without the folder.
  std::string complaint(const DataSource& source) {
    std::string message = message_of([&] { read(source); });
    const std::string folder = folder_.path("");
    for (std::size_t at = 0; (at = message.find(folder)) != std::string::npos;) {
      message.erase(at, folder.size());
    }
    return message;
  }
  std::string complaint(const std::string& text) { return complaint(file("train", text)); }

  std::string predict(const ModelRecord& model, const DataSource& source) {
    std::string out;
    driver_->open(model)->predict(source, threads_, [&](std::string_view text) { out += text; });
    return out;
  }
  std::string predict(const ModelRecord& model, const std::string& text) {
    return predict(model, file("test", text));
  }

  Metrics evaluate(const ModelRecord& model, const DataSource& source) {
    return driver_->open(model)->evaluate(source, threads_);
  }
  Metrics evaluate(const ModelRecord& model, const std::string& text) {
    return evaluate(model, file("test", text));
  }

  /// Expects that a model that kept all names takes other weights of its training problem: what it
  /// read before is then judged, and what it reads is predicted, as by a model of those weights.
  void expect_exchangeable(const TrainingSet& training, const DataSource& test) {
    const Problem& problem = training.problem();
    expect_exchangeable(training, test,
                        {perceptron_weights(problem, 1), perceptron_weights(problem, 20),
                         perceptron_weights(problem, 0)});
  }
  void expect_exchangeable(const TrainingSet& training, const DataSource& test,
                           const std::vector<std::vector<double>>& weights) {
    const std::vector<double> zero(static_cast<std::size_t>(training.problem().dimension()), 0.0);
    const ModelRecord all = training.make_model(zero, Keep::kAll);
    EXPECT_EQ(all.w.size(), zero.size());
    const auto predictor = driver_->open(all);
    const auto batches = predictor->read(test, Purpose::kEvaluate);
    for (const std::vector<double>& w : weights) {
      predictor->set_weights(w);
      const ModelRecord model = training.make_model(w);
      EXPECT_EQ(predictor->evaluate(batches, threads_), evaluate(model, test));
      std::string out;
      predictor->predict(test, threads_, [&](std::string_view text) { out += text; });
      EXPECT_EQ(out, predict(model, test));
    }
  }

  /// What a model says of the examples of `source`, and what it writes of them.
  struct Answers {
    std::vector<Output> outputs;
    std::string text;
  };
  Answers answers(const ModelRecord& model, const DataSource& source) {
    Answers found;
    const auto predictor = driver_->open(model);
    for (const auto& batch : predictor->read(source, Purpose::kPredict)) {
      predictor->label(*batch, threads_);
      predictor->write(*batch, found.text);
      for (Index i = 0; i < batch->size(); ++i) {
        found.outputs.push_back(predictor->output(*batch, i));
      }
    }
    return found;
  }

  /// Expects that the rows that `fill` puts together train as `text` does. The model of both.
  template <class Fill>
  ModelRecord expect_same_from_memory(const std::string& text, Fill fill) {
    const auto training = read(text);
    const auto rows = driver_->make_rows();
    fill(*rows);
    const auto same = rows->finish();
    EXPECT_EQ(same->describe(), training->describe());
    EXPECT_EQ(same->problem().fingerprint(), training->problem().fingerprint());
    const std::vector<double> w = perceptron_weights(training->problem(), 20);
    EXPECT_EQ(encode_model(same->make_model(w)), encode_model(training->make_model(w)));
    return same->make_model(w);
  }
  /// What training on the rows that `fill` puts together complains about.
  template <class Fill>
  std::string row_complaint(Fill fill) {
    return message_of([&] {
      const auto rows = driver_->make_rows();
      fill(*rows);
      rows->finish();
    });
  }

  /// Expects an error that names the file of the model once `spoil` has changed it.
  template <class Spoil>
  void expect_refused(ModelRecord model, Spoil spoil) {
    model.source = "m";
    spoil(model);
    const std::string message = message_of([&] { driver_->open(std::move(model)); });
    EXPECT_TRUE(message.starts_with("m: ")) << message;
  }

  std::string format_;  ///< of the files that follow; empty: told from the file
  ScratchFolder folder_;
  Threads threads_{2};
  std::unique_ptr<TaskDriver> driver_;
};

}  // namespace gapwise::internal
