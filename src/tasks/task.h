#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "core/random.h"
#include "gapwise/data.h"
#include "gapwise/metrics.h"
#include "gapwise/option_table.h"
#include "gapwise/problem.h"
#include "gapwise/ranking.h"
#include "io/model_record.h"
#include "tasks/scorer.h"

namespace gapwise::internal {

/// Takes examples that are put together in memory, row by row: a row is a token of a sequence or
/// the input of a classifier, made of attributes with names or of features with numbers.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void attribute(std::string_view name, double value) = 0;
  virtual void feature(std::uint32_t number, double value) = 0;  ///< from 1, increasing in a row
  virtual void label(std::string_view name) = 0;                 ///< of the row at hand
  virtual void end_row() = 0;
  virtual void end_example() = 0;
};

/// Whether a model keeps only the names that own a weight other than zero, or all of them, so that
/// weights of the training set fit it.
enum class Keep { kUsed, kAll };

class PartlyKnown;

/// Training data of some task, read and numbered.
class TrainingSet {
 public:
  virtual ~TrainingSet() = default;
  /// InputError if there is none before labels that are not known are completed.
  virtual const Problem& problem() const = 0;
  /// How to complete them (partly_known.h); null if all labels are known.
  virtual const PartlyKnown* partly_known() const { return nullptr; }
  /// One line for people: "6251 sequences, 47363 tokens, 26 labels, 129 attributes".
  virtual std::string describe() const = 0;
  /// A complete model but for the settings that only the trainer knows.
  virtual ModelRecord make_model(Weights w, Keep keep = Keep::kUsed) const = 0;
  /// The same for kernel training. OptionError if the task has none.
  virtual ModelRecord make_kernel_model(const KernelExpansion& expansion,
                                        Keep keep = Keep::kUsed) const;
};

/// Some examples, numbered by the names of one model, with room for what it says of them.
class Batch {
 public:
  virtual ~Batch() = default;
  virtual Index size() const = 0;
};

/// Examples of a source one after the other, handed out in batches.
class ExampleStream {
 public:
  virtual ~ExampleStream() = default;
  /// Reads one more example; false at the end.
  virtual bool read() = 0;
  /// What was read since the last `take`, as a share of what should be in memory at once.
  virtual double fill() const = 0;
  virtual std::unique_ptr<Batch> take() = 0;
  /// InputError that says what the source should hold, for one without examples.
  [[noreturn]] virtual void fail_empty() const = 0;
};

/// Rows that make a training set or a batch.
template <class Result>
class RowsOf : public RowSink {
 public:
  virtual std::unique_ptr<Result> finish() = 0;
};
using TrainingRows = RowsOf<TrainingSet>;
using BatchRows = RowsOf<Batch>;

/// What examples are read for: to compare with the truth, to write down, or to draw.
enum class Purpose { kEvaluate, kPredict, kDraw };

/// How sure a model is at one place, and whether it is right.
struct Belief {
  double predicted = 0.0;  ///< how likely it holds what it says
  double gold = 0.0;       ///< how likely it holds what is right; -1 for a label it does not know
  bool is_right = false;
};

/// How ranked outputs are written: what was asked for, and whether scores are shown.
struct RankedForm {
  RankSettings settings;
  bool with_scores = false;

  /// Whether every output begins with a line of its rank and score.
  bool has_heads() const { return with_scores || settings.nbest > 1; }
};

/// A model at work. What differs from task to task is how examples are read, labelled, judged and
/// written; the loops over them stand in predictor.cpp, once.
class Predictor {
 public:
  virtual ~Predictor() = default;

  virtual std::unique_ptr<ExampleStream> open(const DataSource& source, Purpose purpose) const = 0;
  /// Examples put together in memory; OptionError if the inputs of the task are no rows.
  virtual std::unique_ptr<BatchRows> make_rows() const;

  /// Labels the examples of a batch of this model.
  virtual void label(Batch& batch, const Threads& threads) const = 0;
  virtual std::unique_ptr<Scorer> make_scorer() const = 0;
  /// Appends the labelled examples to `text` in the form documented for their format.
  virtual void write(const Batch& batch, std::string& text) const = 0;
  /// A PNG picture of each labelled example in `folder`, the first one numbered `first`: what went
  /// in, what is right, what is predicted. OptionError if the task has nothing to draw.
  virtual void draw(const Batch& batch, Index first, const std::string& folder) const;
  /// What was said of the i-th example.
  virtual Output output(const Batch& batch, Index i) const = 0;

  /// The best outputs of each example of a batch, which need not be labelled. The temperature of
  /// the settings is set. OptionError if the task has only one that is known to be the best.
  virtual std::vector<Ranking> rank(const Batch& batch, const RankSettings& settings,
                                    const Threads& threads) const;
  /// Appends what `rank` gave of a batch to `text`; docs/formats.md tells the form.
  virtual void write_ranked(const Batch& batch, std::span<const Ranking> rankings,
                            const RankedForm& form, std::string& text) const;

