#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gapwise/path.h"
#include "gapwise/types.h"
#include "report/gap_histogram.h"

namespace gapwise::internal {

/// One line of a trace: where a run stood when it was measured or tested.
struct Moment {
  Index pass = 0;
  double effective_passes = 0.0;
  double oracle_calls = 0.0;
  std::optional<double> seconds;
  std::optional<double> primal;
  std::optional<double> dual;
  std::optional<double> gap;           ///< absolute
  std::optional<double> relative_gap;  ///< of the primal
  bool is_certified = false;
  std::vector<std::pair<std::string, double>> test;  ///< by metric
  std::string decision;

  std::optional<double> test_of(const std::string& metric) const;
};

/// A run as its trace tells it.
struct Run {
  std::string label;
  std::string group;  ///< equal for runs that differ in their seed only
  std::string task;
  std::string solver;
  std::string objective;
  double lambda = 0.0;
  Index n = 0;
  Index dimension = 0;
  std::optional<std::string> status;  ///< none while the run goes on, or if it was killed
  std::optional<double> train_loss;
  std::optional<Index> peak_rss_bytes;
  std::string main_metric;  ///< to judge by; empty: none
  GapHistogram block_gaps;  ///< at the end; without bins if nothing is known of them
  std::vector<Moment> moments;

  /// Whether two runs minimise the same, so that a bound of one is a bound of the other.
  bool has_objective_of(const Run& other) const;
};

/// A path of lambda, or the scores of a search for it.
struct PathCurve {
  std::string label;
  std::string main_metric;
  bool is_lower_better = false;
  bool is_grid = false;
  double epsilon = 0.0;
  std::vector<PathPoint> points;  ///< by falling lambda
};

/// What there is to report on or to export.
struct RunSet {
  std::vector<Run> runs;
  std::vector<PathCurve> paths;
};

/// The run of the lines of a trace; `name` is for messages.
Run parse_run(std::span<const std::string> lines, const std::string& label,
              const std::string& name);
PathCurve curve_of(const Path& path, const std::string& label);

/// Adds what the file or folder holds: a trace, what `compare` wrote, or a path. InputError if it
/// is none of them.
void read_runs(const std::string& path, RunSet& set);

/// The relative gap to show: the run's own where it is certified, otherwise against the best dual
/// of all runs with the same objective.
std::optional<double> shown_gap(const Moment& moment, double best_dual);
/// -infinity if no run knows one.
double best_dual(std::span<const Run> runs, const Run& run);
/// Whether some measurement of the run has no certificate.
bool lacks_certificate(const Run& run);

/// Runs that differ in their seed only, in the order in which they came.
struct RunGroup {
  std::string name;
  std::vector<const Run*> runs;
};
std::vector<RunGroup> group_runs(std::span<const Run> runs);

}  // namespace gapwise::internal
