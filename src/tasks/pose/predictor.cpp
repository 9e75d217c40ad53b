#include "tasks/pose/predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <ostream>

#include "gapwise/errors.h"
#include "tasks/shared/weight_tables.h"

namespace gapwise::internal {
namespace {

/// Figures are read, searched and let go in runs of about this many values of score maps, so that
/// memory does not grow with the file.
constexpr std::size_t kBatchValues = std::size_t{1} << 20;

GridPoint middle_of(const GridShape& grid, std::int32_t cell) {
  return {static_cast<double>(grid.x_of(cell)), static_cast<double>(grid.y_of(cell))};
}

/// How far joints are from where they should be.
class PoseFigures {
 public:
  explicit PoseFigures(double threshold) : threshold_(threshold) {}

  void add(double away, double torso) {
    ++joints_;
    found_ += away <= threshold_ * torso ? 1.0 : 0.0;
    distances_ += away < torso ? away / torso : 1.0;
  }
  Metrics result() const {
    return {{"pdj", found_ / joints_}, {"mean_distance", distances_ / joints_}};
  }

 private:
  double threshold_;
  double joints_ = 0.0;
  double found_ = 0.0;
  double distances_ = 0.0;
};

class PosePredictor final : public Predictor {
 public:
  explicit PosePredictor(PoseModel model) : model_(std::move(model)) {}

  Metrics evaluate(const DataSource& source, const Threads& threads) const override;
  void predict(const DataSource& source, const Threads& threads, std::ostream& out) const override;
  std::vector<WeightTable> top_weights(std::size_t count) const override;

 private:
  /// The cells of the joints of figure after figure.
  using Cells = std::vector<std::int32_t>;
  using Visit = std::function<void(const PoseBatch& batch, const Cells& found)>;

  void for_each_batch(const DataSource& source, bool needs_joints, const Threads& threads,
                      const Visit& visit) const;
  void check_frame(const LineReader& lines, const PoseFrame& frame) const;
  Cells find(const PoseData& data, const Threads& threads) const;
  void write_figure(const FigureNotes& notes, std::span<const std::int32_t> cells,
                    std::string& text) const;
  void write_line(const FigureNotes& notes, std::span<const std::int32_t> cells,
                  std::string& text) const;

