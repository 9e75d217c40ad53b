#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <vector>

#include "tasks/pose/driver.h"

namespace gapwise::internal {
namespace {

constexpr GridShape kGrid{16, 12};

/// A joint, and where it is seen from its parent.
struct Limb {
  std::string_view name;
  std::int32_t parent;
  double x;
  double y;
};
/// Somebody who walks.
constexpr std::array<Limb, 5> kWalker{{{"neck", PartTree::kNone, 7.5, 3.0},
                                       {"head", 0, 0.0, -2.0},
                                       {"hand", 0, 3.0, 2.0},
                                       {"hip", 0, 0.0, 3.0},
                                       {"foot", 3, 1.0, 4.0}}};
constexpr double kJitter = 1.0;

/// Two detectors take each other's joint for theirs.
std::vector<std::int32_t> confusions() {
  return {PartTree::kNone, PartTree::kNone, 4, PartTree::kNone, 2};
}

std::vector<GridPoint> draw_walker(Rng& rng) {
  std::vector<GridPoint> joints;
  for (const Limb& limb : kWalker) {
    const auto jitter = [&] { return kJitter * (2.0 * rng.uniform() - 1.0); };
    GridPoint at{limb.x + jitter(), limb.y + jitter()};
    if (limb.parent != PartTree::kNone) {
      at.x += joints[static_cast<std::size_t>(limb.parent)].x;
      at.y += joints[static_cast<std::size_t>(limb.parent)].y;
    }
    joints.push_back(
        {std::clamp(at.x, 0.0, kGrid.width - 1.0), std::clamp(at.y, 0.0, kGrid.height - 1.0)});
  }
  return joints;
}

}  // namespace

std::string sample_pose(Index examples, Rng& rng) {
  std::string text = fmt::format("grid {}x{}\n", kGrid.width, kGrid.height);
  auto out = std::back_inserter(text);
  for (const Limb& limb : kWalker) {
    const bool is_root = limb.parent == PartTree::kNone;
    fmt::format_to(out, "joint {}{}{}\n", limb.name, is_root ? "" : " ",
                   is_root ? "" : kWalker[static_cast<std::size_t>(limb.parent)].name);
  }
  text += "torso neck hip\n";
  MapSettings settings;
  settings.distractors = 2;
  ScoreMapMaker maker(kGrid, settings, confusions());
  for (Index i = 0; i < examples; ++i) {
    const auto joints = draw_walker(rng);
    text += "figure\n";
    for (std::size_t j = 0; j < joints.size(); ++j) {
      fmt::format_to(out, "at {} {:.2f} {:.2f}\n", kWalker[j].name, joints[j].x, joints[j].y);
    }
    maker.make(joints, rng);
    std::int32_t last = -1;
    maker.for_each_value([&](std::int32_t cell, std::size_t map, double value) {
      if (cell != last) {
        fmt::format_to(out, "{}cell {} {}", last < 0 ? "" : "\n", kGrid.x_of(cell),
                       kGrid.y_of(cell));
      }
      last = cell;
      fmt::format_to(out, " {}:{:.3f}", kWalker[map].name, value);
    });
    text += "\n";
  }
  return text;
}

}  // namespace gapwise::internal
