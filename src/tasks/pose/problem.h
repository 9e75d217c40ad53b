#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "gapwise/option_table.h"
#include "gapwise/problem.h"
#include "infer/part_tree.h"
#include "tasks/shared/feature_rows.h"

namespace gapwise::internal {

/// A place on a grid in units of its cells: (x, y) is the middle of the cell in column x and row y.
struct GridPoint {
  double x = 0.0;
  double y = 0.0;
};

double distance(const GridPoint& a, const GridPoint& b);
/// The cell that a point of the grid lies in.
std::int32_t cell_at(const GridShape& grid, const GridPoint& point);

/// The joints of a figure, and two of them whose distance tells its size.
struct Skeleton {
  PartTree tree;
  std::pair<std::int32_t, std::int32_t> torso{0, 0};

  std::size_t size() const { return tree.size(); }
  /// Of the figure with these joints.
  double torso_size(std::span<const GridPoint> joints) const {
    return distance(joints[static_cast<std::size_t>(torso.first)],
                    joints[static_cast<std::size_t>(torso.second)]);
  }
};

/// Figures on grids of one shape, numbers only. What speaks for joints at the places of figure i
/// stands in the rows cell_starts[i] .. cell_starts[i + 1]; cells without a row have all zeros.
struct PoseData {
  GridShape grid;
  Skeleton skeleton;
  std::vector<std::size_t> cell_starts{0};
  std::vector<std::int32_t> cells;  ///< of each row, increasing within a figure
  FeatureRows maps;                 ///< the values of the score maps at these cells
  std::vector<GridPoint> joints;    ///< of figure after figure; not finite: not known

  Index size() const { return static_cast<Index>(cell_starts.size()) - 1; }
  std::span<const GridPoint> joints_of(Index i) const {
    const std::size_t count = skeleton.size();
    return {joints.data() + static_cast<std::size_t>(i) * count, count};
  }
};

/// How a joint lies relative to its parent in the training data: displacements along an axis are
/// measured from their mean and in units of their spread, so that nearly all lie between -1 and 1.
struct AxisRest {
  double mean = 0.0;
  double spread = 1.0;  ///< three standard deviations, at least one cell

  double measured(double displacement) const { return (displacement - mean) / spread; }
};
struct Rest {
  AxisRest x;
  AxisRest y;
};

/// One for each joint; that of the root is not used.
std::vector<Rest> measure_rest(const PoseData& data);

/// How the weights lie in w: for each joint one weight per map; then, for each joint but the root,
/// two of displacements and, behind all of these, two of their squares.
struct PoseLayout {
  Index maps = 0;
  Index joints = 0;
  bool has_springs = true;  ///< no: every joint is on its own

  Index map(Index joint) const { return joint * maps; }
  Index springs() const { return has_springs ? joints - 1 : 0; }
  Index linear(Index spring) const { return map(joints) + 2 * spring; }
  Index square(Index spring) const { return linear(springs()) + 2 * spring; }
  Index dimension() const { return square(springs()); }
};

/// What a joint costs at a distance from where it should be, divided by the number of joints: the
/// distance over a threshold times the torso size, but at most 1; or 0 up to there and 1 beyond.
enum class PoseLoss { kDistance, kPdj };
constexpr std::array<std::string_view, 2> enum_names(PoseLoss) {
  return {"distance", "pdj"};
}

/// What is fixed before training.
struct PoseSettings {
  PoseLayout layout;
  std::vector<Rest> rest;  ///< one for each joint
  PoseLoss loss = PoseLoss::kDistance;
  double threshold = 0.2;  ///< in torso sizes
};

/// Part j * cells + p of a figure is "joint j at cell p", which scores the maps there with the
/// weights of the joint. For each joint but the root, with (x, y) its displacement from the parent
/// as `rest` measures it, there are four more parts with the values x, y, x^2, y^2, which score
/// minus their weight. The weights of squares must not be negative (the group `squares` says so),
/// or else the decoder is wrong. The truth are the cells of the joints. InputError if the data do
/// not fit together.
std::unique_ptr<Problem> make_pose_problem(std::shared_ptr<const PoseData> data,
                                           const PoseSettings& settings);

/// Finds joints with given weights; one per thread.
class PoseFinder {
 public:
  PoseFinder(const PoseLayout& layout, std::span<const Rest> rest, Weights w)
      : layout_(layout), rest_(rest), w_(w) {}
  /// The best cell of each joint of figure i of `data`, whose maps are those of the layout; valid
  /// until the next call.
  std::span<const std::int32_t> find(const PoseData& data, Index i);

 private:
  PoseLayout layout_;
  std::span<const Rest> rest_;
  Weights w_;
  std::vector<double> scores_;
  std::vector<Spring> springs_;
  TreeScratch scratch_;
  std::vector<std::int32_t> cells_;
};

}  // namespace gapwise::internal
