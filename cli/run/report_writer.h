#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "report/report.h"

namespace gapwise::internal::cli {

/// Keeps the page of a run or a comparison up to date; it is replaced whole.
class ReportWriter {
 public:
  /// `base` holds what does not change. Without `every` the page is only written at the end.
  ReportWriter(std::string file, std::optional<double> every, ReportInput base);

  ReportInput& input() { return input_; }
  /// A run goes on, and its trace has these lines so far: writes the page if it is time.
  void on_progress(const std::vector<std::string>& lines, const std::string& label);
  /// A run has ended.
  void add(const std::vector<std::string>& lines, const std::string& label);
  void write() const;

 private:
  std::string file_;
  std::optional<double> every_;  ///< seconds
  ReportInput input_;
  std::optional<std::chrono::steady_clock::time_point> written_;
};

}  // namespace gapwise::internal::cli
