#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/fields.h"
#include "tasks/pose/reader.h"

namespace gapwise::internal {
namespace {

/// A joint of the Leeds Sports Pose data, in their order; left and right are the person's.
struct JointOfPerson {
  std::string_view name;
  std::string_view parent;  ///< "" for the root
  std::string_view mirror;  ///< "" if there is none
};
constexpr std::array<JointOfPerson, 14> kPerson{{{"r_ankle", "r_knee", "l_ankle"},
                                                 {"r_knee", "r_hip", "l_knee"},
                                                 {"r_hip", "neck", "l_hip"},
                                                 {"l_hip", "neck", "r_hip"},
                                                 {"l_knee", "l_hip", "r_knee"},
                                                 {"l_ankle", "l_knee", "r_ankle"},
                                                 {"r_wrist", "r_elbow", "l_wrist"},
                                                 {"r_elbow", "r_shoulder", "l_elbow"},
                                                 {"r_shoulder", "neck", "l_shoulder"},
                                                 {"l_shoulder", "neck", "r_shoulder"},
                                                 {"l_elbow", "l_shoulder", "r_elbow"},
                                                 {"l_wrist", "l_elbow", "r_wrist"},
                                                 {"neck", "", ""},
                                                 {"head_top", "neck", ""}}};
constexpr std::size_t kColumns = 1 + 3 * kPerson.size();
constexpr std::array<std::string_view, 3> kSuffixes{"_x", "_y", "_flag"};
/// How much of the grid a figure fills, and how far off its middle it is moved at most.
constexpr double kFilled = 0.8;
constexpr double kMoved = 0.05;

std::int32_t number_of(std::string_view name) {
  for (std::size_t j = 0; j < kPerson.size(); ++j) {
    if (kPerson[j].name == name) return static_cast<std::int32_t>(j);
  }
  return PartTree::kNone;
}

/// Column 0 is the image.
std::string column_name(std::size_t column) {
  return fmt::format("{}{}", kPerson[(column - 1) / 3].name, kSuffixes[(column - 1) % 3]);
}

PoseFrame frame_of_person(Index grid) {
  PoseFrame frame;
  frame.grid = {static_cast<std::int32_t>(grid), static_cast<std::int32_t>(grid)};
  std::vector<std::int32_t> parents;
  for (const JointOfPerson& joint : kPerson) {
    frame.joints.emplace_back(joint.name);
    parents.push_back(number_of(joint.parent));
  }
  frame.skeleton = {PartTree(std::move(parents)), {number_of("l_shoulder"), number_of("r_hip")}};
  return frame;
}

std::vector<std::int32_t> mirror_of_person() {
  std::vector<std::int32_t> mirror;
  for (const JointOfPerson& joint : kPerson) mirror.push_back(number_of(joint.mirror));
  return mirror;
}

/// Joints of people in the pixels of images that are not there; score maps are made up.
class JointReader final : public PoseReader {
 public:
  JointReader(const PosePlan& plan, LineReader& lines, Alphabet& maps)
      : plan_(plan),
        folds_(plan.folds),
        lines_(lines),
        frame_(frame_of_person(plan.maps.grid)),
        maker_(frame_.grid, plan.maps, mirror_of_person()) {
    for (const std::string& joint : frame_.joints) {
      map_numbers_.push_back(plan.learns ? maps.add(joint) : maps.find(joint));
    }
    if (next_line()) {
      read_header();
    } else {
      frame_ = {};
    }
  }

  const PoseFrame& frame() const override { return frame_; }
  bool read(PoseBatch& into) override;
  std::string complaint() const override;

 private:
  bool next_line();
  void read_header();
  void read_joints(FigureNotes& notes);
  double read_coordinate(std::size_t column) const;
  void fit(FigureNotes& notes, Rng& rng);
  void add_maps(PoseData& data);

