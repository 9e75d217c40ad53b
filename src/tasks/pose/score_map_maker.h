#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/random.h"
#include "tasks/pose/problem.h"

namespace gapwise::internal {

constexpr Index kSmallestGrid = 8;
constexpr Index kLargestGrid = 256;
constexpr Index kMostDistractors = 100;

/// How badly the detectors see that stand behind made-up score maps.
struct MapSettings {
  Index grid = 64;        ///< cells across and down
  double noise = 0.3;     ///< how far peaks lie from their joint, in widths of a peak
  Index distractors = 4;  ///< peaks of each map that belong to nothing
  double misses = 0.1;    ///< how often a joint is not seen at all
  std::uint64_t seed = 1;
};

/// Makes one score map for each joint of a figure out of where the joints are, as a poor detector
/// of that joint would: round peaks at the joint, at its mirror image, and where nothing is
/// (docs/pose.md).
class ScoreMapMaker {
 public:
  /// mirror[j] is the joint that a detector takes for j, PartTree::kNone if there is none.
  ScoreMapMaker(const GridShape& grid, const MapSettings& settings,
                std::vector<std::int32_t> mirror);

  void make(std::span<const GridPoint> joints, Rng& rng);
  /// visit(cell, map, value) for all values other than 0 of the maps last made, cell after cell.
  template <class Visit>
  void for_each_value(Visit visit) const {
    for (std::int32_t cell = 0; cell < grid_.cells(); ++cell) {
      for (std::size_t map = 0; map < mirror_.size(); ++map) {
        const double value = values_[index(map, cell)];
        if (value > 0.0) visit(cell, map, value);
      }
    }
  }

 private:
  std::size_t index(std::size_t map, std::int32_t cell) const {
    return static_cast<std::size_t>(cell) * mirror_.size() + map;
  }
  void add_peak(std::size_t map, const GridPoint& at, double height);
  GridPoint shifted(const GridPoint& point, Rng& rng) const;

  GridShape grid_;
  MapSettings settings_;
  std::vector<std::int32_t> mirror_;
  double width_;  ///< standard deviation of a peak, in cells
  std::vector<double> values_;
};

}  // namespace gapwise::internal
