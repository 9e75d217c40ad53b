#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gapwise/types.h"

namespace gapwise::internal {

/// A grid of width x height cells; the cell in column x and row y has the number y * width + x.
struct GridShape {
  std::int32_t width = 0;
  std::int32_t height = 0;

  std::int32_t cells() const { return width * height; }
  std::int32_t cell(std::int32_t x, std::int32_t y) const { return y * width + x; }
  std::int32_t x_of(std::int32_t cell) const { return cell % width; }
  std::int32_t y_of(std::int32_t cell) const { return cell / width; }

  friend bool operator==(const GridShape&, const GridShape&) = default;
};
/// Of a grid; places along a side fit into 16 bits, numbers of cells into 32.
constexpr std::int32_t kLongestSide = 32'768;

/// What it costs along one axis to lie at p where q + offset would be best: with t = p - q -
/// offset, square * t^2 + linear * t. `square` >= 0; all three are finite.
struct AxisSpring {
  double square = 0.0;
  double linear = 0.0;
  double offset = 0.0;

  double cost(double p, double q) const {
    const double t = p - q - offset;
    return t * (square * t + linear);
  }
};

/// The same for both axes of a grid.
struct Spring {
  AxisSpring x;
  AxisSpring y;
};

/// Scratch memory, reused between calls.
struct TransformScratch {
  std::vector<double> heights;  ///< of the lines, by p
  std::vector<std::uint16_t> lines;
  std::vector<double> borders;
  std::vector<double> columns;
};

/// out[q] = max_p f[p] - spring.cost(p, q) for all q, and the smallest p that reaches it in
/// best[q]: the generalised distance transform, by the upper envelope of lines, in time
/// proportional to the length. All four have the same length, at most kLongestSide; `f` is finite.
/// OracleError if spring.square is negative, or not a number.
void distance_transform(std::span<const double> f, const AxisSpring& spring,
                        TransformScratch& scratch, std::span<double> out,
                        std::span<std::uint16_t> best);

/// Where the maxima of a message were reached, to go back from a place q of the receiver to the one
/// p of the sender; each table has one entry per cell.
struct MessageTables {
  std::uint16_t* row = nullptr;     ///< of p, by the cell q
  std::uint16_t* column = nullptr;  ///< of p, by the column of q and the row of p

  std::int32_t sender_cell(const GridShape& grid, std::int32_t q) const {
    const std::int32_t y = row[q];
    return grid.cell(column[grid.x_of(q) * grid.height + y], y);
  }
};

/// to[q] += max_p from[p] - spring.x.cost(..) - spring.y.cost(..) for all cells q: rows first, then
/// columns. Among several best p the first in row order is remembered. Errors as above.
void add_message(const GridShape& grid, const Spring& spring, std::span<const double> from,
                 TransformScratch& scratch, std::span<double> to, const MessageTables& tables);

}  // namespace gapwise::internal