  PosePlan plan_;
  Folds folds_;
  LineReader& lines_;
  PoseFrame frame_;
  ScoreMapMaker maker_;
  std::vector<std::uint32_t> map_numbers_;
  std::vector<std::string_view> fields_;  ///< of the line at hand
  Index number_ = 0;                      ///< of the figure at hand, from 1
  std::vector<GridPoint> joints_;         ///< of the figure at hand
};

bool JointReader::next_line() {
  std::string_view line;
  while (lines_.next(line)) {
    if (trim_blanks(line).empty()) continue;
    fields_.clear();
    for (std::size_t comma = line.find(','); comma != std::string_view::npos;
         comma = line.find(',')) {
      fields_.push_back(trim_blanks(line.substr(0, comma)));
      line.remove_prefix(comma + 1);
    }
    fields_.push_back(trim_blanks(line));
    return true;
  }
  return false;
}

std::string JointReader::complaint() const {
  if (frame_.joints.empty()) {
    return fmt::format(
        "{}: is empty; expected a line of column names, then one line for each image",
        lines_.name());
  }
  return no_figures(lines_, "lines of an image and its joints", plan_.folds);
}

/// The names of the columns say which joint is which, so they must be the right ones.
void JointReader::read_header() {
  for (std::size_t c = 1; c < kColumns; ++c) {
    const std::string expected = column_name(c);
    if (c < fields_.size() && fields_[c] == expected) continue;
    lines_.fail(
        fmt::format("column {} is '{}', expected '{}'; the first line names the columns: "
                    "image, then _x, _y and _flag of each joint",
                    c + 1, c < fields_.size() ? fields_[c] : "missing", expected));
  }
  if (fields_.size() > kColumns) {
    lines_.fail(fmt::format("{} columns, expected {}: an image and {} joints", fields_.size(),
                            kColumns, kPerson.size()));
  }
}

bool JointReader::read(PoseBatch& into) {
  while (next_line()) {
    ++number_;
    FigureNotes notes;
    read_joints(notes);
    if (!folds_.contains(number_)) continue;
    // Each figure has numbers of its own, so that its maps are the same whichever others are read.
    Rng rng(plan_.maps.seed * 0x9e3779b97f4a7c15U + static_cast<std::uint64_t>(number_));
    fit(notes, rng);
    maker_.make(joints_, rng);
    add_maps(into.data);
    into.data.joints.insert(into.data.joints.end(), joints_.begin(), joints_.end());
    into.notes.push_back(std::move(notes));
    return true;
  }
  return false;
}

void JointReader::read_joints(FigureNotes& notes) {
  if (fields_.size() != kColumns) {
    lines_.fail(
        fmt::format("{}, expected {}: an image, then x, y and flag of each of the {} joints",
                    counted(fields_.size(), "column"), kColumns, kPerson.size()));
  }
  notes.name = fields_[0];
  joints_.clear();
  for (std::size_t j = 0; j < kPerson.size(); ++j) {
    joints_.push_back({read_coordinate(1 + 3 * j), read_coordinate(2 + 3 * j)});
    notes.flags.emplace_back(fields_[3 + 3 * j]);
  }
}

double JointReader::read_coordinate(std::size_t column) const {
  double value = 0.0;
  if (parse_value(fields_[column], value) != ValueText::kGood) {
    lines_.fail(
        fmt::format("{} is '{}'; it must be a finite number of at most {} in size: leave "
                    "out images without it",
                    column_name(column), fields_[column], kLargestValue));
  }
  return value;
}

/// Moves and scales the joints onto the grid.
void JointReader::fit(FigureNotes& notes, Rng& rng) {
  const auto [left, right] = std::ranges::minmax(joints_, {}, &GridPoint::x);
  const auto [top, bottom] = std::ranges::minmax(joints_, {}, &GridPoint::y);
  const double extent = std::max(right.x - left.x, bottom.y - top.y);
  const double side = static_cast<double>(plan_.maps.grid) - 1.0;
  notes.scale = extent > 1e-6 ? kFilled * side / extent : 1.0;
  const auto origin_of = [&](double low, double high) {
    const double middle = side * (0.5 + kMoved * (2.0 * rng.uniform() - 1.0));
    return 0.5 * low + 0.5 * high - middle / notes.scale;
  };
  notes.origin = {origin_of(left.x, right.x), origin_of(top.y, bottom.y)};
  for (GridPoint& joint : joints_) {
    joint = {std::clamp((joint.x - notes.origin.x) * notes.scale, 0.0, side),
             std::clamp((joint.y - notes.origin.y) * notes.scale, 0.0, side)};
  }
}

void JointReader::add_maps(PoseData& data) {
  const std::size_t first = data.cells.size();
  maker_.for_each_value([&](std::int32_t cell, std::size_t map, double value) {
    if (data.cells.size() == first || data.cells.back() != cell) {
      if (data.cells.size() > first) data.maps.end_row();
      data.cells.push_back(cell);
    }
    if (map_numbers_[map] != Alphabet::kUnknown) data.maps.add(map_numbers_[map], value);
  });
  if (data.cells.size() > first) data.maps.end_row();
  data.cell_starts.push_back(data.cells.size());
}

}  // namespace

bool looks_like_joints(std::string_view head) {
  const std::string first =
      fmt::format(",{},{},{},", column_name(1), column_name(2), column_name(3));
  return head.substr(0, head.find('\n')).find(first) != std::string_view::npos;
}

std::unique_ptr<PoseReader> make_joint_reader(const PosePlan& plan, LineReader& lines,
                                              Alphabet& maps) {
  return std::make_unique<JointReader>(plan, lines, maps);
}

}  // namespace gapwise::internal
