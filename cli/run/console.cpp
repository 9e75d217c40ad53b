#include "run/console.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "shell/text.h"

namespace gapwise::internal::cli {
namespace {

constexpr double kSecondsBetweenDraws = 0.1;
constexpr double kSecondsBeforeLine = 2.0;  // of reading, where it is not shown live

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

std::size_t columns_of_terminal() {
  winsize size{};
  constexpr std::size_t kUsual = 80;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2) return kUsual;
  return size.ws_col;
}

ProgressForm settled(ProgressForm form) {
  if (form != ProgressForm::kAuto) return form;
  return isatty(STDERR_FILENO) == 1 ? ProgressForm::kBar : ProgressForm::kPlain;
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

double TimeLeft::share_done(const Progress& progress) const {
  const double spent = progress.seconds;
  if (const auto left = guess(progress)) return spent / (spent + *left);
  if (target_ > 0.0 && !history_.empty() && history_.back().second <= target_) return 1.0;
  double share = static_cast<double>(progress.passes) / static_cast<double>(options_.max_passes);
  if (options_.max_seconds) share = std::max(share, spent / *options_.max_seconds);
  return share;
}

bool has_colours() {
  const char* const refusal = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  const bool is_dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return isatty(STDERR_FILENO) == 1 && !is_dumb && (refusal == nullptr || *refusal == '\0');
}

std::string fitting(const std::vector<std::string>& parts, std::size_t width) {
  std::string line = parts.front();
  for (std::size_t k = 1; k < parts.size(); ++k) {
    if (line.size() + 2 + parts[k].size() > width) continue;
    line += "  " + parts[k];
  }
  return line;
}

std::string bar_of(double share, std::size_t width) {
  const auto filled =
      static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(width) + 0.5);
  return "[" + std::string(filled, '#') + std::string(width - filled, '-') + "]";
}

ReadingLine::ReadingLine(const std::string& file, bool is_quiet, ProgressForm form)
    : form_(settled(form)),
      is_quiet_(is_quiet),
      began_(now()),
      next_(began_),
      watch_([this](const std::string& name, std::uint64_t read, std::uint64_t size) {
        if (!is_quiet_ && now() >= next_) show(name, read, size);
      }) {
  if (form_ == ProgressForm::kBar) {
    if (!is_quiet_) show(file, 0, 0);
  } else {
    next_ = began_ + kSecondsBeforeLine;
  }
}

ReadingLine::~ReadingLine() {
  if (!is_quiet_ && form_ == ProgressForm::kBar) put("\r\x1b[K");
}

void ReadingLine::show(const std::string& file, std::uint64_t read, std::uint64_t size) {
  constexpr double kMegabyte = 1e6;
  std::string line = fmt::format("reading {} ...", file);
  if (size > 0) {
    const double share = static_cast<double>(read) / static_cast<double>(size);
    line += fmt::format(" {:.0f} %", std::floor(100.0 * std::min(1.0, share)));
  } else if (read > 0) {
    line += fmt::format(" {:.0f} MB", static_cast<double>(read) / kMegabyte);
  }
  if (form_ == ProgressForm::kBar) {
    put("\r\x1b[K" + line.substr(0, columns_of_terminal() - 1));
    next_ = now() + kSecondsBetweenDraws;
  } else if (form_ == ProgressForm::kPlain) {
    put(line + "\n");
    next_ = now() + (now() - began_);
  }
}

Console::Console(const TrainOptions& options, bool is_quiet, ProgressForm form)
    : is_quiet_(is_quiet), form_(settled(form)), time_left_(options) {}

void Console::say(const std::string& line) {
  if (!is_quiet_ && form_ != ProgressForm::kJson) warn(line);
}

void Console::warn(const std::string& line) {
  close();
  put(line + "\n");
}

void Console::on_pass(const Progress& progress) {
  if (is_quiet_ || form_ != ProgressForm::kBar) return;
  time_left_.record(progress, relative_gap_or_estimate(progress));
  if (now() - drawn_at_ >= kSecondsBetweenDraws) draw(progress);
}

void Console::on_measure(const Progress& progress) {
  if (is_quiet_ || form_ == ProgressForm::kJson) return;
  last_primal_ = progress.primal;
  time_left_.record(progress, relative_gap_or_estimate(progress));
  if (form_ == ProgressForm::kBar) {
    draw(progress);
  } else {
    put(plain_line(progress) + "\n");
  }
}

void Console::on_trace(const std::string& line) {
  if (!is_quiet_ && form_ == ProgressForm::kJson) put(line + "\n");
}

void Console::stage(const std::string& what) {
  if (is_quiet_ || form_ != ProgressForm::kBar) return;
  put("\r\x1b[K" + what.substr(0, columns_of_terminal() - 1));
  is_drawn_ = false;
  is_staged_ = true;
}

void Console::close() {
  if (is_drawn_) put("\n");
  if (is_staged_) put("\r\x1b[K");
  is_drawn_ = false;
  is_staged_ = false;
}

std::vector<std::string> Console::parts(const Progress& progress) const {
  const char* mark = mark_of(progress);
  const double gap = relative_gap_or_estimate(progress);
  const std::string shown_gap =
      std::isfinite(gap) ? fmt::format("{}{}", mark, show_percent(gap)) : "?";
  const std::string shown_primal =
      last_primal_ ? fmt::format("{}{}", mark, show(*last_primal_)) : "?";
  std::vector<std::string> parts{
      fmt::format("pass {:<4} {:.1f} s", progress.passes, progress.seconds)};
  if (progress.has_dual()) parts.push_back(fmt::format("gap {}", shown_gap));
  if (const auto left = time_left_.guess(progress)) {
    parts.push_back(fmt::format("{} left", show_duration(*left)));
  }
  parts.push_back(fmt::format("primal {:<9}", shown_primal));
  if (progress.has_dual()) parts.push_back(fmt::format("dual {:<9}", show(progress.dual)));
  parts.push_back(fmt::format("{} calls", show_count(progress.oracle_calls)));
  return parts;
}

std::string Console::plain_line(const Progress& progress) const {
  const std::vector<std::string> all = parts(progress);
  const auto find = [&](std::string_view word) {
    const auto part = std::find_if(all.begin(), all.end(), [&](const std::string& text) {
      return text.find(word) != std::string::npos;
    });
    return part == all.end() ? std::string() : "  " + *part;
  };
  return all.front() + find("primal") + find("dual") + find("gap") + find("calls") + find("left");
}

void Console::draw(const Progress& progress) {
  constexpr std::size_t kBar = 20;
  constexpr std::size_t kNarrow = 56;  // without room for a bar
  const std::size_t width = columns_of_terminal() - 1;
  const bool has_bar = width >= kNarrow;
  std::string line = fitting(parts(progress), has_bar ? width - kBar - 3 : width).substr(0, width);
  if (has_bar) {
    const bool has_colour = has_colours();
    line = fmt::format("{}{}{} {}", has_colour ? "\x1b[36m" : "",
                       bar_of(time_left_.share_done(progress), kBar), has_colour ? "\x1b[0m" : "",
                       line);
  }
  put("\r\x1b[K" + line);
  is_drawn_ = true;
  is_staged_ = false;
  drawn_at_ = now();
}

}  // namespace gapwise::internal::cli
