#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gapwise/data.h"
#include "gapwise/problem.h"

namespace gapwise {

namespace internal {
class ExampleSet;
class RowStore;
}  // namespace internal

/// Examples of some task, read from a file or put together in memory. A handle: copies share the
/// examples, which never change.
class Examples {
 public:
  /// Examples of a problem of one's own, which has its own oracle (argmax_problem.h, problem.h).
  explicit Examples(std::shared_ptr<const Problem> own);
  /// For the library itself.
  explicit Examples(std::shared_ptr<const internal::ExampleSet> set) : set_(std::move(set)) {}

  /// The same examples, of which the i-th counts `weights[i]` times in the objective: lambda/2
  /// |w|^2
  /// + 1/n sum_i c_i H_i, or c_i H_i^2 for the squared hinge. n stays the number of examples, so
  /// k copies of an example instead of a weight of k need lambda n / (n + k - 1) for the same w.
  /// Takes the place of earlier weights; none are left by an empty vector. Tests are not weighted.
  /// OptionError unless there is a positive number for each example.
  Examples with_weights(std::vector<double> weights) const;
  /// c_i of the examples; empty: all count once.
  std::span<const double> weights() const { return problem().block_weights(); }

  /// "sequence"; "own" for a problem of one's own.
  const std::string& task() const;
  /// What solvers see. InputError if the examples cannot be learned from: no labels, say.
  const Problem& problem() const;
  /// How many there are.
  Index size() const { return problem().num_blocks(); }
  /// One line for people: "6251 sequences, 47363 tokens, 26 labels, 129 attributes".
  std::string describe() const;

  /// For the library itself.
  const internal::ExampleSet& set() const { return *set_; }

 private:
  std::shared_ptr<const internal::ExampleSet> set_;
  std::shared_ptr<const Problem> weighted_;  ///< null without weights
};

/// Reads examples to learn from. OptionError for an unknown task, option or format; InputError with
/// file, line and remedy for what cannot be read.
Examples read_examples(std::string_view task, const DataSource& source,
                       const TaskOptions& options = {});

/// The same, but nothing is read before it is needed: for examples to test on, which a model reads
/// by its own names.
Examples open_examples(std::string_view task, const DataSource& source,
                       const TaskOptions& options = {});

/// Examples put together in memory, for tasks whose inputs are rows: a row is a token of a sequence
/// or the input of a classifier.
///
///   ExampleRows rows("sequence");
///   for (const Sentence& sentence : sentences) {
///     for (const Word& word : sentence) {
///       rows.attribute("word=" + word.text).attribute("length", word.size()).label(word.tag);
///       rows.end_row();
///     }
///     rows.end_example();
///   }
///   const Fit result = fit(rows.finish());
class ExampleRows {
 public:
  /// OptionError if the task takes no rows or has no such options.
  explicit ExampleRows(std::string_view task, TaskOptions options = {});
  ~ExampleRows();
  ExampleRows(ExampleRows&&) noexcept;             ///< moves what was added
  ExampleRows& operator=(ExampleRows&&) noexcept;  ///< moves what was added

  /// An attribute with a name, for tasks whose attributes have names.
  ExampleRows& attribute(std::string_view name, double value = 1.0);
  /// A feature with a number from 1 on, in increasing order within a row.
  ExampleRows& feature(Index number, double value);
  /// Features 1, 2, ...; zeros are left out.
  ExampleRows& features(std::span<const double> values);
  /// A label of the row at hand: one for a token or a class, any number for sets of labels, none
  /// for what is only to be predicted.
  ExampleRows& label(std::string_view name);
  void end_row();      ///< the token or input at hand is complete
  void end_example();  ///< so is the sequence; ends its last row too, if that was not done

  /// What was added so far; the rows are empty afterwards.
  Examples finish();

 private:
  std::string task_;
  TaskOptions options_;
  std::unique_ptr<internal::RowStore> store_;
};

}  // namespace gapwise
