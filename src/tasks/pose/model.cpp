#include "tasks/pose/model.h"

#include <fmt/format.h>

#include "io/fields.h"
#include "tasks/shared/model_fields.h"

namespace gapwise::internal {
namespace {

void encode_made_maps(const MapSettings& maps, ModelRecord& model) {
  model.settings["map-noise"] = detail::show_number(maps.noise);
  model.settings["map-distractors"] = fmt::to_string(maps.distractors);
  model.settings["map-misses"] = detail::show_number(maps.misses);
  model.settings["map-seed"] = fmt::to_string(maps.seed);
}

MapSettings decode_made_maps(ModelFields& parts, const GridShape& grid) {
  MapSettings maps;
  maps.grid = grid.width;
  maps.noise = parts.real("map-noise", 0.0, 1.0);
  maps.distractors = parts.number("map-distractors", 0, kMostDistractors);
  maps.misses = parts.real("map-misses", 0.0, 1.0);
  try {
    maps.seed = detail::parse_unsigned("map-seed", parts.model().setting("map-seed"));
  } catch (const OptionError& error) {
    parts.fail(error.what());
  }
  if (grid.width != grid.height || grid.width < kSmallestGrid || grid.width > kLargestGrid) {
    parts.fail(fmt::format("a grid of {}x{} cells, expected a square of {} to {}", grid.width,
                           grid.height, kSmallestGrid, kLargestGrid));
  }
  return maps;
}

Skeleton decode_skeleton(const ModelFields& parts, std::size_t joints) {
  const auto as_joint = [&](std::int64_t number) {
    if (number < PartTree::kNone || number >= static_cast<std::int64_t>(joints)) {
      parts.fail(fmt::format("joint {}, but it has {} joints", number, joints));
    }
    return static_cast<std::int32_t>(number);
  };
  std::vector<std::int32_t> parents;
  for (const std::int64_t parent : parts.numbers("parents")) parents.push_back(as_joint(parent));
  const auto& torso = parts.numbers("torso");
  if (parents.size() != joints || torso.size() != 2 || torso[0] < 0 || torso[1] < 0) {
    parts.fail("parents and torso are not those of its joints");
  }
  try {
    return {PartTree(std::move(parents)), {as_joint(torso[0]), as_joint(torso[1])}};
  } catch (const InputError& error) {
    parts.fail(error.what());
  }
}

PoseFrame decode_frame(ModelFields& parts) {
  PoseFrame frame;
  frame.grid = {static_cast<std::int32_t>(parts.number("grid-width", 1, kLongestSide)),
                static_cast<std::int32_t>(parts.number("grid-height", 1, kLongestSide))};
  frame.joints = parts.labels("joints").names();
  const std::size_t joints = frame.joints.size();
  if (joints > kMostJoints || static_cast<Index>(joints) * frame.grid.cells() > kMostPlaces) {
    parts.fail(fmt::format("{} joints on {} cells, which is too much", joints, frame.grid.cells()));
  }
  frame.skeleton = decode_skeleton(parts, joints);
  return frame;
}

std::string encode_rest(const Rest& rest) {
  return fmt::format("{} {} {} {}", rest.x.mean, rest.x.spread, rest.y.mean, rest.y.spread);
}

/// No displacement is longer than a side of the grid.
Rest decode_rest(const ModelFields& parts, const std::string& text) {
  constexpr double kLongest = kLongestSide;
  std::vector<std::string_view> fields;
  split_blanks(text, fields);
  if (fields.size() != 4) parts.fail(fmt::format("the rest '{}' is not four numbers", text));
  const auto axis = [&](std::size_t first) {
    return AxisRest{parts.real(fields[first], "a mean", -kLongest, kLongest),
                    parts.real(fields[first + 1], "a spread", 1.0, kLongest)};
  };
  return {axis(0), axis(2)};
}

}  // namespace

ModelRecord encode_pose_model(const PoseModel& model, Weights w) {
  ModelRecord result = start_record("pose", model.format);
  result.settings["loss"] = model.loss;
  result.settings["pdj-threshold"] = detail::show_number(model.threshold);
  result.settings["pairwise"] = yes_no(model.has_springs);
  result.settings["grid-width"] = fmt::to_string(model.frame.grid.width);
  result.settings["grid-height"] = fmt::to_string(model.frame.grid.height);
  if (model.format == "joints") encode_made_maps(model.made_maps, result);
  result.lists["joints"] = model.frame.joints;
  result.lists["maps"] = model.maps.names();
  for (const Rest& rest : model.rest) result.lists["rest"].push_back(encode_rest(rest));
  const auto parents = model.frame.skeleton.tree.parents();
  result.numbers["parents"].assign(parents.begin(), parents.end());
  result.numbers["torso"] = {model.frame.skeleton.torso.first, model.frame.skeleton.torso.second};
  result.w.assign(w.begin(), w.end());
  return result;
}

PoseModel decode_pose_model(ModelRecord model) {
  ModelFields parts(std::move(model), "pose");
  PoseModel result;
  result.format = parts.format(pose_formats());
  result.loss = parts.model().setting("loss");
  result.threshold = parts.real("pdj-threshold", 0.0, kLargestValue);
  result.has_springs = parts.yes_or_no("pairwise");
  result.frame = decode_frame(parts);
  if (result.format == "joints") result.made_maps = decode_made_maps(parts, result.frame.grid);
  result.maps = parts.names("maps", "map");
  for (const std::string& text : parts.model().list("rest")) {
    result.rest.push_back(decode_rest(parts, text));
  }
  if (result.rest.size() != result.frame.joints.size()) parts.fail("not one rest for each joint");
  const PoseLayout layout = result.layout();
  result.w = parts.take_weights(layout.dimension(), layout.square(0), "a square");
  return result;
}

}  // namespace gapwise::internal
