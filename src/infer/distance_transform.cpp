#include "infer/distance_transform.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "gapwise/errors.h"

namespace gapwise::internal {
namespace {

void check(const AxisSpring& spring) {
  if (spring.square >= 0.0) return;
  throw OracleError(
      fmt::format("a spring has the square weight {}, which must be >= 0; keep these weights "
                  "non-negative in training",
                  spring.square));
}

/// Without a square the best p is the same for all q.
template <class Emit>
void transform_line(std::span<const double> f, const AxisSpring& spring, Emit emit) {
  std::size_t best = 0;
  double top = -std::numeric_limits<double>::infinity();
  for (std::size_t p = 0; p < f.size(); ++p) {
    const double value = f[p] - spring.linear * static_cast<double>(p);
    if (value <= top) continue;
    top = value;
    best = p;
  }
  for (std::size_t q = 0; q < f.size(); ++q) {
    emit(q, best, f[best] - spring.cost(static_cast<double>(best), static_cast<double>(q)));
  }
}

/// Seen as a function of u = q + offset, each p gives a line of slope 2 square p and height
/// f(p) - square p^2 - linear p, up to a term that is the same for all p. Steeper lines come later,
/// so that the upper envelope is a stack: line k is on top from borders[k] to borders[k + 1].
template <class Emit>
void transform_parabola(std::span<const double> f, const AxisSpring& spring,
                        TransformScratch& scratch, Emit emit) {
  const std::size_t size = f.size();
  scratch.heights.resize(size);
  scratch.lines.resize(size);
  scratch.borders.resize(size + 1);
  double* heights = scratch.heights.data();
  std::uint16_t* lines = scratch.lines.data();
  double* borders = scratch.borders.data();
  const double twice = 2.0 * spring.square;

  std::size_t top = 0;
  heights[0] = f[0];
  lines[0] = 0;
  borders[0] = -std::numeric_limits<double>::infinity();
  for (std::size_t r = 1; r < size; ++r) {
    const auto at = static_cast<double>(r);
    heights[r] = f[r] - at * (spring.square * at + spring.linear);
    const auto border_to = [&](std::size_t k) {
      const std::size_t p = lines[k];
      return (heights[p] - heights[r]) / (twice * static_cast<double>(r - p));
    };
    double border = border_to(top);
    while (top > 0 && border <= borders[top]) border = border_to(--top);
    ++top;
    lines[top] = static_cast<std::uint16_t>(r);
    borders[top] = border;
  }
  borders[top + 1] = std::numeric_limits<double>::infinity();

  std::size_t k = 0;
  for (std::size_t q = 0; q < size; ++q) {
    const double u = static_cast<double>(q) + spring.offset;
    while (k < top && borders[k + 1] < u) ++k;
    const std::size_t p = lines[k];
    emit(q, p, f[p] - spring.cost(static_cast<double>(p), static_cast<double>(q)));
  }
}

/// Calls emit(q, p, value) for q = 0, 1, ...: the best p and what it comes to.
template <class Emit>
void transform(std::span<const double> f, const AxisSpring& spring, TransformScratch& scratch,
               Emit emit) {
  if (spring.square > 0.0) {
    transform_parabola(f, spring, scratch, emit);
  } else {
    transform_line(f, spring, emit);
  }
}

}  // namespace

void distance_transform(std::span<const double> f, const AxisSpring& spring,
                        TransformScratch& scratch, std::span<double> out,
                        std::span<std::uint16_t> best) {
  check(spring);
  transform(f, spring, scratch, [&](std::size_t q, std::size_t p, double value) {
    out[q] = value;
    best[q] = static_cast<std::uint16_t>(p);
  });
}

void add_message(const GridShape& grid, const Spring& spring, std::span<const double> from,
                 TransformScratch& scratch, std::span<double> to, const MessageTables& tables) {
  check(spring.x);
  check(spring.y);
  const auto width = static_cast<std::size_t>(grid.width);
  const auto height = static_cast<std::size_t>(grid.height);
  scratch.columns.resize(width * height);
  for (std::size_t y = 0; y < height; ++y) {
    transform(from.subspan(y * width, width), spring.x, scratch,
              [&](std::size_t q, std::size_t p, double value) {
                scratch.columns[q * height + y] = value;
                tables.column[q * height + y] = static_cast<std::uint16_t>(p);
              });
  }
  const std::span<const double> columns = scratch.columns;
  for (std::size_t x = 0; x < width; ++x) {
    transform(columns.subspan(x * height, height), spring.y, scratch,
              [&](std::size_t q, std::size_t p, double value) {
                to[q * width + x] += value;
                tables.row[q * width + x] = static_cast<std::uint16_t>(p);
              });
  }
}

}  // namespace gapwise::internal
