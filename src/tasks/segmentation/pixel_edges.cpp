#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "tasks/segmentation/pixel_features.h"

namespace gapwise::internal {
namespace {

/// Borders between the bins of the squared difference of two colours: as it is, and relative to its
/// mean over the picture.
constexpr std::array kContrastBorders{0.0004, 0.002, 0.006, 0.015, 0.04};
constexpr std::array kRelativeBorders{0.02, 0.1, 0.3, 0.8, 2.0, 5.0};
constexpr Index kContrasts = std::ssize(kContrastBorders) + 1;
constexpr Index kRelatives = std::ssize(kRelativeBorders) + 1;

struct Step {
  Index x;
  Index y;
  Index kind;
};
constexpr std::array<const char*, 3> kKinds{"across", "down", "diagonal"};
constexpr std::array<Step, 4> kSteps{{{1, 0, 0}, {0, 1, 1}, {1, 1, 2}, {-1, 1, 2}}};

std::span<const Step> steps(Index neighbours) {
  return {kSteps.data(), static_cast<std::size_t>(neighbours / 2)};
}

double contrast(const Colour& a, const Colour& b) {
  double sum = 0.0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
  return sum;
}

/// visit(x, y, step) for every edge, in order.
template <class Visit>
void for_each_edge(const PixelGrid& grid, Index neighbours, Visit visit) {
  for (Index y = 0; y < grid.height; ++y) {
    for (Index x = 0; x < grid.width; ++x) {
      for (const Step& step : steps(neighbours)) {
        const bool is_inside =
            x + step.x >= 0 && x + step.x < grid.width && y + step.y < grid.height;
        if (is_inside) visit(x, y, step);
      }
    }
  }
}

}  // namespace

std::vector<std::string> pixel_edge_names(Index neighbours) {
  std::vector<std::string> names;
  const std::size_t kinds = neighbours == 8 ? 3 : 2;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    for (Index b = 0; b < kContrasts; ++b) {
      names.push_back(fmt::format("{}+contrast/{}", kKinds[kind], b));
    }
    for (Index b = 0; b < kRelatives; ++b) {
      names.push_back(fmt::format("{}+relative-contrast/{}", kKinds[kind], b));
    }
  }
  return names;
}

void add_pixel_edges(const PixelGrid& grid, Index neighbours, std::vector<NodePair>& ends,
                     FeatureRows& rows) {
  double sum = 0.0;
  Index count = 0;
  const auto contrast_at = [&](Index x, Index y, const Step& step) {
    return contrast(grid.at(x, y), grid.at(x + step.x, y + step.y));
  };
  for_each_edge(grid, neighbours, [&](Index x, Index y, const Step& step) {
    sum += contrast_at(x, y, step);
    ++count;
  });
  const double mean = sum > 0.0 ? sum / static_cast<double>(count) : 1.0;
  for_each_edge(grid, neighbours, [&](Index x, Index y, const Step& step) {
    const double here = contrast_at(x, y, step);
    const Index first = step.kind * (kContrasts + kRelatives);
    rows.add(static_cast<std::uint32_t>(first + bin(here, kContrastBorders)));
    rows.add(static_cast<std::uint32_t>(first + kContrasts + bin(here / mean, kRelativeBorders)));
    rows.end_row();
    ends.emplace_back(static_cast<std::int32_t>(y * grid.width + x),
                      static_cast<std::int32_t>((y + step.y) * grid.width + x + step.x));
  });
}

}  // namespace gapwise::internal
