#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gapwise/errors.h"
#include "io/files.h"
#include "tasks/segmentation/panels.h"
#include "tasks/segmentation/png_files.h"
#include "tasks/segmentation/regions/driver.h"
#include "tasks/segmentation/regions/reader.h"
#include "tasks/segmentation/regions/region_features.h"
#include "tasks/shared/parallel_labels.h"
#include "tasks/shared/ratio.h"
#include "tasks/shared/weight_tables.h"

namespace gapwise::internal {
namespace {

constexpr double kBatchCells = 1 << 22;

/// Some images of a file.
struct RegionBatch final : Batch {
  FactorGraphData data;
  std::vector<RegionMap> maps;
  std::vector<Index> numbers;           ///< of each image in its file, from 1
  std::vector<std::int32_t> predicted;  ///< of each region, once labelled
  std::vector<std::uint8_t> is_proven;  ///< of each image, once labelled

  Index size() const override { return data.size(); }
  /// The number of the class of a pixel.
  std::size_t predicted_at(Index i, Index pixel) const {
    const RegionMap& map = maps[static_cast<std::size_t>(i)];
    return static_cast<std::size_t>(predicted[data.first_variable(i) + map.region(pixel)]);
  }
};

class RegionStream final : public ExampleStream {
 public:
  RegionStream(const RegionPlan& plan, const ClassList& classes)
      : classes_(classes), reader_(plan), batch_(std::make_unique<RegionBatch>()) {}

  bool read() override {
    RegionImage image;
    if (!reader_.read(image, batch_->data.variables, batch_->data.factors)) return false;
    const std::vector<double> costs(image.classes.size(), 0.0);
    add_region_graph(image, classes_, costs, shapes_, batch_->data);
    const FactorGraph& graph = *batch_->data.graphs.back();
    num_cells_ += graph.state_starts.back() + graph.table_starts.back();
    batch_->maps.push_back(std::move(image.map));
    batch_->numbers.push_back(image.number);
    return true;
  }
  double fill() const override { return static_cast<double>(num_cells_) / kBatchCells; }
  std::unique_ptr<Batch> take() override {
    finish_region_features(batch_->data);
    num_cells_ = 0;
    return std::exchange(batch_, std::make_unique<RegionBatch>());
  }
  [[noreturn]] void fail_empty() const override { throw InputError(reader_.complaint()); }

 private:
  ClassList classes_;
  RegionReader reader_;
  GraphShapes shapes_{false};
  Index num_cells_ = 0;
  std::unique_ptr<RegionBatch> batch_;
};

/// Counts pixels by what is right and what was predicted; a class that the model does not know is
/// the last of what is right.
class RegionScorer final : public ScorerOf<RegionBatch> {
 public:
  explicit RegionScorer(const ClassList& classes) : classes_(classes) {
    for (const std::int16_t value : classes) names_.push_back(fmt::to_string(value));
    names_.emplace_back("other");
  }

  std::size_t num_counts() const override { return table_size() + 2; }

  Metrics metrics(std::span<const double> counts) const override {
    double right = 0.0;
    double recalls = 0.0;
    double overlaps = 0.0;
    double seen = 0.0;
    double met = 0.0;
    for (std::size_t k = 0; k < classes_.size(); ++k) {
      double gold = 0.0;
      double predicted = 0.0;
      for (std::size_t other = 0; other < classes_.size(); ++other) gold += counts[at(k, other)];
      for (std::size_t other = 0; other <= classes_.size(); ++other) {
        predicted += counts[at(other, k)];
      }
      const double both = counts[at(k, k)];
      right += both;
      recalls += ratio(both, gold);
      seen += gold > 0.0 ? 1.0 : 0.0;
      overlaps += ratio(both, gold + predicted - both);
      met += gold + predicted > 0.0 ? 1.0 : 0.0;
    }
    return {
        {.name = "pixel_accuracy", .value = ratio(right, right + errors(counts)), .is_main = true},
        {.name = "class_accuracy", .value = ratio(recalls, seen)},
        {.name = "mean_iou", .value = ratio(overlaps, met)},
        {.name = "proven_optimal", .value = ratio(counts[table_size()], counts[table_size() + 1])}};
  }
  double errors(std::span<const double> counts) const override {
    double wrong = 0.0;
    for (std::size_t k = 0; k < table_size(); ++k) {
      if (k / classes_.size() != k % classes_.size()) wrong += counts[k];
    }
    return wrong;
  }

