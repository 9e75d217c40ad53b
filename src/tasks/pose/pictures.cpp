#include "tasks/pose/pictures.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gapwise::internal {
namespace {

using Rgb = std::array<std::uint8_t, 3>;
constexpr Rgb kRight{90, 150, 250};
constexpr Rgb kFound{250, 150, 40};
constexpr double kBrightest = 160.0;  // of a cell, so that lines stand out
constexpr Index kSide = 320;          // small grids are enlarged to about this

/// A grid whose cells are squares of pixels.
class Canvas {
 public:
  explicit Canvas(const GridShape& grid)
      : grid_(grid), zoom_(std::max<Index>(1, kSide / std::max(grid.width, grid.height))) {
    picture_.width = grid.width * zoom_;
    picture_.height = grid.height * zoom_;
    picture_.bytes.assign(static_cast<std::size_t>(3 * picture_.width * picture_.height), 0);
  }

  void fill(std::int32_t cell, const Rgb& colour) {
    for (Index y = 0; y < zoom_; ++y) {
      for (Index x = 0; x < zoom_; ++x) {
        set(grid_.x_of(cell) * zoom_ + x, grid_.y_of(cell) * zoom_ + y, colour);
      }
    }
  }
  void draw_line(const GridPoint& from, const GridPoint& to, const Rgb& colour) {
    const double length = std::max(std::abs(to.x - from.x), std::abs(to.y - from.y));
    const auto steps = std::max<Index>(1, std::lround(length * static_cast<double>(zoom_)));
    for (Index k = 0; k <= steps; ++k) {
      const double share = static_cast<double>(k) / static_cast<double>(steps);
      set(pixel(from.x + share * (to.x - from.x)), pixel(from.y + share * (to.y - from.y)), colour);
    }
  }
  void draw_joint(const GridPoint& at, const Rgb& colour) {
    for (Index dy = -1; dy <= 1; ++dy) {
      for (Index dx = -1; dx <= 1; ++dx) set(pixel(at.x) + dx, pixel(at.y) + dy, colour);
    }
  }
  Picture take() { return std::move(picture_); }

 private:
  /// A place is the middle of its cell.
  Index pixel(double place) const {
    return std::lround((place + 0.5) * static_cast<double>(zoom_) - 0.5);
  }
  void set(Index x, Index y, const Rgb& colour) {
    if (x < 0 || y < 0 || x >= picture_.width || y >= picture_.height) return;
    std::copy(colour.begin(), colour.end(), picture_.bytes.begin() + 3 * (y * picture_.width + x));
  }

  GridShape grid_;
  Index zoom_;
  Picture picture_;
};

void draw_limbs(const Skeleton& skeleton, std::span<const GridPoint> joints, const Rgb& colour,
                Canvas& canvas) {
  const auto is_known = [](const GridPoint& p) { return std::isfinite(p.x) && std::isfinite(p.y); };
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (!is_known(joints[j])) continue;
    canvas.draw_joint(joints[j], colour);
    const std::int32_t parent = skeleton.tree.parent(j);
    if (parent == PartTree::kNone) continue;
    const GridPoint& end = joints[static_cast<std::size_t>(parent)];
    if (is_known(end)) canvas.draw_line(joints[j], end, colour);
  }
}

/// The strongest value of the maps at each cell that has any, from 0 to 1.
std::vector<double> brightness(const PoseData& data, Index i) {
  const auto k = static_cast<std::size_t>(i);
  std::vector<double> values;
  double top = 0.0;
  for (std::size_t r = data.cell_starts[k]; r < data.cell_starts[k + 1]; ++r) {
    const FeatureRow row = data.maps.row(r);
    double strongest = 0.0;
    for (std::size_t f = 0; f < row.size; ++f) {
      strongest = std::max(strongest, row.values != nullptr ? row.values[f] : 1.0);
    }
    values.push_back(strongest);
    top = std::max(top, strongest);
  }
  for (double& value : values) value = top > 0.0 ? value / top : 0.0;
  return values;
}

}  // namespace

Picture draw_figure(const PoseBatch& batch, Index i) {
  const PoseData& data = batch.data;
  Canvas canvas(data.grid);
  const std::vector<double> values = brightness(data, i);
  for (std::size_t r = 0; r < values.size(); ++r) {
    const auto grey = static_cast<std::uint8_t>(kBrightest * values[r]);
    canvas.fill(data.cells[data.cell_starts[static_cast<std::size_t>(i)] + r], {grey, grey, grey});
  }
  draw_limbs(data.skeleton, data.joints_of(i), kRight, canvas);
  std::vector<GridPoint> found;
  for (const std::int32_t cell : batch.predicted_of(i)) {
    found.push_back(
        {static_cast<double>(data.grid.x_of(cell)), static_cast<double>(data.grid.y_of(cell))});
  }
  draw_limbs(data.skeleton, found, kFound, canvas);
  return canvas.take();
}

}  // namespace gapwise::internal
