#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "io/fields.h"
#include "tasks/pose/reader.h"
#include "tasks/shared/keyword_lines.h"

namespace gapwise::internal {
namespace {

constexpr std::string_view kHeadForm =
    "expected 'grid WIDTHxHEIGHT', then 'joint NAME [PARENT]' for each joint and 'torso JOINT "
    "JOINT'";
constexpr std::string_view kFigureForm =
    "expected 'figure', 'at JOINT X Y' or 'cell X Y map:value ...'";
constexpr std::string_view kNoGrid = "there is no grid";
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

std::string missing(std::string_view what) {
  return fmt::format("the figures begin, but {}; {}", what, kHeadForm);
}

/// Figures with their score maps as text.
class ScoreMapReader final : public PoseReader {
 public:
  ScoreMapReader(const PosePlan& plan, LineReader& lines, Alphabet& maps)
      : plan_(plan), folds_(plan.folds), lines_(lines), maps_(maps) {
    read_head();
  }

  const PoseFrame& frame() const override { return frame_; }
  bool read(PoseBatch& into) override;
  std::string complaint() const override;

 private:
  /// A value of a score map.
  struct Entry {
    std::int32_t cell;
    std::uint32_t map;
    double value;
  };

  bool next_line() { return next_fields(lines_, fields_); }
  void read_head();
  void read_grid();
  void read_joint(std::vector<std::int32_t>& parents);
  void read_torso();
  std::size_t find_joint(std::string_view name) const;
  void read_place();
  void read_cell();
  Entry read_entry(std::int32_t cell, std::string_view field);
  std::int32_t read_side(std::string_view text, std::int32_t size, std::string_view what) const;
  double read_coordinate(std::string_view text, std::int32_t size, std::string_view what) const;
  void check_joints() const;
  void add_figure(PoseBatch& into);