 private:
  std::size_t table_size() const { return (classes_.size() + 1) * classes_.size(); }
  std::size_t at(std::size_t truth, std::size_t predicted) const {
    return truth * classes_.size() + predicted;
  }

  void add(const RegionBatch& batch, Index i, std::span<double> counts) const {
    const RegionMap& map = batch.maps[static_cast<std::size_t>(i)];
    for (Index pixel = 0; pixel < map.num_pixels(); ++pixel) {
      const std::int16_t value = map.truth[static_cast<std::size_t>(pixel)];
      if (value == kNoClass) continue;
      const std::int32_t known = class_number(classes_, value);
      const std::size_t truth = known < 0 ? classes_.size() : static_cast<std::size_t>(known);
      counts[at(truth, batch.predicted_at(i, pixel))] += 1.0;
    }
  }
  void count_one(const RegionBatch& batch, Index i, std::span<double> counts) override {
    add(batch, i, counts);
    counts[table_size()] += batch.is_proven[static_cast<std::size_t>(i)];
    counts[table_size() + 1] += 1.0;
  }
  void visit_places(const RegionBatch& batch, Index i,
                    const std::function<void(const Place&)>& visit) const override {
    std::vector<double> counts(table_size(), 0.0);
    add(batch, i, counts);
    for (std::size_t k = 0; k < counts.size(); ++k) {
      if (counts[k] == 0.0) continue;
      visit({names_[k / classes_.size()], names_[k % classes_.size()], counts[k]});
    }
  }

  const ClassList& classes_;
  std::vector<std::string> names_;
};

/// Colours that differ as much as may be for neighbouring values: bits 0, 1 and 2 of a value are
/// the highest ones of red, green and blue, bits 3, 4 and 5 the next ones.
Rgb colour_of_class(std::int16_t value) {
  Rgb colour{};
  auto bits = static_cast<unsigned>(value);
  for (unsigned place = 7; bits != 0 && place > 4; --place) {
    for (std::uint8_t& part : colour) {
      part = static_cast<std::uint8_t>(part | ((bits & 1U) << place));
      bits >>= 1U;
    }
  }
  return colour;
}

/// Of each pixel.
std::vector<std::uint8_t> predicted_values(const RegionBatch& batch, Index i,
                                           const ClassList& classes) {
  std::vector<std::uint8_t> values;
  for (Index pixel = 0; pixel < batch.maps[static_cast<std::size_t>(i)].num_pixels(); ++pixel) {
    values.push_back(static_cast<std::uint8_t>(classes[batch.predicted_at(i, pixel)]));
  }
  return values;
}

/// The image, what is right, what is predicted, and where it is wrong; where no class counts, the
/// second and the last are white.
Picture draw_regions(const RegionBatch& batch, Index i, const ClassList& classes) {
  constexpr Rgb kVoid{255, 255, 255};
  constexpr Rgb kRight{90, 90, 90};
  constexpr Rgb kWrong{220, 60, 50};
  const RegionMap& map = batch.maps[static_cast<std::size_t>(i)];
  const auto truth = [&](Index pixel) { return map.truth[static_cast<std::size_t>(pixel)]; };
  const auto found = [&](Index pixel) { return classes[batch.predicted_at(i, pixel)]; };
  const bool has_truth = !map.truth.empty();
  Panels panels(map.width, map.height, has_truth ? 4 : 2);
  panels.add_image(map.colours);
  if (has_truth) {
    panels.add([&](Index pixel) {
      return truth(pixel) == kNoClass ? kVoid : colour_of_class(truth(pixel));
    });
  }
  panels.add([&](Index pixel) { return colour_of_class(found(pixel)); });
  if (has_truth) {
    panels.add([&](Index pixel) {
      if (truth(pixel) == kNoClass) return kVoid;
      return truth(pixel) == found(pixel) ? kRight : kWrong;
    });
  }
  return panels.take();
}

class RegionPredictor final : public PredictorOf<RegionBatch, RegionModel> {
 public:
  explicit RegionPredictor(RegionModel model)
      : PredictorOf(std::move(model)), layout_(model_.layout()) {}

