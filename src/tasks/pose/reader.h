#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/alphabet.h"
#include "io/folds.h"
#include "io/lines.h"
#include "tasks/pose/problem.h"
#include "tasks/pose/score_map_maker.h"
#include "tasks/task.h"

namespace gapwise::internal {

constexpr std::size_t kMostJoints = 1000;
/// A joint at a cell; the decoder keeps a score for each.
constexpr Index kMostPlaces = Index{1} << 24;

/// What is the same for all figures of a file.
struct PoseFrame {
  GridShape grid;
  std::vector<std::string> joints;  ///< their names
  Skeleton skeleton;

  friend bool operator==(const PoseFrame& a, const PoseFrame& b);
};

/// What `predict` needs to write a figure in the form in which it was read.
struct FigureNotes {
  std::string name;
  std::vector<std::string> flags;  ///< of each joint
  /// A point p of the grid is p / scale + origin in the file.
  double scale = 1.0;
  GridPoint origin;
};

/// Some figures of a file.
struct PoseBatch final : Batch {
  PoseData data;
  std::vector<FigureNotes> notes;       ///< one for each figure
  std::vector<std::int32_t> predicted;  ///< the cell of each joint, once found

  Index size() const override { return data.size(); }
  std::span<const std::int32_t> predicted_of(Index i) const {
    const std::size_t joints = data.skeleton.size();
    return {predicted.data() + static_cast<std::size_t>(i) * joints, joints};
  }
};

/// What to read and how.
struct PosePlan {
  std::string format;        ///< "score-maps" or "joints"
  std::string folds;         ///< numbers of the figures to take, from 1; empty: all
  MapSettings maps;          ///< format joints
  bool needs_joints = true;  ///< no: figures may be without (format score-maps)
  bool learns = false;       ///< new maps are added to the alphabet
};

/// Reads figures one by one.
class PoseReader {
 public:
  virtual ~PoseReader() = default;
  /// Without joints if the file is empty.
  virtual const PoseFrame& frame() const = 0;
  /// Adds the next figure that the folds contain; false at the end.
  virtual bool read(PoseBatch& into) = 0;
  /// For a file in which read() found nothing: what it has instead, and what to do.
  virtual std::string complaint() const = 0;
};

/// Reads the head of the file; `lines` and `maps` outlive the reader.
std::unique_ptr<PoseReader> make_score_map_reader(const PosePlan& plan, LineReader& lines,
                                                  Alphabet& maps);
std::unique_ptr<PoseReader> make_joint_reader(const PosePlan& plan, LineReader& lines,
                                              Alphabet& maps);
std::unique_ptr<PoseReader> make_pose_reader(const PosePlan& plan, LineReader& lines,
                                             Alphabet& maps);

std::vector<std::string_view> pose_formats();
/// The format that was asked for, or else the one told from the text. OptionError if there is none
/// of that name.
std::string pose_format(const std::string& asked, LineReader& lines);

/// Whether text starts like a file of one of the formats; of either of them.
bool looks_like_poses(std::string_view head);
bool looks_like_score_maps(std::string_view head);
bool looks_like_joints(std::string_view head);

/// The complaint about a file whose head is good.
std::string no_figures(const LineReader& lines, std::string_view expectation,
                       const std::string& folds);

}  // namespace gapwise::internal
