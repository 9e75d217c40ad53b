#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "core/random.h"
#include "gapwise/option_table.h"
#include "gapwise/problem.h"
#include "io/model.h"

namespace gapwise::internal {

/// Which examples of which file.
struct DataSource {
  std::string path;    ///< "-" is standard input
  std::string format;  ///< empty: told from the file or, for a model, the one it was trained on
  std::string folds;   ///< "0", "1,3,5-7", "all but 1"; empty: all (formats with folds only)
};

/// Named figures of merit in the order they are printed.
using Metrics = std::vector<std::pair<std::string, double>>;

/// The largest weights of one group, for `inspect`.
struct WeightTable {
  std::string title;  ///< "label B-NP", "transitions"
  std::vector<std::pair<std::string, double>> rows;
};

/// Training data of some task, read and numbered.
class TrainingSet {
 public:
  virtual ~TrainingSet() = default;
  virtual const Problem& problem() const = 0;
  /// One line for people: "6251 sequences, 47363 tokens, 26 labels, 129 attributes".
  virtual std::string describe() const = 0;
  /// A complete model but for the settings that only the trainer knows.
  virtual Model make_model(Weights w) const = 0;
  /// The same for kernel training. OptionError if the task has none.
  virtual Model make_kernel_model(const KernelExpansion& expansion) const;
};

/// A model at work.
class Predictor {
 public:
  virtual ~Predictor() = default;
  virtual Metrics evaluate(const DataSource& source, const Threads& threads) const = 0;
  /// Writes the predictions for `source` in the form documented for its format.
  virtual void predict(const DataSource& source, const Threads& threads,
                       std::ostream& out) const = 0;
  /// Writes a PNG picture of each example of `source` into `folder`: what went in, what is right,
  /// what is predicted. OptionError if the task has nothing to draw.
  virtual void draw(const DataSource& source, const Threads& threads,
                    const std::string& folder) const;
  virtual std::vector<WeightTable> top_weights(std::size_t count) const = 0;
};

/// Everything the program needs to know of one task: its options, reading, predicting. A new task
/// is one driver in the registry.
class TaskDriver {
 public:
  virtual ~TaskDriver() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view help() const = 0;
  /// Options of reading and modelling, bound to this driver.
  virtual OptionTable options() = 0;
  virtual std::vector<std::string_view> formats() const = 0;
  virtual std::unique_ptr<TrainingSet> read_training(const DataSource& source,
                                                     const Threads& threads) = 0;
  virtual std::unique_ptr<Predictor> open(Model model) const = 0;
  /// A small random data set in the format that the task takes without being told, with something
  /// to learn in it: for newcomers, and for the laws that every task is tested on.
  virtual std::string sample(Index examples, Rng& rng) const = 0;
};

/// Names of the registered tasks, and a fresh driver of one of them (OptionError if unknown).
std::vector<std::string_view> task_names();
std::unique_ptr<TaskDriver> make_task_driver(std::string_view name);

}  // namespace gapwise::internal
