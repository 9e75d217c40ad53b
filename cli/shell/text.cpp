#include "shell/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gapwise::internal::cli {
namespace {

constexpr std::size_t kWidth = 79;

/// `text` broken at spaces into lines of at most `width` characters.
std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    std::size_t cut = text.rfind(' ', width);
    if (cut == std::string_view::npos || cut == 0) cut = text.find(' ', width);
    if (cut == std::string_view::npos) break;
    lines.emplace_back(text.substr(0, cut));
    text.remove_prefix(cut + 1);
  }
  lines.emplace_back(text);
  return lines;
}

/// A left entry that is too wide for a line, broken behind a '|' between two choices.
std::string wrap_choices(std::string line) {
  std::string out;
  while (line.size() > kWidth) {
    const std::size_t cut = line.rfind('|', kWidth - 1);
    if (cut == std::string::npos) break;
    out += line.substr(0, cut + 1) + "\n";
    line = "      " + line.substr(cut + 1);
  }
  return out + line;
}

}  // namespace

std::string two_columns(const std::vector<std::pair<std::string, std::string>>& rows,
                        std::size_t column) {
  std::string out;
  for (const auto& [left, right] : rows) {
    std::string line = "  " + left;
    if (line.size() + 2 > column) {
      out += wrap_choices(std::move(line)) + "\n";
      line.clear();
    }
    for (const std::string& part : wrap(right, kWidth - column)) {
      out += fmt::format("{:<{}}{}\n", line, column, part);
      line.clear();
    }
  }
  return out;
}

std::string aligned(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.first.size());
  std::string out;
  for (const auto& [left, right] : rows) out += fmt::format("{:<{}}  {}\n", left, width, right);
  return out;
}

std::string columns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  std::string out;
  for (const std::vector<std::string>& row : rows) {
    out += fmt::format("{:<{}}", row[0], widths[0]);
    for (std::size_t k = 1; k < row.size(); ++k) out += fmt::format("  {:>{}}", row[k], widths[k]);
    out += "\n";
  }
  return out;
}

std::string show(double value) {
  return fmt::format("{:.6g}", value);
}

std::string show_percent(double fraction) {
  return fmt::format("{:.3g} %", 100.0 * fraction);
}

std::string show_count(long long count) {
  const std::string digits = fmt::format("{}", count);
  std::string out;
  for (std::size_t k = 0; k < digits.size(); ++k) {
    if (k > 0 && (digits.size() - k) % 3 == 0) out += ',';
    out += digits[k];
  }
  return out;
}

std::string show_duration(double seconds) {
  if (seconds < 100.0) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000.0) return fmt::format("{:.0f} min", seconds / 60.0);
  return fmt::format("{:.1f} h", seconds / 3600.0);
}

}  // namespace gapwise::internal::cli