  /// At every place of a batch with gold labels. OptionError if the task has no probabilities.
  virtual std::vector<Belief> beliefs(const Batch& batch, double temperature,
                                      const Threads& threads) const;

  virtual std::vector<WeightTable> top_weights(std::size_t count) const = 0;
  /// The weights as tables with names, for tasks whose weights are such tables.
  virtual std::vector<WeightMatrix> weight_matrices() const { return {}; }
  /// Puts other weights in the place of those of a model that kept all names. Not for kernels.
  virtual void set_weights(Weights w) = 0;

  /// Reads, labels and judges all examples of `source`.
  Metrics evaluate(const DataSource& source, const Threads& threads) const;
  /// Reads, labels and writes all examples of `source`, batch by batch; the first batches are
  /// small, so that something is written soon. No examples, nothing written.
  void predict(const DataSource& source, const Threads& threads, const TextSink& out) const;
  void draw(const DataSource& source, const Threads& threads, const std::string& folder) const;
  /// Reads and ranks all examples of `source`, batch by batch.
  void rank(const DataSource& source, const RankSettings& settings, const Threads& threads,
            const RankingSink& visit) const;
  void write_ranked(const DataSource& source, const RankedForm& form, const Threads& threads,
                    const TextSink& out) const;
  /// All examples of `source`, to be labelled and judged many times.
  std::vector<std::unique_ptr<Batch>> read(const DataSource& source, Purpose purpose) const;
  /// Labels and judges what was read, in this order.
  Metrics evaluate(std::span<const std::unique_ptr<Batch>> batches, const Threads& threads) const;
};

/// A predictor of batches of type B by a model of type M: the casts stand here and nowhere else.
template <class B, class M>
class PredictorOf : public Predictor {
 public:
  using Predictor::draw;
  using Predictor::rank;
  using Predictor::write_ranked;

  explicit PredictorOf(M model) : model_(std::move(model)) {}

  void set_weights(Weights w) final { model_.w.assign(w.begin(), w.end()); }
  void label(Batch& batch, const Threads& threads) const final {
    label_batch(static_cast<B&>(batch), threads);
  }
  void write(const Batch& batch, std::string& text) const final {
    write_batch(static_cast<const B&>(batch), text);
  }
  Output output(const Batch& batch, Index i) const final {
    return output_of(static_cast<const B&>(batch), i);
  }

 protected:
  M model_;

 private:
  virtual void label_batch(B& batch, const Threads& threads) const = 0;
  virtual void write_batch(const B& batch, std::string& text) const = 0;
  virtual Output output_of(const B& batch, Index i) const = 0;
};

/// Everything the product needs to know of one task: its options, reading, predicting. A new task
/// is one folder with a driver, and its line in the registry.
class TaskDriver {
 public:
  virtual ~TaskDriver() = default;
  std::string_view name() const { return name_; }
  std::string_view help() const { return help_; }
  /// The first one is taken without being told.
  const std::vector<std::string_view>& formats() const { return formats_; }
  /// Options of reading and modelling, bound to this driver.
  virtual OptionTable options() = 0;
  virtual std::unique_ptr<TrainingSet> read_training(const DataSource& source,
                                                     const Threads& threads) = 0;
  /// Training data put together in memory; OptionError if the inputs of the task are no rows.
  virtual std::unique_ptr<TrainingRows> make_rows();
  virtual std::unique_ptr<Predictor> open(ModelRecord model) const = 0;
  /// A small random data set in the format that the task takes without being told, with something
  /// to learn in it: for newcomers, and for the laws that every task is tested on.
  virtual std::string sample(Index examples, Rng& rng) const = 0;
  /// Whether an example without any label says something: that it has none.
  virtual bool allows_no_labels() const { return false; }
  /// Whether a file that starts like this looks like data of this task and of hardly any other.
  virtual bool looks_familiar(std::string_view head) const;

 protected:
  /// Names that outlive the driver.
  TaskDriver(std::string_view name, std::string_view help, std::vector<std::string_view> formats)
      : name_(name), help_(help), formats_(std::move(formats)) {}

 private:
  std::string_view name_;
  std::string_view help_;
  std::vector<std::string_view> formats_;
};

/// Defines make_<task>_driver(), which the registry calls.
#define GAPWISE_TASK_DRIVER(task, Driver)              \
  std::unique_ptr<TaskDriver> make_##task##_driver();  \
  std::unique_ptr<TaskDriver> make_##task##_driver() { \
    return std::make_unique<Driver>();                 \
  }

/// Names of the registered tasks, and a fresh driver of one of them (OptionError if unknown).
std::vector<std::string_view> task_names();
std::unique_ptr<TaskDriver> make_task_driver(std::string_view name);

}  // namespace gapwise::internal
