#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gapwise/lambda_search.h"

namespace gapwise::internal::cli {

/// How lambda is to be chosen, as the options say.
struct LambdaChoiceSettings {
  LambdaSearchSettings search;
  std::string validate;  ///< a file
  std::string group_by;  ///< a file

  OptionTable rows();
  /// Completes `search` from the files that the options name.
  void read(std::string_view task, const std::string& format, const TaskOptions& task_options);
};

/// A line on standard error for every lambda that was tried.
class LambdaConsole final : public LambdaSearchObserver {
 public:
  /// Of a search as in `settings`.
  LambdaConsole(const LambdaSearchSettings& settings, bool is_quiet)
      : settings_(settings), is_quiet_(is_quiet) {}

  void on_start(Index folds, const std::vector<double>& grid) override {
    folds_ = folds;
    values_ = std::ssize(grid);
  }
  void on_point(Index fold, const PathPoint& point) override;
  void on_failure(const std::string& what) override;
  bool wants_stop() override;

  /// The first failure to write a file.
  const std::optional<std::string>& failure() const { return failure_; }

 private:
  std::string time_left() const;

  const LambdaSearchSettings& settings_;
  bool is_quiet_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  Index folds_ = 0;
  Index values_ = 0;  ///< of lambda; 0: not known
  Index points_ = 0;
  std::optional<std::string> failure_;
};

/// Score and spread over lambda, for people; the chosen one is marked.
std::string to_table(const LambdaSearch& search);
/// The same as one JSON object.
std::string to_json(const LambdaSearch& search);

}  // namespace gapwise::internal::cli
