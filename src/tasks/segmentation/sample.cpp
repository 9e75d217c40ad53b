#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tasks/segmentation/driver.h"
#include "tasks/segmentation/pixel_features.h"

namespace gapwise::internal {
namespace {

constexpr Index kWidth = 24;
constexpr Index kHeight = 18;
constexpr Colour kWarm{0.62, 0.48, 0.4};
constexpr Colour kCool{0.42, 0.5, 0.58};
constexpr double kJitter = 0.05;  // of a whole picture
constexpr double kNoise = 0.35;   // of single pixels

double between(double low, double high, Rng& rng) {
  return low + (high - low) * rng.uniform();
}

/// An ellipse or a box.
class Shape {
 public:
  explicit Shape(Rng& rng)
      : is_box_(rng.below(2) == 0),
        x_(between(0.25, 0.75, rng) * kWidth),
        y_(between(0.25, 0.75, rng) * kHeight),
        radius_x_(between(0.12, 0.32, rng) * kWidth),
        radius_y_(between(0.12, 0.32, rng) * kHeight) {}

  bool contains(Index x, Index y) const {
    const double across = std::fabs(static_cast<double>(x) - x_) / radius_x_;
    const double down = std::fabs(static_cast<double>(y) - y_) / radius_y_;
    return is_box_ ? std::max(across, down) <= 1.0 : across * across + down * down <= 1.0;
  }

 private:
  bool is_box_;
  double x_;
  double y_;
  double radius_x_;
  double radius_y_;
};

Colour shifted(const Colour& colour, double by, Rng& rng) {
  Colour result = colour;
  for (double& part : result) part = std::clamp(part + between(-by, by, rng), 0.0, 1.0);
  return result;
}

/// How alike two colours are, from 0 to 1.
double likeness(const Colour& a, const Colour& b) {
  double squares = 0.0;
  for (std::size_t c = 0; c < a.size(); ++c) squares += (a[c] - b[c]) * (a[c] - b[c]);
  return std::exp(-4.0 * squares);
}

void add_edge(const PixelGrid& grid, Index from, Index to, std::string& text) {
  fmt::format_to(std::back_inserter(text), "edge {} {} near alike:{:.2f}\n", from + 1, to + 1,
                 likeness(grid.colours[static_cast<std::size_t>(from)],
                          grid.colours[static_cast<std::size_t>(to)]));
}

void add_picture(Rng& rng, std::string& text) {
  const Shape first(rng);
  const Shape second(rng);
  const Colour warm = shifted(kWarm, kJitter, rng);
  const Colour cool = shifted(kCool, kJitter, rng);
  PixelGrid grid{kWidth, kHeight, {}};
  fmt::format_to(std::back_inserter(text), "graph {}x{}\n", kWidth, kHeight);
  for (Index y = 0; y < kHeight; ++y) {
    for (Index x = 0; x < kWidth; ++x) {
      const bool is_inside = first.contains(x, y) || second.contains(x, y);
      const Colour colour = shifted(is_inside ? warm : cool, kNoise, rng);
      grid.colours.push_back(colour);
      fmt::format_to(std::back_inserter(text), "node {} bias red:{:.2f} green:{:.2f} blue:{:.2f}\n",
                     is_inside ? 1 : 0, colour[0], colour[1], colour[2]);
    }
  }
  for (Index v = 0; v < kWidth * kHeight; ++v) {
    if (v % kWidth + 1 < kWidth) add_edge(grid, v, v + 1, text);
    if (v + kWidth < kWidth * kHeight) add_edge(grid, v, v + kWidth, text);
  }
}

}  // namespace

std::string sample_segmentation(Index examples, Rng& rng) {
  std::string text;
  for (Index i = 0; i < examples; ++i) add_picture(rng, text);
  return text;
}

}  // namespace gapwise::internal
