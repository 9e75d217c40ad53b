#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "gapwise/errors.h"
#include "io/files.h"
#include "tasks/segmentation/driver.h"
#include "tasks/segmentation/pictures.h"
#include "tasks/segmentation/png_files.h"
#include "tasks/shared/parallel_labels.h"
#include "tasks/shared/weight_tables.h"

namespace gapwise::internal {
namespace {

constexpr double kBatchNodes = 1 << 18;

class SegmentationStream final : public ExampleStream {
 public:
  SegmentationStream(SegmentationPlan plan, SegmentationAlphabets alphabets)
      : plan_(std::move(plan)),
        alphabets_(std::move(alphabets)),
        reader_(make_segmentation_reader(plan_, alphabets_)),
        batch_(std::make_unique<SegmentationBatch>()) {}

  bool read() override {
    if (!reader_->read(*batch_)) return false;
    if (plan_.keeps_colours && batch_->rasters.back().width == 0) {
      throw InputError(
          fmt::format("{}: graph {} has no shape to draw; if its nodes are pixels, row by row, "
                      "begin it with 'graph WIDTHxHEIGHT'",
                      plan_.path, batch_->numbers.back()));
    }
    return true;
  }
  double fill() const override {
    return static_cast<double>(batch_->data.labels.size()) / kBatchNodes;
  }
  std::unique_ptr<Batch> take() override {
    finish_features(*batch_, alphabets_);
    auto next = std::make_unique<SegmentationBatch>();
    next->before = batch_->before + batch_->size();
    return std::exchange(batch_, std::move(next));
  }
  [[noreturn]] void fail_empty() const override { throw InputError(reader_->complaint()); }

 private:
  SegmentationPlan plan_;
  SegmentationAlphabets alphabets_;
  std::unique_ptr<SegmentationReader> reader_;
  std::unique_ptr<SegmentationBatch> batch_;
};

constexpr std::array<std::string_view, 2> kClassNames{"background", "foreground"};

/// Counts what was predicted (second index) where what is right (first index), by size.
class SegmentationScorer final : public ScorerOf<SegmentationBatch> {
 public:
  std::size_t num_counts() const override { return 4; }
  Metrics metrics(std::span<const double> counts) const override {
    const double wrong = errors(counts);
    const double right = counts[at(0, 0)] + counts[at(1, 1)];
    return {{.name = "pixel_accuracy", .value = right / (right + wrong), .is_main = true},
            {.name = "mean_iou", .value = (iou(counts, 0, wrong) + iou(counts, 1, wrong)) / 2.0}};
  }
  double errors(std::span<const double> counts) const override {
    return counts[at(0, 1)] + counts[at(1, 0)];
  }

 private:
  static constexpr std::size_t at(std::size_t truth, std::size_t predicted) {
    return 2 * truth + predicted;
  }

  void count_one(const SegmentationBatch& batch, Index i, std::span<double> counts) override {
    add(batch, i, counts);
  }
  void visit_places(const SegmentationBatch& batch, Index i,
                    const std::function<void(const Place&)>& visit) const override {
    std::array<double, 4> counts{};
    add(batch, i, counts);
    for (std::size_t k = 0; k < counts.size(); ++k) {
      if (counts[k] > 0.0) visit({kClassNames[k / 2], kClassNames[k % 2], counts[k]});
    }
  }

  static void add(const SegmentationBatch& batch, Index i, std::span<double> counts) {
    const Raster& raster = batch.rasters[static_cast<std::size_t>(i)];
    const auto predicted = batch.predicted_of(i);
    for (std::size_t pixel = 0; pixel < raster.truth.size(); ++pixel) {
      const auto truth = static_cast<std::size_t>(raster.truth[pixel]);
      counts[at(truth, predicted[raster.node_of(static_cast<Index>(pixel))])] += 1.0;
    }
    if (!raster.truth.empty()) return;
    const std::size_t first = batch.data.node_starts[static_cast<std::size_t>(i)];
    for (std::size_t v = 0; v < predicted.size(); ++v) {
      counts[at(static_cast<std::size_t>(batch.data.labels[first + v]), predicted[v])] +=
          batch.data.sizes[first + v];
    }
  }
  /// Of one class: what is rightly found over all that is found or should be.
  static double iou(std::span<const double> counts, std::size_t k, double wrong) {
    const double either = counts[at(k, k)] + wrong;
    return either == 0.0 ? 1.0 : counts[at(k, k)] / either;
  }
};

/// Format graph: one label a line, graphs apart by blank lines.
void write_labels(std::span<const std::uint8_t> labels, bool is_first, std::string& text) {
  if (!is_first) text += '\n';
  for (const std::uint8_t label : labels) {
    text += static_cast<char>('0' + label);
    text += '\n';
  }
}

/// Format images: a PGM mask.
void write_mask(std::span<const std::uint8_t> labels, const Raster& raster, std::string& text) {
  text += fmt::format("P5\n{} {}\n1\n", raster.width, raster.height);
  for (Index pixel = 0; pixel < raster.num_pixels(); ++pixel) {
    text += static_cast<char>(labels[raster.node_of(pixel)]);
  }
}

class SegmentationPredictor final : public PredictorOf<SegmentationBatch, SegmentationModel> {
 public:
  using PredictorOf::PredictorOf;