  PosePlan plan_;
  Folds folds_;
  LineReader& lines_;
  Alphabet& maps_;
  PoseFrame frame_;
  std::vector<std::string_view> fields_;  ///< of the line at hand
  Index number_ = 0;                      ///< of the figure at hand, from 1
  std::vector<GridPoint> joints_;         ///< of the figure at hand
  std::vector<Entry> entries_;
};

/// Everything before the first figure.
void ScoreMapReader::read_head() {
  std::vector<std::int32_t> parents;
  bool has_torso = false;
  while (next_line() && fields_[0] != "figure") {
    if (fields_[0] == "grid") {
      read_grid();
    } else if (fields_[0] == "joint") {
      read_joint(parents);
    } else if (fields_[0] == "torso") {
      if (has_torso) lines_.fail("a second 'torso' line; all figures share one");
      read_torso();
      has_torso = true;
    } else {
      lines_.fail(fmt::format("'{}' before the first figure; {}", fields_[0], kHeadForm));
    }
  }
  const bool is_empty = fields_.empty() && frame_.grid.width == 0 && parents.empty() && !has_torso;
  if (is_empty) return;
  if (frame_.grid.width == 0) lines_.fail(missing(kNoGrid));
  if (parents.empty()) lines_.fail(missing("there are no joints"));
  if (!has_torso) {
    lines_.fail(missing("there is no torso, the two joints that tell the size of a figure"));
  }
  const auto joints = static_cast<Index>(parents.size());
  if (joints * frame_.grid.cells() > kMostPlaces) {
    throw InputError(
        fmt::format("{}: {} joints on {} cells are more than {} places; use a coarser "
                    "grid",
                    lines_.name(), joints, frame_.grid.cells(), kMostPlaces));
  }
  frame_.skeleton.tree = PartTree(std::move(parents));
}

std::string ScoreMapReader::complaint() const {
  if (lines_.line_number() == 0) return fmt::format("{}: is empty; {}", lines_.name(), kHeadForm);
  if (frame_.joints.empty()) {
    return fmt::format("{}:{}: {}", lines_.name(), lines_.line_number(), missing(kNoGrid));
  }
  return no_figures(
      lines_, "a line 'figure' for each, followed by 'at JOINT X Y' and 'cell X Y map:value ...'",
      plan_.folds);
}

void ScoreMapReader::read_grid() {
  Index width = 0;
  Index height = 0;
  const std::string_view text = fields_.size() == 2 ? fields_[1] : "";
  if (!parse_shape(text, kLongestSide, width, height)) {
    lines_.fail(
        fmt::format("'{}' is not the width and height of a grid, as in 'grid 64x48', each "
                    "from 1 to {}",
                    text, kLongestSide));
  }
  if (frame_.grid.width != 0) lines_.fail("a second 'grid' line; all figures share one grid");
  frame_.grid = {static_cast<std::int32_t>(width), static_cast<std::int32_t>(height)};
}

void ScoreMapReader::read_joint(std::vector<std::int32_t>& parents) {
  if (fields_.size() != 2 && fields_.size() != 3) {
    lines_.fail(
        fmt::format("{}; expected 'joint NAME' for the root and 'joint NAME PARENT' for the "
                    "others",
                    counted(fields_.size(), "field")));
  }
  auto& names = frame_.joints;
  if (std::find(names.begin(), names.end(), fields_[1]) != names.end()) {
    lines_.fail(fmt::format("joint '{}' is named twice; names must differ", fields_[1]));
  }
  if (names.size() >= kMostJoints) {
    lines_.fail(fmt::format("more than {} joints; is this really a figure?", kMostJoints));
  }
  if (fields_.size() == 2 && !names.empty()) {
    lines_.fail(
        fmt::format("joint '{}' hangs on none; only the first one, the root, may: name its "
                    "parent",
                    fields_[1]));
  }
  if (fields_.size() == 3 && names.empty()) {
    lines_.fail(
        fmt::format("the first joint '{}' hangs on '{}'; begin with the root, which hangs on "
                    "none",
                    fields_[1], fields_[2]));
  }
  parents.push_back(fields_.size() == 2 ? PartTree::kNone
                                        : static_cast<std::int32_t>(find_joint(fields_[2])));
  names.emplace_back(fields_[1]);
}

void ScoreMapReader::read_torso() {
  if (fields_.size() != 3) lines_.fail("expected 'torso JOINT JOINT'");
  frame_.skeleton.torso = {static_cast<std::int32_t>(find_joint(fields_[1])),
                           static_cast<std::int32_t>(find_joint(fields_[2]))};
  if (fields_[1] == fields_[2]) {
    lines_.fail(
        fmt::format("the torso goes from '{}' to itself; name two joints whose distance "
                    "tells the size of a figure",
                    fields_[1]));
  }
}

std::size_t ScoreMapReader::find_joint(std::string_view name) const {
  const auto& names = frame_.joints;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    lines_.fail(
        fmt::format("'{}' is not one of the joints so far ({}); name joints in 'joint' lines "
                    "before they are used",
                    name, fmt::join(names, ", ")));
  }
  return static_cast<std::size_t>(found - names.begin());
}

bool ScoreMapReader::read(PoseBatch& into) {
  while (!fields_.empty()) {  // the line at hand is "figure"
    ++number_;
    joints_.assign(frame_.joints.size(), {kUnknown, kUnknown});
    entries_.clear();
    while (next_line() && fields_[0] != "figure") {
      if (fields_[0] == "at") {
        read_place();
      } else if (fields_[0] == "cell") {
        read_cell();
      } else {
        lines_.fail(fmt::format("the line starts with '{}'; {}", fields_[0], kFigureForm));
      }
    }
    if (plan_.needs_joints) check_joints();
    if (!folds_.contains(number_)) continue;
    add_figure(into);
    return true;
  }
  return false;
}

/// at JOINT X Y
void ScoreMapReader::read_place() {
  if (fields_.size() != 4) {
    lines_.fail(fmt::format("{}; expected 'at JOINT X Y'", counted(fields_.size(), "field")));
  }
  GridPoint& joint = joints_[find_joint(fields_[1])];
  if (!std::isnan(joint.x)) {
    lines_.fail(fmt::format("joint '{}' of figure {} is placed twice", fields_[1], number_));
  }
  joint = {read_coordinate(fields_[2], frame_.grid.width, "x"),
           read_coordinate(fields_[3], frame_.grid.height, "y")};
}

double ScoreMapReader::read_coordinate(std::string_view text, std::int32_t size,
                                       std::string_view what) const {
  double value = 0.0;
  if (parse_value(text, value) != ValueText::kGood || !(value >= -0.5 && value < size - 0.5)) {
    lines_.fail(
        fmt::format("{} = '{}' of joint '{}' is outside the grid of {}x{} cells; it must be "
                    "a number from -0.5 to below {}",
                    what, text, fields_[1], frame_.grid.width, frame_.grid.height, size - 0.5));
  }
  return value;
}

/// cell X Y map:value ...
void ScoreMapReader::read_cell() {
  if (fields_.size() < 3) lines_.fail("the line has no place; expected 'cell X Y map:value ...'");
  const std::int32_t x = read_side(fields_[1], frame_.grid.width, "column");
  const std::int32_t y = read_side(fields_[2], frame_.grid.height, "row");
  for (std::size_t f = 3; f < fields_.size(); ++f) {
    const Entry entry = read_entry(frame_.grid.cell(x, y), fields_[f]);
    if (entry.map != Alphabet::kUnknown && entry.value != 0.0) entries_.push_back(entry);
  }
}

std::int32_t ScoreMapReader::read_side(std::string_view text, std::int32_t size,
                                       std::string_view what) const {
  Index value = 0;
  if (!parse_index(text, value) || value >= size) {
    lines_.fail(fmt::format("{} '{}' must be a whole number from 0 to {}: the grid has {}x{} cells",
                            what, text, size - 1, frame_.grid.width, frame_.grid.height));
  }
  return static_cast<std::int32_t>(value);
}

ScoreMapReader::Entry ScoreMapReader::read_entry(std::int32_t cell, std::string_view field) {
  const std::size_t colon = field.rfind(':');
  const std::string_view name = field.substr(0, colon);
  if (name.empty() || colon == std::string_view::npos) {
    lines_.fail(fmt::format("'{}' is not a value of a score map; expected map:value", field));
  }
  double value = 0.0;
  const std::string_view text = field.substr(colon + 1);
  const ValueText found = parse_value(text, value);
  if (found != ValueText::kGood) {
    lines_.fail(
        fmt::format("value '{}' of map '{}' must be a finite number of at most {} in size; "
                    "correct or rescale it",
                    text, name, kLargestValue));
  }
  return {cell, plan_.learns ? maps_.add(name) : maps_.find(name), value};
}

void ScoreMapReader::check_joints() const {
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (!std::isnan(joints_[j].x)) continue;
    lines_.fail(fmt::format("figure {} ends here without a place of joint '{}'; add 'at {} X Y'",
                            number_, frame_.joints[j], frame_.joints[j]));
  }
}

