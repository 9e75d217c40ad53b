#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/reading.h"
#include "tasks/task.h"

namespace gapwise::internal::testing {

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

}  // namespace gapwise::internal::testing