  std::unique_ptr<ExampleStream> open(const DataSource& source, Purpose purpose) const override {
    if (!source.format.empty() && source.format != kLabelMaps) {
      throw OptionError(
          fmt::format("format {} has other attributes than format {}, which the model was trained "
                      "on; give data in that format",
                      source.format, kLabelMaps));
    }
    RegionPlan plan{source.path, source.folds, model_.settings};
    plan.needs_truth = purpose == Purpose::kEvaluate;
    plan.keeps_colours = purpose == Purpose::kDraw;
    return std::make_unique<RegionStream>(plan, model_.classes);
  }
  std::unique_ptr<Scorer> make_scorer() const override {
    return std::make_unique<RegionScorer>(model_.classes);
  }
  /// Pictures bear the numbers of the images in their file, or the names of their own files; the
  /// latter have a label map beside them.
  void draw(const Batch& batch, Index, const std::string& folder) const override {
    const auto& images = static_cast<const RegionBatch&>(batch);
    for (Index i = 0; i < images.size(); ++i) {
      const RegionMap& map = images.maps[static_cast<std::size_t>(i)];
      const std::string name =
          map.name.empty() ? fmt::format("{:05}", images.numbers[static_cast<std::size_t>(i)])
                           : map.name;
      const std::string path = (std::filesystem::path(folder) / name).string();
      write_file(path + ".png", encode_png(draw_regions(images, i, model_.classes)));
      if (map.name.empty()) continue;
      write_file(
          path + kLabelsEnding,
          encode_grey_png(map.width, map.height, predicted_values(images, i, model_.classes)));
    }
  }
  std::vector<WeightTable> top_weights(std::size_t count) const override;

 private:
  void label_batch(RegionBatch& batch, const Threads& threads) const override {
    batch.predicted.resize(batch.data.kinds.size());
    batch.is_proven.resize(static_cast<std::size_t>(batch.size()));
    label_all(threads, batch.size(), FactorGraphLabeller(layout_, model_.w),
              [&](FactorGraphLabeller& labeller, Index i) {
                const auto out =
                    std::span(batch.predicted)
                        .subspan(batch.data.first_variable(i), batch.data.truth_of(i).size());
                batch.is_proven[static_cast<std::size_t>(i)] =
                    labeller.label(batch.data, i, out) ? 1 : 0;
              });
  }
  /// PGM label maps one after the other.
  void write_batch(const RegionBatch& batch, std::string& text) const override {
    for (Index i = 0; i < batch.size(); ++i) {
      const RegionMap& map = batch.maps[static_cast<std::size_t>(i)];
      text += fmt::format("P5\n{} {}\n255\n", map.width, map.height);
      for (const std::uint8_t value : predicted_values(batch, i, model_.classes)) {
        text += static_cast<char>(value);
      }
    }
  }
  /// Of each pixel.
  Output output_of(const RegionBatch& batch, Index i) const override {
    Output output;
    for (const std::uint8_t value : predicted_values(batch, i, model_.classes)) {
      output.numbers.push_back(value);
    }
    return output;
  }

  GraphWeightLayout layout_;
};

std::vector<WeightTable> RegionPredictor::top_weights(std::size_t count) const {
  const auto classes = static_cast<Index>(model_.classes.size());
  const auto value = [&](Index k) { return model_.classes[static_cast<std::size_t>(k)]; };
  const std::vector<std::string> regions = region_attribute_names();
  const std::vector<std::string> edges = region_edge_names();
  const Index first = layout_.factors.front();
  return {
      weight_table("regions", {model_.w, 0, 1, first}, count,
                   [&](Index k) {
                     return fmt::format("{} {}", regions[static_cast<std::size_t>(k / classes)],
                                        value(k % classes));
                   }),
      weight_table("edges", {model_.w, first, 1, layout_.dimension() - first}, count, [&](Index k) {
        const Index states = k % (classes * classes);
        return fmt::format("{} {} {}", edges[static_cast<std::size_t>(k / (classes * classes))],
                           value(states / classes), value(states % classes));
      })};
}

}  // namespace

std::unique_ptr<Predictor> make_region_predictor(RegionModel model) {
  return std::make_unique<RegionPredictor>(std::move(model));
}

}  // namespace gapwise::internal