void ScoreMapReader::add_figure(PoseBatch& into) {
  PoseData& data = into.data;
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.cell, a.map) < std::tie(b.cell, b.map);
  });
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    data.maps.add(entries_[e].map, entries_[e].value);
    if (e + 1 < entries_.size() && entries_[e + 1].cell == entries_[e].cell) continue;
    data.maps.end_row();
    data.cells.push_back(entries_[e].cell);
  }
  data.cell_starts.push_back(data.cells.size());
  data.joints.insert(data.joints.end(), joints_.begin(), joints_.end());
  into.notes.push_back({fmt::to_string(number_), {}, 1.0, {}});
}

}  // namespace

bool looks_like_score_maps(std::string_view head) {
  const auto lines = first_fields(head, 2);
  Index width = 0;
  Index height = 0;
  return lines.size() == 2 && lines[0].size() == 2 && lines[0][0] == "grid" &&
         parse_shape(lines[0][1], kLongestSide, width, height) && lines[1].size() == 2 &&
         lines[1][0] == "joint";
}

std::unique_ptr<PoseReader> make_score_map_reader(const PosePlan& plan, LineReader& lines,
                                                  Alphabet& maps) {
  return std::make_unique<ScoreMapReader>(plan, lines, maps);
}

}  // namespace gapwise::internal
