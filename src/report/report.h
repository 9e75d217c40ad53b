#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gapwise/lambda_search.h"
#include "report/model_view.h"
#include "report/run.h"

namespace gapwise::internal {

/// Names and values to look up, under a heading.
struct SettingsTable {
  std::string title;
  std::vector<std::pair<std::string, std::string>> rows;
};

/// Everything that a page may tell.
struct ReportInput {
  std::string title;               ///< "bcfw on train.txt"
  std::vector<std::string> notes;  ///< what is true of all runs, a line each
  RunSet set;
  std::vector<double> gaps = {0.1, 0.01, 0.001};  ///< relative ones to tell the way to
  std::optional<LambdaSearch> search;
  std::optional<ModelView> model;
  std::vector<SettingsTable> settings;
  /// The page loads itself anew after so many seconds: the run is still going on.
  std::optional<double> reload_seconds;
};

/// One HTML page that needs no other file and asks for none. All numbers stand in tables, all
/// curves are drawn; with a script curves can be zoomed and axes be switched.
std::string to_html(const ReportInput& input);

/// The same as lines of comma-separated values: a line for each measurement of each run.
std::string to_csv(const std::vector<Run>& runs);
/// A line for each point.
std::string to_csv(const std::vector<PathCurve>& paths);

}  // namespace gapwise::internal
