#include "report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/html.h"

namespace gapwise::internal {
namespace {

// Half pixels of a chart 760 wide, so that whole numbers are exact enough.
constexpr double kWidth = 1520.0;
constexpr double kHeight = 640.0;
constexpr double kLeft = 150.0;
constexpr double kRight = 30.0;
constexpr double kTop = 24.0;
constexpr double kBottom = 96.0;
constexpr double kColumn = 3.0;  // steps that are nearer than this are drawn as one

/// From values to places on the paper.
class Axis {
 public:
  Axis(bool is_log, double from, double to) : is_log_(is_log), from_(from), to_(to) {}

  bool takes(double value) const { return std::isfinite(value) && (!is_log_ || value > 0.0); }
  void see(double value) {
    if (!takes(value)) return;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  /// Room around what was seen.
  void settle(bool starts_at_zero) {
    if (low_ > high_) low_ = is_log_ ? 1.0 : 0.0, high_ = is_log_ ? 10.0 : 1.0;
    if (starts_at_zero && !is_log_) low_ = std::min(low_, 0.0);
    if (is_log_) {
      if (high_ / low_ < 1.5) low_ /= 1.5, high_ *= 1.5;
      return;
    }
    const double room = high_ > low_ ? 0.04 * (high_ - low_) : std::max(0.5 * std::abs(high_), 0.5);
    if (!starts_at_zero) low_ -= room;
    high_ += room;
  }
  double place(double value) const {
    const double clipped = std::clamp(value, low_, high_);
    const double share = is_log_ ? std::log(clipped / low_) / std::log(high_ / low_)
                                 : (clipped - low_) / (high_ - low_);
    return std::round(from_ + share * (to_ - from_));
  }
  std::vector<double> ticks(int count) const { return ticks_of(low_, high_, is_log_, count); }

 private:
  bool is_log_;
  double from_;
  double to_;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

/// The path of a line; steps hold their value until the next x.
class Pen {
 public:
  explicit Pen(bool is_joined) : is_joined_(is_joined) {}

  void to(double x, double y) {
    if (path_.empty()) {
      path_ = fmt::format("M{} {}", x, y);
    } else if (is_joined_) {
      path_ += fmt::format("l{} {}", x - x_, y - y_);
    } else {
      if (x != x_) path_ += fmt::format("h{}", x - x_);
      if (y != y_) path_ += fmt::format("v{}", y - y_);
    }
    x_ = x;
    y_ = y;
  }
  const std::string& path() const { return path_; }

 private:
  bool is_joined_;
  std::string path_;
  double x_ = 0.0;
  double y_ = 0.0;
};

struct Paper {
  Axis x;
  Axis y;
};

/// The places of `values` over those of x; what is too near to the one before is drawn over it.
std::vector<std::pair<double, double>> places_of(const Band& band, const std::vector<double>& y,
                                                 const Paper& paper, bool is_joined) {
  std::vector<std::pair<double, double>> places;
  for (std::size_t k = 0; k < band.x.size(); ++k) {
    if (!paper.x.takes(band.x[k]) || !paper.y.takes(y[k])) continue;
    const double at = paper.x.place(band.x[k]);
    const double height = paper.y.place(y[k]);
    const bool is_near = !places.empty() && std::abs(at - places.back().first) < kColumn;
    if (is_near && !is_joined && k + 1 < band.x.size()) {
      places.back().second = height;
    } else {
      places.emplace_back(at, height);
    }
  }
  return places;
}

std::string line_of(const Series& series, const Paper& paper) {
  Pen pen(series.is_joined);
  const auto places = places_of(series.band, series.band.middle, paper, series.is_joined);
  for (const auto& [x, y] : places) pen.to(x, y);
  std::string out = fmt::format("<path class=\"{}\" d=\"{}\"/>",
                                line_class(series.colour, series.is_dashed), pen.path());
  if (!series.is_joined && places.size() > 1) return out;
  for (const auto& [x, y] : places) {
    out += fmt::format("<circle class=\"d{}\" cx=\"{}\" cy=\"{}\" r=\"6\"/>",
                       series.colour % kPalette, x, y);
  }
  return out;
}

std::string area_of(const Series& series, const Paper& paper) {
  if (series.band.low == series.band.high) return {};
  Pen pen(series.is_joined);
  const auto high = places_of(series.band, series.band.high, paper, series.is_joined);
  auto low = places_of(series.band, series.band.low, paper, series.is_joined);
  if (high.size() < 2 || low.size() < 2) return {};
  for (const auto& [x, y] : high) pen.to(x, y);
  // Backwards a step goes down before it goes on, so the lower edge is drawn by its own corners.
  std::string path = pen.path();
  path += fmt::format("L{} {}", low.back().first, low.back().second);
  for (std::size_t k = low.size() - 1; k-- > 0;) {
    if (series.is_joined) {
      path += fmt::format("L{} {}", low[k].first, low[k].second);
    } else {
      path += fmt::format("V{}H{}", low[k].second, low[k].first);
    }
  }
  return fmt::format("<path class=\"b{}\" d=\"{}Z\"/>", series.colour % kPalette, path);
}

std::string grid_of(const Chart& chart, const Paper& paper) {
  std::string out;
  for (const double tick : paper.y.ticks(6)) {
    const double y = paper.y.place(tick);
    out += fmt::format("<path class=\"grid\" d=\"M{} {}H{}\"/>", kLeft, y, kWidth - kRight);
    out += fmt::format("<text class=\"end\" x=\"{}\" y=\"{}\">{}</text>", kLeft - 12, y + 8,
                       show_short(tick));
  }
  double last = -std::numeric_limits<double>::infinity();
  std::vector<std::pair<double, double>> marks;
  for (const double tick : paper.x.ticks(8)) marks.emplace_back(paper.x.place(tick), tick);
  std::sort(marks.begin(), marks.end());
  for (const auto& [x, tick] : marks) {
    out += fmt::format("<path class=\"grid\" d=\"M{} {}V{}\"/>", x, kTop, kHeight - kBottom);
    if (x - last < 90.0) continue;  // its name would stand in that of the one before
    out += fmt::format("<text class=\"mid\" x=\"{}\" y=\"{}\">{}</text>", x, kHeight - kBottom + 34,
                       show_short(tick));
    last = x;
  }
  out += fmt::format("<path class=\"axis\" d=\"M{} {}V{}H{}\"/>", kLeft, kTop, kHeight - kBottom,
                     kWidth - kRight);
  out += fmt::format("<text class=\"mid\" x=\"{}\" y=\"{}\">{}</text>",
                     (kLeft + kWidth - kRight) / 2, kHeight - 16, escaped(chart.x_label));
  out += fmt::format("<text class=\"mid\" transform=\"translate(30 {}) rotate(-90)\">{}</text>",
                     (kTop + kHeight - kBottom) / 2, escaped(chart.y_label));
  return out;
}

}  // namespace

std::string line_class(std::size_t colour, bool is_dashed) {
  return fmt::format("l{}{}{}", colour % kPalette, is_dashed ? " dash" : "",
                     colour >= kPalette ? " dot" : "");
}

std::vector<double> ticks_of(double low, double high, bool is_log, int count) {
  std::vector<double> ticks;
  if (is_log) {
    const double decades = std::log10(high / low);
    const int every = std::max(1, static_cast<int>(std::ceil(decades / count)));
    const std::vector<double> parts =
        decades > 3.0 ? std::vector<double>{1.0} : std::vector<double>{1.0, 2.0, 5.0};
    const int first = static_cast<int>(std::floor(std::log10(low)));
    const int last = static_cast<int>(std::ceil(std::log10(high)));
    for (int power = first; power <= last; ++power) {
      if (power % every != 0) continue;
      for (const double part : parts) {
        const double tick = part * std::pow(10.0, power);
        if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push_back(tick);
      }
    }
    return ticks;
  }
  const double rough = (high - low) / count;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10.0 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= rough) step = factor * power;
  }
  const double first = std::ceil(low / step - 1e-9);
  for (int k = 0; k <= 2 * count; ++k) {
    const double tick = (first + k) * step;
    if (!(tick <= high + 1e-9 * step)) break;
    ticks.push_back(tick == 0.0 ? 0.0 : tick);  // not -0
  }
  return ticks;
}

std::string to_svg(const Chart& chart) {
  const double left = chart.is_falling_x ? kWidth - kRight : kLeft;
  const double right = chart.is_falling_x ? kLeft : kWidth - kRight;
  Paper paper{Axis(chart.is_log_x, left, right), Axis(chart.is_log_y, kHeight - kBottom, kTop)};
  for (const Series& series : chart.series) {
    for (const double x : series.band.x) paper.x.see(x);
    for (const auto* values : {&series.band.low, &series.band.high}) {
      for (const double y : *values) paper.y.see(y);
    }
  }
  paper.x.settle(true);
  paper.y.settle(false);
  std::string out = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">",
                                kWidth, kHeight, escaped(chart.title + ". " + chart.description));
  out += grid_of(chart, paper);
  for (const Series& series : chart.series) out += area_of(series, paper);
  for (const Series& series : chart.series) {
    if (!series.band.is_empty()) out += line_of(series, paper);
  }
  return out + "</svg>\n";
}

}  // namespace gapwise::internal
