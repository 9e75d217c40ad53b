#pragma once

#include <string>

#include "report/report.h"

namespace gapwise::internal {

struct Chart;

/// A chart that scripts leave alone, with words below it. Its numbers stand in a table that
/// follows.
std::string still_figure(Chart& chart, const std::string& words);

// The parts of a page, each empty if there is nothing to tell.

std::string overview_section(const ReportInput& input);
std::string curves_section(const ReportInput& input);
std::string time_to_gap_section(const ReportInput& input);
std::string block_gap_section(const ReportInput& input);
std::string decisions_section(const ReportInput& input);
std::string measurements_section(const ReportInput& input);
std::string lambda_section(const ReportInput& input);
std::string model_section(const ModelView& model);
std::string settings_section(const ReportInput& input);

}  // namespace gapwise::internal
