#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gapwise/progress.h"
#include "gapwise/train_options.h"

namespace gapwise::internal::cli {

/// Guesses how long a run will still take, from the way its gap has shrunk so far.
class TimeLeft {
 public:
  explicit TimeLeft(TrainOptions options);

  void record(const Progress& progress, double relative_gap);
  /// Seconds until the gap asked for or a budget is reached; none while that cannot be told.
  std::optional<double> guess(const Progress& progress) const;

 private:
  std::optional<double> until_gap() const;

  TrainOptions options_;
  std::vector<std::pair<double, double>> history_;  ///< seconds, relative gap
  double target_ = 0.0;                             ///< relative gap to reach
};

/// Progress on standard error: one live line on a terminal, otherwise a line per measurement.
class Console {
 public:
  Console(const TrainOptions& options, bool is_quiet);

  void say(const std::string& line);
  void warn(const std::string& line);  ///< even if quiet
  void on_pass(const Progress& progress);
  void on_measure(const Progress& progress);
  /// Ends the live line, so that other text may follow.
  void close();

 private:
  std::string line(const Progress& progress) const;
  void draw(std::string text);

  bool is_quiet_;
  bool is_live_;
  TimeLeft time_left_;
  std::optional<double> last_primal_;  ///< shown with a mark between two measurements
  std::size_t drawn_ = 0;              ///< characters on the live line
  double drawn_at_ = 0.0;
};

}  // namespace gapwise::internal::cli