  PoseModel model_;
};

void PosePredictor::check_frame(const LineReader& lines, const PoseFrame& frame) const {
  if (frame == model_.frame) return;
  if (frame.grid != model_.frame.grid) {
    throw InputError(
        fmt::format("{}: a grid of {}x{} cells, but the model was trained on {}x{}; make "
                    "the score maps of that size",
                    lines.name(), frame.grid.width, frame.grid.height, model_.frame.grid.width,
                    model_.frame.grid.height));
  }
  throw InputError(fmt::format(
      "{}: the joints ({}), what they hang on or the torso are not those of "
      "the model ({}); give data of the same skeleton",
      lines.name(), fmt::join(frame.joints, ", "), fmt::join(model_.frame.joints, ", ")));
}

void PosePredictor::for_each_batch(const DataSource& source, bool needs_joints,
                                   const Threads& threads, const Visit& visit) const {
  LineReader lines(source.path);
  PosePlan plan;
  plan.format = source.format.empty() ? model_.format : pose_format(source.format, lines);
  plan.folds = source.folds;
  plan.maps = model_.made_maps;
  plan.maps.grid = model_.frame.grid.width;
  plan.needs_joints = needs_joints;
  Alphabet maps = model_.maps;
  const auto reader = make_pose_reader(plan, lines, maps);
  check_frame(lines, reader->frame());
  Index num_figures = 0;
  bool has_more = true;
  while (has_more) {
    PoseBatch batch;
    batch.data.grid = model_.frame.grid;
    batch.data.skeleton = model_.frame.skeleton;
    while (batch.data.maps.num_values() + batch.data.joints.size() < kBatchValues && has_more) {
      has_more = reader->read(batch);
    }
    batch.data.maps.finish(static_cast<std::uint32_t>(maps.size()));
    num_figures += batch.data.size();
    visit(batch, find(batch.data, threads));
  }
  if (num_figures == 0) fail_without_figures(lines, *reader, plan.folds);
}

PosePredictor::Cells PosePredictor::find(const PoseData& data, const Threads& threads) const {
  Cells found(data.joints.size());
  const std::size_t joints = data.skeleton.size();
  std::vector<PoseFinder> finders(static_cast<std::size_t>(threads.count()),
                                  PoseFinder(model_.layout(), model_.rest, model_.w));
  threads.run(data.size(), [&](Index begin, Index end, int slot) {
    for (Index i = begin; i < end; ++i) {
      const auto cells = finders[static_cast<std::size_t>(slot)].find(data, i);
      std::copy(cells.begin(), cells.end(),
                found.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(i) * joints));
    }
  });
  return found;
}

Metrics PosePredictor::evaluate(const DataSource& source, const Threads& threads) const {
  PoseFigures figures(model_.threshold);
  for_each_batch(source, true, threads, [&](const PoseBatch& batch, const Cells& found) {
    const PoseData& data = batch.data;
    const std::size_t joints = data.skeleton.size();
    for (std::size_t k = 0; k < found.size(); ++k) {
      const auto truth = data.joints_of(static_cast<Index>(k / joints));
      figures.add(distance(truth[k % joints], middle_of(data.grid, found[k])),
                  data.skeleton.torso_size(truth));
    }
  });
  return figures.result();
}

/// Format score-maps: the figure without its maps.
void PosePredictor::write_figure(const FigureNotes&, std::span<const std::int32_t> cells,
                                 std::string& text) const {
  text += "figure\n";
  for (std::size_t j = 0; j < cells.size(); ++j) {
    const GridPoint at = middle_of(model_.frame.grid, cells[j]);
    fmt::format_to(std::back_inserter(text), "at {} {} {}\n", model_.frame.joints[j], at.x, at.y);
  }
}

/// Format joints: the line of the image with other places.
void PosePredictor::write_line(const FigureNotes& notes, std::span<const std::int32_t> cells,
                               std::string& text) const {
  text += notes.name;
  for (std::size_t j = 0; j < cells.size(); ++j) {
    const GridPoint at = middle_of(model_.frame.grid, cells[j]);
    fmt::format_to(std::back_inserter(text), ",{:.3f},{:.3f},{}",
                   at.x / notes.scale + notes.origin.x, at.y / notes.scale + notes.origin.y,
                   notes.flags[j]);
  }
  text += '\n';
}

void PosePredictor::predict(const DataSource& source, const Threads& threads,
                            std::ostream& out) const {
  const std::size_t joints = model_.frame.joints.size();
  std::string text;
  for_each_batch(source, false, threads, [&](const PoseBatch& batch, const Cells& found) {
    text.clear();
    for (std::size_t i = 0; i < batch.notes.size(); ++i) {
      const FigureNotes& notes = batch.notes[i];
      const auto cells = std::span(found).subspan(i * joints, joints);
      if (notes.flags.empty()) {
        write_figure(notes, cells, text);
      } else {
        write_line(notes, cells, text);
      }
    }
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  });
}

std::vector<WeightTable> PosePredictor::top_weights(std::size_t count) const {
  const PoseLayout layout = model_.layout();
  const auto& names = model_.frame.joints;
  std::vector<WeightTable> tables;
  for (Index j = 0; j < layout.joints; ++j) {
    tables.push_back(weight_table(
        "maps of joint " + names[static_cast<std::size_t>(j)],
        {model_.w, layout.map(j), 1, layout.maps}, count,
        [&](Index map) { return std::string(model_.maps.name(static_cast<std::size_t>(map))); }));
  }
  std::vector<std::string> springs;
  for (std::size_t j = 0; j < names.size() && model_.has_springs; ++j) {
    const std::int32_t parent = model_.frame.skeleton.tree.parent(j);
    if (parent == PartTree::kNone) continue;
    springs.push_back(fmt::format("{} - {}", names[j], names[static_cast<std::size_t>(parent)]));
  }
  const auto add = [&](const std::string& title, Index begin) {
    tables.push_back(
        weight_table(title, {model_.w, begin, 1, 2 * layout.springs()}, count, [&](Index k) {
          return fmt::format("{}: {}", springs[static_cast<std::size_t>(k / 2)],
                             k % 2 == 0 ? "x" : "y");
        }));
  };
  if (model_.has_springs) {
    add("displacements", layout.linear(0));
    add("squares of displacements", layout.square(0));
  }
  return tables;
}

}  // namespace

std::unique_ptr<Predictor> make_pose_predictor(PoseModel model) {
  return std::make_unique<PosePredictor>(std::move(model));
}

}  // namespace gapwise::internal
