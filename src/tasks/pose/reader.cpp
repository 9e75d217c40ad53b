#include "tasks/pose/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/fields.h"

namespace gapwise::internal {

bool operator==(const PoseFrame& a, const PoseFrame& b) {
  return a.grid == b.grid && a.joints == b.joints && a.skeleton.torso == b.skeleton.torso &&
         std::ranges::equal(a.skeleton.tree.parents(), b.skeleton.tree.parents());
}

std::vector<std::string_view> pose_formats() {
  return {"score-maps", "joints"};
}

std::string pose_format(const std::string& asked, LineReader& lines) {
  const auto formats = pose_formats();
  if (asked.empty()) {
    const std::string_view head = lines.head();
    const std::string_view first = head.substr(0, head.find('\n'));
    return std::count(first.begin(), first.end(), ',') >= 2 ? "joints" : "score-maps";
  }
  if (std::find(formats.begin(), formats.end(), asked) == formats.end()) {
    throw OptionError(fmt::format("format '{}' is not one of {}", asked, fmt::join(formats, ", ")));
  }
  return asked;
}

std::unique_ptr<PoseReader> make_pose_reader(const PosePlan& plan, LineReader& lines,
                                             Alphabet& maps) {
  return plan.format == "joints" ? make_joint_reader(plan, lines, maps)
                                 : make_score_map_reader(plan, lines, maps);
}

void fail_without_figures(const LineReader& lines, const PoseReader& reader,
                          const std::string& folds) {
  if (folds.empty()) {
    throw InputError(
        fmt::format("{}: holds no figures; expected {}", lines.name(), reader.expectation()));
  }
  throw InputError(
      fmt::format("{}: none of its figures is in folds {}; the fold of a figure is its "
                  "number, from 1",
                  lines.name(), folds));
}

}  // namespace gapwise::internal
