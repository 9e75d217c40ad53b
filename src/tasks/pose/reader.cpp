#include "tasks/pose/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "tasks/shared/formats.h"

namespace gapwise::internal {

bool operator==(const PoseFrame& a, const PoseFrame& b) {
  return a.grid == b.grid && a.joints == b.joints && a.skeleton.torso == b.skeleton.torso &&
         std::ranges::equal(a.skeleton.tree.parents(), b.skeleton.tree.parents());
}

std::vector<std::string_view> pose_formats() {
  return {"score-maps", "joints"};
}

std::string pose_format(const std::string& asked, LineReader& lines) {
  if (asked.empty()) {
    const std::string_view head = lines.head();
    const std::string_view first = head.substr(0, head.find('\n'));
    return std::count(first.begin(), first.end(), ',') >= 2 ? "joints" : "score-maps";
  }
  check_format(asked, pose_formats());
  return asked;
}

std::unique_ptr<PoseReader> make_pose_reader(const PosePlan& plan, LineReader& lines,
                                             Alphabet& maps) {
  return plan.format == "joints" ? make_joint_reader(plan, lines, maps)
                                 : make_score_map_reader(plan, lines, maps);
}

bool looks_like_poses(std::string_view head) {
  return looks_like_score_maps(head) || looks_like_joints(head);
}

std::string no_figures(const LineReader& lines, std::string_view expectation,
                       const std::string& folds) {
  if (folds.empty()) {
    return fmt::format("{}: holds no figures; expected {}", lines.name(), expectation);
  }
  return fmt::format(
      "{}: none of its figures is in folds {}; the fold of a figure is its "
      "number, from 1",
      lines.name(), folds);
}

}  // namespace gapwise::internal
