#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "tasks/pose/problem.h"
#include "tasks/shared/row_sums.h"

namespace gapwise::internal {

/// The spring whose cost is `linear` and `square` times the measured displacement and its square.
inline AxisSpring make_spring(const AxisRest& rest, double linear, double square) {
  return {square / (rest.spread * rest.spread), linear / rest.spread, rest.mean};
}

/// Where the scores of the parts of a figure stand, and how w gives them.
class PosePartScorer {
 public:
  PosePartScorer(const PoseData& data, const PoseLayout& layout)
      : data_(data),
        layout_(layout),
        cells_(static_cast<std::size_t>(data.grid.cells())),
        joints_(data.skeleton.size()) {}

  std::size_t num_places() const { return joints_ * cells_; }
  std::size_t num_parts() const {
    return num_places() + 4 * static_cast<std::size_t>(layout_.springs());
  }
  Index place(std::size_t joint, std::int32_t cell) const {
    return static_cast<Index>(joint * cells_) + cell;
  }
  /// The first of four.
  Index spring(std::size_t joint) const {
    const bool is_behind_root = static_cast<std::int32_t>(joint) > data_.skeleton.tree.root();
    const std::size_t number = joint - (is_behind_root ? 1 : 0);
    return static_cast<Index>(num_places() + 4 * number);
  }

  /// out = the scores of all joints at all cells of figure i.
  void score_places(Index i, Weights w, std::span<double> out) const {
    std::fill(out.begin(), out.end(), 0.0);
    for_each_row(i, [&](std::size_t r) {
      const FeatureRow row = data_.maps.row(r);
      const auto cell = static_cast<std::size_t>(data_.cells[r]);
      for (std::size_t j = 0; j < joints_; ++j) {
        out[j * cells_ + cell] = row_dot(row, w.data() + layout_.map(static_cast<Index>(j)));
      }
    });
  }

  /// The column of B_i of "joint at cell": a row, from weight `base` on.
  struct Place {
    FeatureRow row;
    Index base;
  };
  Place find_place(Index i, Index id) const {
    const auto at = static_cast<std::size_t>(id);
    const auto cell = static_cast<std::int32_t>(at % cells_);
    const auto first =
        data_.cells.begin() + static_cast<std::ptrdiff_t>(starts(static_cast<std::size_t>(i)));
    const auto last =
        data_.cells.begin() + static_cast<std::ptrdiff_t>(starts(static_cast<std::size_t>(i) + 1));
    const auto found = std::lower_bound(first, last, cell);
    const Index base = layout_.map(static_cast<Index>(at / cells_));
    if (found == last || *found != cell) return {{}, base};
    return {data_.maps.row(static_cast<std::size_t>(found - data_.cells.begin())), base};
  }

  bool is_place(Index id) const { return id < static_cast<Index>(num_places()); }
  /// The weight of a part of a spring.
  std::size_t spring_weight(Index id) const {
    const Index offset = id - static_cast<Index>(num_places());
    const Index number = offset / 4;
    const Index kind = offset % 4;
    return static_cast<std::size_t>(kind < 2 ? layout_.linear(number) + kind
                                             : layout_.square(number) + kind - 2);
  }

  /// The springs of all joints, from score_of(id), the scores of the parts.
  template <class ScoreOf>
  void make_springs(std::span<const Rest> rest, ScoreOf score_of,
                    std::vector<Spring>& springs) const {
    springs.assign(joints_, Spring{});
    for (std::size_t j = 0; j < joints_ && layout_.has_springs; ++j) {
      if (data_.skeleton.tree.parent(j) == PartTree::kNone) continue;
      const Index id = spring(j);
      springs[j] = {make_spring(rest[j].x, -score_of(id), -score_of(id + 2)),
                    make_spring(rest[j].y, -score_of(id + 1), -score_of(id + 3))};
    }
  }

 private:
  std::size_t starts(std::size_t i) const { return data_.cell_starts[i]; }
  template <class Visit>
  void for_each_row(Index i, Visit visit) const {
    const auto at = static_cast<std::size_t>(i);
    for (std::size_t r = starts(at); r < starts(at + 1); ++r) visit(r);
  }

  const PoseData& data_;
  PoseLayout layout_;
  std::size_t cells_;
  std::size_t joints_;
};

}  // namespace gapwise::internal
