#include "tasks/segmentation/predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <ostream>

#include "gapwise/errors.h"
#include "io/files.h"
#include "tasks/segmentation/pictures.h"
#include "tasks/shared/weight_tables.h"

namespace gapwise::internal {
namespace {

/// Graphs are read, labelled and let go in runs of about this many nodes, so that memory does not
/// grow with the file.
constexpr std::size_t kBatchNodes = std::size_t{1} << 18;

/// Counts what was predicted (second index) where what is right (first index), by size.
class SegmentationCounts {
 public:
  void add(int truth, int predicted, double size) {
    counts_[static_cast<std::size_t>(truth)][static_cast<std::size_t>(predicted)] += size;
  }
  Metrics result() const {
    const double wrong = counts_[0][1] + counts_[1][0];
    const double right = counts_[0][0] + counts_[1][1];
    return {{"pixel_accuracy", right / (right + wrong)},
            {"mean_iou", (iou(0, wrong) + iou(1, wrong)) / 2.0}};
  }

 private:
  /// Of one class: what is rightly found over all that is found or should be.
  double iou(std::size_t k, double wrong) const {
    const double either = counts_[k][k] + wrong;
    return either == 0.0 ? 1.0 : counts_[k][k] / either;
  }
  std::array<std::array<double, 2>, 2> counts_{};
};

class SegmentationPredictor final : public Predictor {
 public:
  explicit SegmentationPredictor(SegmentationModel model) : model_(std::move(model)) {}

  Metrics evaluate(const DataSource& source, const Threads& threads) const override;
  void predict(const DataSource& source, const Threads& threads, std::ostream& out) const override;
  void draw(const DataSource& source, const Threads& threads,
            const std::string& folder) const override;
  std::vector<WeightTable> top_weights(std::size_t count) const override;

 private:
  using Labels = std::vector<std::vector<std::uint8_t>>;
  using Visit = std::function<void(const SegmentationBatch& batch, const Labels& predicted)>;
  enum class Purpose { kEvaluate, kPredict, kDraw };

  SegmentationPlan plan_reading(const DataSource& source, Purpose purpose) const;
  void for_each_batch(const DataSource& source, Purpose purpose, const Threads& threads,
                      const Visit& visit) const;
  Labels label(const SegmentationData& data, const Threads& threads) const;

  SegmentationModel model_;
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

void SegmentationPredictor::for_each_batch(const DataSource& source, Purpose purpose,
                                           const Threads& threads, const Visit& visit) const {
  SegmentationAlphabets alphabets = model_.alphabets;
  const auto reader = make_segmentation_reader(plan_reading(source, purpose), alphabets);
  Index num_graphs = 0;
  bool has_more = true;
  while (has_more) {
    SegmentationBatch batch;
    while (batch.data.labels.size() < kBatchNodes && has_more) has_more = reader->read(batch);
    finish_features(batch, alphabets);
    num_graphs += batch.data.size();
    visit(batch, label(batch.data, threads));
  }
  if (num_graphs == 0) throw InputError(reader->complaint());
}

SegmentationPredictor::Labels SegmentationPredictor::label(const SegmentationData& data,
                                                           const Threads& threads) const {
  Labels predicted(static_cast<std::size_t>(data.size()));
  std::vector<SegmentationLabeller> labellers;
  for (int t = 0; t < threads.count(); ++t) {
    labellers.emplace_back(model_.alphabets.layout(), model_.w);
  }
  threads.run(data.size(), [&](Index begin, Index end, int slot) {
    for (Index i = begin; i < end; ++i) {
      const auto labels = labellers[static_cast<std::size_t>(slot)].label(data, i);
      predicted[static_cast<std::size_t>(i)].assign(labels.begin(), labels.end());
    }
  });
  return predicted;
}

Metrics SegmentationPredictor::evaluate(const DataSource& source, const Threads& threads) const {
  SegmentationCounts counts;
  const auto visit = [&](const SegmentationBatch& batch, const Labels& predicted) {
    for (std::size_t i = 0; i < predicted.size(); ++i) {
      const Raster& raster = batch.rasters[i];
      for (std::size_t pixel = 0; pixel < raster.truth.size(); ++pixel) {
        counts.add(raster.truth[pixel], predicted[i][raster.node_of(static_cast<Index>(pixel))],
                   1.0);
      }
      if (!raster.truth.empty()) continue;
      const std::size_t first = batch.data.node_starts[i];
      for (std::size_t v = 0; v < predicted[i].size(); ++v) {
        counts.add(batch.data.labels[first + v], predicted[i][v], batch.data.sizes[first + v]);
      }
    }
  };
  for_each_batch(source, Purpose::kEvaluate, threads, visit);
  return counts.result();
}

/// Format graph: one label a line, graphs apart by blank lines.
void write_labels(const std::vector<std::uint8_t>& labels, bool is_first, std::string& text) {
  if (!is_first) text += '\n';
  for (const std::uint8_t label : labels) {
    text += static_cast<char>('0' + label);
    text += '\n';
  }
}

/// Format images: a PGM mask.
void write_mask(const std::vector<std::uint8_t>& labels, const Raster& raster, std::string& text) {
  text += fmt::format("P5\n{} {}\n1\n", raster.width, raster.height);
  for (Index pixel = 0; pixel < raster.num_pixels(); ++pixel) {
    text += static_cast<char>(labels[raster.node_of(pixel)]);
  }
}

void SegmentationPredictor::predict(const DataSource& source, const Threads& threads,
                                    std::ostream& out) const {
  const bool is_images = model_.settings.format == "images";
  bool is_first = true;
  std::string text;
  for_each_batch(source, Purpose::kPredict, threads,
                 [&](const SegmentationBatch& batch, const Labels& predicted) {
                   text.clear();
                   for (std::size_t i = 0; i < predicted.size(); ++i) {
                     if (is_images) {
                       write_mask(predicted[i], batch.rasters[i], text);
                     } else {
                       write_labels(predicted[i], is_first, text);
                     }
                     is_first = false;
                   }
                   out.write(text.data(), static_cast<std::streamsize>(text.size()));
                 });
}

void SegmentationPredictor::draw(const DataSource& source, const Threads& threads,
                                 const std::string& folder) const {
  const auto visit = [&](const SegmentationBatch& batch, const Labels& predicted) {
    for (std::size_t i = 0; i < predicted.size(); ++i) {
      const Index number = batch.numbers[i];
      if (batch.rasters[i].width == 0) {
        throw InputError(
            fmt::format("{}: graph {} has no shape to draw; if its nodes are pixels, row by row, "
                        "begin it with 'graph WIDTHxHEIGHT'",
                        source.path, number));
      }
      const Picture picture = draw_segmentation(batch, static_cast<Index>(i), predicted[i]);
      const std::string name = fmt::format("{:05}.png", number);
      write_file((std::filesystem::path(folder) / name).string(), encode_png(picture));
    }
  };
  for_each_batch(source, Purpose::kDraw, threads, visit);
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
