#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gapwise/progress.h"
#include "gapwise/train_options.h"
#include "io/read_watch.h"

namespace gapwise::internal::cli {

/// Guesses how long a run will still take, from the way its gap has shrunk so far.
class TimeLeft {
 public:
  explicit TimeLeft(TrainOptions options);

  void record(const Progress& progress, double relative_gap);
  /// Seconds until the gap asked for or a budget is reached; none while that cannot be told.
  std::optional<double> guess(const Progress& progress) const;
  /// How much of the time the run has used by that guess, or of its budgets; 0 to 1.
  double share_done(const Progress& progress) const;

 private:
  std::optional<double> until_gap() const;

  TrainOptions options_;
  std::vector<std::pair<double, double>> history_;  ///< seconds, relative gap
  double target_ = 0.0;                             ///< relative gap to reach
};

/// How progress is shown: a live line with a bar, a line per measurement, a JSON object per
/// measurement; a bar on a terminal and lines elsewhere unless told otherwise.
enum class ProgressForm { kAuto, kPlain, kBar, kJson };
constexpr std::array<std::string_view, 4> enum_names(ProgressForm) {
  return {"auto", "plain", "bar", "json"};
}

/// Whether text on standard error may have colours: on a terminal, unless NO_COLOR is set.
bool has_colours();

/// Parts of a line, the most important ones first: as many as fit into `width` characters, in the
/// order of the list. Always the first one.
std::string fitting(const std::vector<std::string>& parts, std::size_t width);

/// A bar of `width` characters between brackets, filled to `share`.
std::string bar_of(double share, std::size_t width);

/// Says which file is being read, and how far it is: in a live line, gone with the object, or
/// where there is none in lines that come ever more rarely.
class ReadingLine {
 public:
  ReadingLine(const std::string& file, bool is_quiet, ProgressForm form);
  ~ReadingLine();
  ReadingLine(const ReadingLine&) = delete;
  ReadingLine& operator=(const ReadingLine&) = delete;

 private:
  void show(const std::string& file, std::uint64_t read, std::uint64_t size);

  ProgressForm form_;  ///< settled
  bool is_quiet_;
  double began_;
  double next_;  ///< when to say more
  ReadWatch watch_;
};

/// Progress on standard error.
class Console {
 public:
  Console(const TrainOptions& options, bool is_quiet, ProgressForm form = ProgressForm::kAuto);

  void say(const std::string& line);
  void warn(const std::string& line);  ///< even if quiet
  void on_pass(const Progress& progress);
  void on_measure(const Progress& progress);
  /// One measurement as it stands in the trace, if that is what is to be shown.
  void on_trace(const std::string& line);
  /// A live line for what is not a measurement, in the place of the one that is there.
  void stage(const std::string& what);
  /// Ends the live line, so that other text may follow.
  void close();

 private:
  /// What a line tells, the most important part first.
  std::vector<std::string> parts(const Progress& progress) const;
  std::string plain_line(const Progress& progress) const;
  void draw(const Progress& progress);

  bool is_quiet_;
  ProgressForm form_;  ///< settled
  TimeLeft time_left_;
  std::optional<double> last_primal_;  ///< shown with a mark between two measurements
  bool is_drawn_ = false;              ///< there is a live line
  bool is_staged_ = false;             ///< and it is of a stage
  double drawn_at_ = 0.0;
};

}  // namespace gapwise::internal::cli
