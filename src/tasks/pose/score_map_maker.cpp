#include "tasks/pose/score_map_maker.h"

#include <algorithm>
#include <cmath>

namespace gapwise::internal {
namespace {

/// Width of a peak as a fraction of the longer side of the grid.
constexpr double kPeakWidth = 1.0 / 25.0;
/// Peaks end here, in widths.
constexpr double kPeakReach = 2.0;
/// Heights of peaks.
struct Heights {
  double low;
  double high;
};
constexpr Heights kAtJoint{0.6, 1.0};
constexpr Heights kAtMirror{0.1, 0.5};
constexpr Heights kAtNothing{0.2, 0.8};
/// Values are multiples of this, so that they do not hang on the last bit of the mathematical
/// functions of a machine.
constexpr double kResolution = 1.0 / 1024.0;

double between(double low, double high, Rng& rng) {
  return low + (high - low) * rng.uniform();
}

/// Nearly normal, of mean 0 and variance 1: the sum of twelve uniform numbers, the same everywhere.
double nearly_normal(Rng& rng) {
  double sum = -6.0;
  for (int k = 0; k < 12; ++k) sum += rng.uniform();
  return sum;
}

}  // namespace

ScoreMapMaker::ScoreMapMaker(const GridShape& grid, const MapSettings& settings,
                             std::vector<std::int32_t> mirror)
    : grid_(grid),
      settings_(settings),
      mirror_(std::move(mirror)),
      width_(std::max(0.5, kPeakWidth * std::max(grid.width, grid.height))),
      values_(mirror_.size() * static_cast<std::size_t>(grid.cells())) {}

void ScoreMapMaker::make(std::span<const GridPoint> joints, Rng& rng) {
  std::fill(values_.begin(), values_.end(), 0.0);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const bool is_missed = rng.uniform() < settings_.misses;
    const GridPoint seen = shifted(joints[j], rng);
    const double height = between(kAtJoint.low, kAtJoint.high, rng);
    if (!is_missed) add_peak(j, seen, height);
    if (mirror_[j] != PartTree::kNone) {
      const GridPoint wrong = shifted(joints[static_cast<std::size_t>(mirror_[j])], rng);
      add_peak(j, wrong, between(kAtMirror.low, kAtMirror.high, rng));
    }
    for (Index k = 0; k < settings_.distractors; ++k) {
      const GridPoint nothing{between(0.0, grid_.width - 1.0, rng),
                              between(0.0, grid_.height - 1.0, rng)};
      add_peak(j, nothing, between(kAtNothing.low, kAtNothing.high, rng));
    }
  }
}

GridPoint ScoreMapMaker::shifted(const GridPoint& point, Rng& rng) const {
  const double spread = width_ * settings_.noise;
  const double x = point.x + spread * nearly_normal(rng);
  const double y = point.y + spread * nearly_normal(rng);
  return {std::clamp(x, 0.0, grid_.width - 1.0), std::clamp(y, 0.0, grid_.height - 1.0)};
}

/// Where peaks overlap, the larger value counts.
void ScoreMapMaker::add_peak(std::size_t map, const GridPoint& at, double height) {
  const double reach = kPeakReach * width_;
  const auto first = [&](double middle) {
    return static_cast<std::int32_t>(std::max(0.0, std::ceil(middle - reach)));
  };
  const auto last = [&](double middle, std::int32_t size) {
    return static_cast<std::int32_t>(std::min(size - 1.0, std::floor(middle + reach)));
  };
  for (std::int32_t y = first(at.y); y <= last(at.y, grid_.height); ++y) {
    for (std::int32_t x = first(at.x); x <= last(at.x, grid_.width); ++x) {
      const double away = distance(at, {static_cast<double>(x), static_cast<double>(y)}) / width_;
      if (away > kPeakReach) continue;
      const double value = height * std::exp(-0.5 * away * away);
      double& old = values_[index(map, grid_.cell(x, y))];
      old = std::max(old, std::round(value / kResolution) * kResolution);
    }
  }
}

}  // namespace gapwise::internal
