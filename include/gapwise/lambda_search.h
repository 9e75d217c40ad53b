#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gapwise/path.h"

namespace gapwise {

/// How to choose lambda: which values are tried, on what they are scored, and by which score.
struct LambdaSearchSettings {
  /// The values: a path, or a grid. Its test examples are what scores; without any, the
  /// folds or the share below are taken from the training examples. Weights are not kept.
  PathSettings path = {};
  Index folds = 0;        ///< cross-validation with so many parts; 0: one held-out part
  double hold_out = 0.2;  ///< the share of the training examples that is held out
  /// The name of the group of every example: a group is never torn apart. Empty: each by itself.
  std::vector<std::string> groups = {};
  /// What a fit with lambda auto does: falling values, each solved roughly, until the score falls.
  /// The gap of the options and the grid of `path` do not matter then. Without folds, two of them
  /// are made of fewer than 5000 examples.
  bool is_quick = false;

  std::string select = {};  ///< name of the metric; empty: the main one of the task
  /// The largest lambda whose score is within a standard error of the best; needs folds.
  bool one_standard_error = false;
};

/// How good one lambda is.
struct LambdaScore {
  double lambda = 0.0;               ///< which
  std::vector<double> scores = {};   ///< by fold
  double mean = 0.0;                 ///< of them
  std::optional<double> error = {};  ///< standard error of the mean, with folds
  Index passes = 0;                  ///< that it took, all folds together
  Index oracle_calls = 0;            ///< likewise
  double seconds = 0.0;              ///< likewise
};

/// What a search has found.
struct LambdaSearch {
  /// By falling lambda; empty only if the search was interrupted too soon.
  std::vector<LambdaScore> table = {};
  std::size_t best = 0;                        ///< the row with the best mean
  std::size_t chosen = 0;                      ///< the same, or by the standard error
  std::string metric = {};                     ///< what was looked at
  Better better = Better::kHigher;             ///< which values of it are good
  StopReason reason = StopReason::kConverged;  ///< why it ended
  double seconds = 0.0;                        ///< of training, all folds together

  double lambda() const { return table[chosen].lambda; }  ///< the one to take
};

/// Looks on while lambdas are tried, with folds from several threads, but never two at a time.
class LambdaSearchObserver {
 public:
  virtual ~LambdaSearchObserver() = default;
  /// Before the first one: how many folds there are, 0 if one part is held out, and the values of a
  /// grid, of which a quick search leaves some out; empty for a path.
  virtual void on_start(Index, const std::vector<double>&) {}
  /// A lambda was tried on a fold; from 0 on.
  virtual void on_point(Index, const PathPoint&) {}
  /// A file of the search could not be written; the search goes on.
  virtual void on_failure(const std::string&) {}
  /// True ends the search as `interrupted`. Asked from several threads at once.
  virtual bool wants_stop() { return false; }
};

/// Tries lambdas and scores them on examples that were not trained on. Folds run at the same time;
/// results do not depend on the threads. With PathSettings::file, every fold has a file of its own
/// behind it, from which a search that was broken off goes on. OptionError if options or settings
/// do not fit the examples.
LambdaSearch search_lambda(const Examples& examples, const TrainOptions& options,
                           const LambdaSearchSettings& settings, LambdaSearchObserver& observer);
/// The same with nobody looking on.
LambdaSearch search_lambda(const Examples& examples, const TrainOptions& options = {},
                           const LambdaSearchSettings& settings = {});

/// The scores of paths or grids that were tested, one of each fold, and what follows from them; of
/// the settings only `select` and `one_standard_error` matter.
LambdaSearch choose_lambda(std::span<const Path> folds, const LambdaSearchSettings& settings);

/// `options` for the training that follows a search: with its lambda, or the usual one if it found
/// none, and with what it has left of the budget of seconds.
TrainOptions with_chosen(TrainOptions options, const LambdaSearch& search);

/// The values of "2^15:2^-15", "2^5:2^-5:4" (every one 1/4 of the one before) or "1,0.1,0.01".
/// OptionError if it is none of these.
std::vector<double> parse_grid(std::string_view text);

}  // namespace gapwise