  std::unique_ptr<ExampleStream> open(const DataSource& source, Purpose purpose) const override {
    return std::make_unique<SegmentationStream>(plan_reading(source, purpose), model_.alphabets);
  }
  std::unique_ptr<Scorer> make_scorer() const override {
    return std::make_unique<SegmentationScorer>();
  }
  /// Pictures bear the numbers of the graphs in their file, or the names of their own files; the
  /// latter have a mask beside them.
  void draw(const Batch& batch, Index first, const std::string& folder) const override;
  std::vector<WeightTable> top_weights(std::size_t count) const override;

 private:
  SegmentationPlan plan_reading(const DataSource& source, Purpose purpose) const;

  void label_batch(SegmentationBatch& batch, const Threads& threads) const override {
    const SegmentationData& data = batch.data;
    batch.predicted.resize(data.labels.size());
    label_all(threads, data.size(), SegmentationLabeller(model_.alphabets.layout(), model_.w),
              [&](SegmentationLabeller& labeller, Index i) {
                const auto labels = labeller.label(data, i);
                const std::size_t first = data.node_starts[static_cast<std::size_t>(i)];
                std::copy(labels.begin(), labels.end(),
                          batch.predicted.begin() + static_cast<std::ptrdiff_t>(first));
              });
  }
  void write_batch(const SegmentationBatch& batch, std::string& text) const override {
    const bool is_images = model_.settings.format == "images";
    for (Index i = 0; i < batch.size(); ++i) {
      const auto labels = batch.predicted_of(i);
      if (is_images) {
        write_mask(labels, batch.rasters[static_cast<std::size_t>(i)], text);
      } else {
        write_labels(labels, batch.before + i == 0, text);
      }
    }
  }
  Output output_of(const SegmentationBatch& batch, Index i) const override;
};

SegmentationPlan SegmentationPredictor::plan_reading(const DataSource& source,
                                                     Purpose purpose) const {
  const SegmentationSettings& settings = model_.settings;
  SegmentationPlan plan;
  plan.path = source.path;
  plan.format =
      source.format.empty() ? settings.format : segmentation_format(source.format, source.path);
  if (plan.format != settings.format) {
    throw OptionError(
        fmt::format("format {} has other attributes than format {}, which the model was trained "
                    "on; give data in that format",
                    plan.format, settings.format));
  }
  plan.folds = source.folds;
  plan.images = settings.images;
  plan.has_pairs = settings.has_pairs;
  plan.needs_labels = purpose == Purpose::kEvaluate;
  plan.keeps_colours = purpose == Purpose::kDraw;
  return plan;
}

/// Of each node, or of each pixel of a picture.
Output SegmentationPredictor::output_of(const SegmentationBatch& batch, Index i) const {
  const Raster& raster = batch.rasters[static_cast<std::size_t>(i)];
  const auto labels = batch.predicted_of(i);
  Output output;
  if (raster.width == 0) output.numbers.assign(labels.begin(), labels.end());
  for (Index pixel = 0; pixel < raster.num_pixels(); ++pixel) {
    output.numbers.push_back(labels[raster.node_of(pixel)]);
  }
  return output;
}

void SegmentationPredictor::draw(const Batch& batch, Index, const std::string& folder) const {
  const auto& graphs = static_cast<const SegmentationBatch&>(batch);
  for (Index i = 0; i < graphs.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const std::string& own = graphs.rasters[k].name;
    const std::string name = own.empty() ? fmt::format("{:05}", graphs.numbers[k]) : own;
    const std::string path = (std::filesystem::path(folder) / name).string();
    write_file(path + ".png", encode_png(draw_segmentation(graphs, i)));
    if (!own.empty()) write_file(path + kMaskEnding, encode_png(draw_mask(graphs, i)));
  }
}

std::vector<WeightTable> SegmentationPredictor::top_weights(std::size_t count) const {
  const SegmentationLayout layout = model_.alphabets.layout();
  const auto name = [](const Alphabet& alphabet) {
    return [&alphabet](Index a) { return std::string(alphabet.name(static_cast<std::size_t>(a))); };
  };
  return {weight_table("nodes", {model_.w, 0, 1, layout.node_attributes}, count,
                       name(model_.alphabets.nodes)),
          weight_table("edges", {model_.w, layout.edge(0), 1, layout.edge_attributes}, count,
                       name(model_.alphabets.edges))};
}

}  // namespace

std::unique_ptr<Predictor> make_segmentation_predictor(SegmentationModel model) {
  return std::make_unique<SegmentationPredictor>(std::move(model));
}

}  // namespace gapwise::internal
