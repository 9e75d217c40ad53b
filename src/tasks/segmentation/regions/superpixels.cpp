#include <algorithm>
#include <array>
#include <limits>

#include "tasks/segmentation/colour_bins.h"
#include "tasks/segmentation/regions/region_map.h"

namespace gapwise::internal {
namespace {

constexpr int kRounds = 10;
/// How much a distance of one side weighs beside a distance of colours, which go from 0 to 1.
constexpr double kCompactness = 0.15;
constexpr Index kSmallest = 4;  ///< a piece of less than this part of a square joins a neighbour

/// Colour and place of a pixel, or their means over a region.
using Point = std::array<double, 5>;

class Superpixels {
 public:
  Superpixels(const StackImage& image, Index side)
      : map_(cut_into_squares(image, side)), side_(side) {
    points_.reserve(map_.region_of.size());
    const double unit = kCompactness / static_cast<double>(side);
    for (std::size_t p = 0; p < map_.region_of.size(); ++p) {
      Colour colour;
      for (std::size_t c = 0; c < colour.size(); ++c) {
        colour[c] = static_cast<double>(image.samples[3 * p + c]) / image.max_value;
      }
      const Colour seen = opponents(colour);
      const auto at = static_cast<Index>(p);
      points_.push_back({seen[0], seen[1], seen[2], static_cast<double>(at % map_.width) * unit,
                         static_cast<double>(at / map_.width) * unit});
    }
    pixels_per_unit_ = 1.0 / unit;
  }

  RegionMap cut() {
    for (int round = 0; round < kRounds; ++round) {
      find_centres();
      assign();
    }
    connect();
    return std::move(map_);
  }

 private:
  void find_centres() {
    centres_.assign(static_cast<std::size_t>(map_.num_regions), Point{});
    std::vector<double> sizes(centres_.size(), 0.0);
    for (std::size_t p = 0; p < points_.size(); ++p) {
      const auto region = static_cast<std::size_t>(map_.region_of[p]);
      for (std::size_t k = 0; k < points_[p].size(); ++k) centres_[region][k] += points_[p][k];
      sizes[region] += 1.0;
    }
    for (std::size_t r = 0; r < centres_.size(); ++r) {
      for (double& x : centres_[r]) x /= std::max(1.0, sizes[r]);
      if (sizes[r] == 0.0) centres_[r][0] = kNowhere;
    }
  }

  void assign() {
    nearest_.assign(points_.size(), std::numeric_limits<double>::infinity());
    for (std::size_t r = 0; r < centres_.size(); ++r) {
      const Point& centre = centres_[r];
      if (centre[0] == kNowhere) continue;
      const auto x = static_cast<Index>(centre[3] * pixels_per_unit_);
      const auto y = static_cast<Index>(centre[4] * pixels_per_unit_);
      for (Index row = std::max<Index>(0, y - side_); row <= std::min(map_.height - 1, y + side_);
           ++row) {
        for (Index column = std::max<Index>(0, x - side_);
             column <= std::min(map_.width - 1, x + side_); ++column) {
          const auto p = static_cast<std::size_t>(row * map_.width + column);
          double distance = 0.0;
          for (std::size_t k = 0; k < centre.size(); ++k) {
            distance += (points_[p][k] - centre[k]) * (points_[p][k] - centre[k]);
          }
          if (distance >= nearest_[p]) continue;
          nearest_[p] = distance;
          map_.region_of[p] = static_cast<std::int32_t>(r);
        }
      }
    }
  }

  /// Numbers connected pieces in the order of their first pixels; small ones join the region left
  /// of or above their first pixel.
  void connect() {
    const std::vector<std::int32_t> old =
        std::exchange(map_.region_of, std::vector<std::int32_t>(points_.size(), kNone));
    const auto smallest = static_cast<std::size_t>(std::max<Index>(1, side_ * side_ / kSmallest));
    std::int32_t next = 0;
    std::vector<Index> piece;
    for (Index first = 0; first < map_.num_pixels(); ++first) {
      if (map_.region_of[static_cast<std::size_t>(first)] != kNone) continue;
      fill(old, first, next, piece);
      if (piece.size() >= smallest || first == 0) {
        ++next;
        continue;
      }
      const Index before = first % map_.width > 0 ? first - 1 : first - map_.width;
      const std::int32_t joined = map_.region_of[static_cast<std::size_t>(before)];
      for (const Index p : piece) map_.region_of[static_cast<std::size_t>(p)] = joined;
    }
    map_.num_regions = next;
  }

  /// piece = all pixels of the old region of `first` that are connected to it; they become
  /// `region`.
  void fill(const std::vector<std::int32_t>& old, Index first, std::int32_t region,
            std::vector<Index>& piece) {
    piece.assign(1, first);
    map_.region_of[static_cast<std::size_t>(first)] = region;
    for (std::size_t k = 0; k < piece.size(); ++k) {
      const Index p = piece[k];
      const auto visit = [&](bool is_inside, Index to) {
        if (!is_inside) return;
        const auto at = static_cast<std::size_t>(to);
        if (map_.region_of[at] != kNone || old[at] != old[static_cast<std::size_t>(first)]) return;
        map_.region_of[at] = region;
        piece.push_back(to);
      };
      visit(p % map_.width > 0, p - 1);
      visit(p % map_.width + 1 < map_.width, p + 1);
      visit(p >= map_.width, p - map_.width);
      visit(p + map_.width < map_.num_pixels(), p + map_.width);
    }
  }

  static constexpr std::int32_t kNone = -1;
  static constexpr double kNowhere = 1e9;  ///< of a region without pixels

  RegionMap map_;
  Index side_;
  double pixels_per_unit_ = 1.0;
  std::vector<Point> points_;
  std::vector<Point> centres_;
  std::vector<double> nearest_;
};

}  // namespace

RegionMap cut_into_superpixels(const StackImage& image, Index side) {
  return Superpixels(image, side).cut();
}

}  // namespace gapwise::internal
