#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "gapwise/errors.h"
#include "io/files.h"
#include "tasks/pose/driver.h"
#include "tasks/pose/pictures.h"
#include "tasks/shared/parallel_labels.h"
#include "tasks/shared/weight_tables.h"

namespace gapwise::internal {
namespace {

/// Values of score maps and joints.
constexpr double kBatchValues = 1 << 20;

GridPoint middle_of(const GridShape& grid, std::int32_t cell) {
  return {static_cast<double>(grid.x_of(cell)), static_cast<double>(grid.y_of(cell))};
}

class PoseStream final : public ExampleStream {
 public:
  /// `lines` are at the start of the file.
  PoseStream(LineReader lines, const PosePlan& plan, const PoseModel& model)
      : lines_(std::move(lines)),
        maps_(model.maps),
        reader_(make_pose_reader(plan, lines_, maps_)),
        grid_(model.frame.grid),
        skeleton_(model.frame.skeleton),
        batch_(make_batch()) {}

  const LineReader& lines() const { return lines_; }
  const PoseFrame& frame() const { return reader_->frame(); }

  bool read() override { return reader_->read(*batch_); }
  double fill() const override {
    const PoseData& data = batch_->data;
    return static_cast<double>(data.maps.num_values() + data.joints.size()) / kBatchValues;
  }
  std::unique_ptr<Batch> take() override {
    batch_->data.maps.finish(static_cast<std::uint32_t>(maps_.size()));
    return std::exchange(batch_, make_batch());
  }
  [[noreturn]] void fail_empty() const override { throw InputError(reader_->complaint()); }

 private:
  std::unique_ptr<PoseBatch> make_batch() const {
    auto batch = std::make_unique<PoseBatch>();
    batch->data.grid = grid_;
    batch->data.skeleton = skeleton_;
    return batch;
  }

  LineReader lines_;
  Alphabet maps_;
  std::unique_ptr<PoseReader> reader_;
  GridShape grid_;
  Skeleton skeleton_;
  std::unique_ptr<PoseBatch> batch_;
};

/// How far joints are from where they should be.
class PoseScorer final : public ScorerOf<PoseBatch> {
 public:
  explicit PoseScorer(const PoseModel& model) : model_(model) {}

  std::size_t num_counts() const override { return kCounts; }
  Metrics metrics(std::span<const double> counts) const override {
    return {{.name = "pdj", .value = counts[kFound] / counts[kJoints], .is_main = true},
            {.name = "mean_distance",
             .value = counts[kDistances] / counts[kJoints],
             .better = Better::kLower}};
  }
  double errors(std::span<const double> counts) const override {
    return counts[kJoints] - counts[kFound];
  }

 private:
  enum Count : std::size_t { kJoints, kFound, kDistances, kCounts };

  void count_one(const PoseBatch& batch, Index i, std::span<double> counts) override {
    for_each_joint(batch, i, [&](std::size_t, double away, double torso) {
      counts[kJoints] += 1.0;
      counts[kFound] += is_found(away, torso) ? 1.0 : 0.0;
      counts[kDistances] += away < torso ? away / torso : 1.0;
    });
  }
  void visit_places(const PoseBatch& batch, Index i,
                    const std::function<void(const Place&)>& visit) const override {
    for_each_joint(batch, i, [&](std::size_t joint, double away, double torso) {
      const std::string_view name = model_.frame.joints[joint];
      visit({name, is_found(away, torso) ? name : ""});
    });
  }
  bool is_found(double away, double torso) const { return away <= model_.threshold * torso; }
  /// Calls visit(joint, its distance from where it should be, size of the torso).
  template <class Visit>
  static void for_each_joint(const PoseBatch& batch, Index i, Visit visit) {
    const PoseData& data = batch.data;
    const auto truth = data.joints_of(i);
    const auto predicted = batch.predicted_of(i);
    const double torso = data.skeleton.torso_size(truth);
    for (std::size_t j = 0; j < truth.size(); ++j) {
      visit(j, distance(truth[j], middle_of(data.grid, predicted[j])), torso);
    }
  }

  const PoseModel& model_;
};

class PosePredictor final : public PredictorOf<PoseBatch, PoseModel> {
 public:
  using PredictorOf::PredictorOf;

  std::unique_ptr<ExampleStream> open(const DataSource& source, Purpose purpose) const override;
  std::unique_ptr<Scorer> make_scorer() const override {
    return std::make_unique<PoseScorer>(model_);
  }
  std::vector<WeightTable> top_weights(std::size_t count) const override;

  /// Pictures bear the numbers of the figures in the order in which they are read, from 1.
  void draw(const Batch& batch, Index first, const std::string& folder) const override {
    for (Index i = 0; i < batch.size(); ++i) {
      const std::string name = fmt::format("{:05}.png", first + i + 1);
      write_file((std::filesystem::path(folder) / name).string(),
                 encode_png(draw_figure(static_cast<const PoseBatch&>(batch), i)));
    }
  }

 private:
  void check_frame(const LineReader& lines, const PoseFrame& frame) const;

  void label_batch(PoseBatch& batch, const Threads& threads) const override {
    const PoseData& data = batch.data;
    batch.predicted.resize(data.joints.size());
    label_all(threads, data.size(), PoseFinder(model_.layout(), model_.rest, model_.w),
              [&](PoseFinder& finder, Index i) {
                const auto cells = finder.find(data, i);
                std::copy(cells.begin(), cells.end(),
                          batch.predicted.begin() + i * std::ssize(cells));
              });
  }
  void write_batch(const PoseBatch& batch, std::string& text) const override {
    for (Index i = 0; i < batch.size(); ++i) {
      const FigureNotes& notes = batch.notes[static_cast<std::size_t>(i)];
      if (notes.flags.empty()) {
        write_figure(batch.predicted_of(i), text);
      } else {
        write_line(notes, batch.predicted_of(i), text);
      }
    }
  }
  void write_figure(std::span<const std::int32_t> cells, std::string& text) const;
  void write_line(const FigureNotes& notes, std::span<const std::int32_t> cells,
                  std::string& text) const;
  Output output_of(const PoseBatch& batch, Index i) const override {
    Output output;
    for (const std::int32_t cell : batch.predicted_of(i)) {
      output.numbers.push_back(batch.data.grid.x_of(cell));
      output.numbers.push_back(batch.data.grid.y_of(cell));
    }
    return output;
  }
};

std::unique_ptr<ExampleStream> PosePredictor::open(const DataSource& source,
                                                   Purpose purpose) const {
  LineReader lines(source.path);
  PosePlan plan;
  plan.format = source.format.empty() ? model_.format : pose_format(source.format, lines);
  plan.folds = source.folds;
  plan.maps = model_.made_maps;
  plan.maps.grid = model_.frame.grid.width;
  plan.needs_joints = purpose == Purpose::kEvaluate;
  auto stream = std::make_unique<PoseStream>(std::move(lines), plan, model_);
  check_frame(stream->lines(), stream->frame());
  return stream;
}

void PosePredictor::check_frame(const LineReader& lines, const PoseFrame& frame) const {
  const bool is_empty = frame.joints.empty();
  if (is_empty || frame == model_.frame) return;
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

/// Format score-maps: the figure without its maps.
void PosePredictor::write_figure(std::span<const std::int32_t> cells, std::string& text) const {
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
