#pragma once

#include <string>
#include <vector>

#include "report/band.h"

namespace gapwise::internal {

/// One line of a chart, with the band of its runs behind it.
struct Series {
  std::string name;
  std::size_t colour = 0;  ///< a place in the palette of the page; beyond it, lines are dotted
  bool is_dashed = false;
  bool is_joined = false;  ///< points joined by straight lines, not steps
  Band band;
};

struct Chart {
  std::string title;
  std::string description;  ///< for those who do not see it
  std::string x_label;
  std::string y_label;
  bool is_log_x = false;
  bool is_log_y = false;
  bool is_falling_x = false;  ///< large values to the left
  std::vector<Series> series;
};

/// Colours that the style knows.
inline constexpr std::size_t kPalette = 8;

/// The chart as an <svg> element that takes its colours from the page. On a logarithmic axis values
/// that are not positive are left out.
std::string to_svg(const Chart& chart);

/// The classes of a line of this series, for the style.
std::string line_class(std::size_t colour, bool is_dashed);

/// Marks of an axis from `low` to `high`: round numbers, about `count` of them; of a logarithmic
/// axis powers of ten, with more between if there are few.
std::vector<double> ticks_of(double low, double high, bool is_log, int count);

}  // namespace gapwise::internal
