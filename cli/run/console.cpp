#include "run/console.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <utility>

#include "shell/text.h"

namespace gapwise::internal::cli {
namespace {

constexpr double kSecondsBetweenDraws = 0.1;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// As measured at this iterate, otherwise the sum of the block gaps last seen.
double relative_gap_or_estimate(const Progress& progress) {
  if (const auto measured = progress.relative_gap()) return *measured;
  return progress.estimated_gap / (progress.dual + progress.estimated_gap);
}

/// Nobody may be reading any more, and training goes on all the same.
void put(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

/// What to read into a primal or gap: about, at least, or the number itself, which is certified.
const char* mark_of(const Progress& progress) {
  if (!progress.primal) return "~";
  if (!progress.has_dual()) return "";
  return progress.is_certified ? "" : ">=";
}

}  // namespace

TimeLeft::TimeLeft(TrainOptions options) : options_(std::move(options)) {}

void TimeLeft::record(const Progress& progress, double relative_gap) {
  if (!(relative_gap > 0.0) || !std::isfinite(relative_gap)) return;
  history_.emplace_back(progress.seconds, relative_gap);
  target_ = options_.relative_gap.value_or(options_.gap ? 0.0 : 0.01);
  if (options_.gap) {
    const double primal = progress.primal.value_or(progress.dual + progress.estimated_gap);
    target_ = std::max(target_, *options_.gap / primal);
  }
}

/// Frank-Wolfe gaps fall like a power of the time: a straight line in log gap over log time,
/// here through the last point and the one at half its time.
std::optional<double> TimeLeft::until_gap() const {
  if (history_.size() < 3 || target_ <= 0.0) return std::nullopt;
  const auto [time, gap] = history_.back();
  const auto half = std::lower_bound(history_.begin(), history_.end(), std::pair{time / 2.0, 0.0});
  if (half->first <= 0.0 || half->first >= time || half->second <= gap) return std::nullopt;
  if (gap <= target_) return 0.0;
  const double power = std::log(half->second / gap) / std::log(time / half->first);
  return time * (std::pow(gap / target_, 1.0 / power) - 1.0);
}

std::optional<double> TimeLeft::guess(const Progress& progress) const {
  std::optional<double> left = until_gap();
  if (!left || progress.passes == 0) return std::nullopt;
  const double per_pass = progress.seconds / static_cast<double>(progress.passes);
  left = std::min(*left, per_pass * static_cast<double>(options_.max_passes - progress.passes));
  if (options_.max_seconds) left = std::min(*left, *options_.max_seconds - progress.seconds);
  if (*left < 1.0) return std::nullopt;
  return left;
}

Console::Console(const TrainOptions& options, bool is_quiet)
    : is_quiet_(is_quiet), is_live_(!is_quiet && isatty(STDERR_FILENO) == 1), time_left_(options) {}

void Console::say(const std::string& line) {
  if (!is_quiet_) warn(line);
}

void Console::warn(const std::string& line) {
  close();
  put(line + "\n");
}

void Console::on_pass(const Progress& progress) {
  if (!is_live_) return;
  time_left_.record(progress, relative_gap_or_estimate(progress));
  if (now() - drawn_at_ >= kSecondsBetweenDraws) draw(line(progress));
}

void Console::on_measure(const Progress& progress) {
  if (is_quiet_) return;
  last_primal_ = progress.primal;
  time_left_.record(progress, relative_gap_or_estimate(progress));
  if (is_live_) {
    draw(line(progress));
  } else {
    put(line(progress) + "\n");
  }
}

void Console::close() {
  if (drawn_ > 0) put("\n");
  drawn_ = 0;
}

std::string Console::line(const Progress& progress) const {
  const char* mark = mark_of(progress);
  const double gap = relative_gap_or_estimate(progress);
  const std::string shown_gap =
      std::isfinite(gap) ? fmt::format("{}{}", mark, show_percent(gap)) : "?";
  const std::string shown_primal =
      last_primal_ ? fmt::format("{}{}", mark, show(*last_primal_)) : "?";
  std::string text = fmt::format("pass {:<4} {:.1f} s  primal {:<9}", progress.passes,
                                 progress.seconds, shown_primal);
  if (progress.has_dual())
    text += fmt::format("  dual {:<9}  gap {}", show(progress.dual), shown_gap);
  text += fmt::format("  {} calls", show_count(progress.oracle_calls));
  if (const auto left = time_left_.guess(progress)) {
    text += fmt::format("  {} left", show_duration(*left));
  }
  return text;
}

void Console::draw(std::string text) {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1) {
    text = text.substr(0, size.ws_col - 1u);
  }
  put(fmt::format("\r{:<{}}", text, drawn_));
  drawn_ = text.size();
  drawn_at_ = now();
}

}  // namespace gapwise::internal::cli
