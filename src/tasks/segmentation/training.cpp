#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gapwise/errors.h"
#include "io/fields.h"
#include "io/label_weights.h"
#include "tasks/segmentation/driver.h"

namespace gapwise::internal {
namespace {

class SegmentationTrainingSet final : public TrainingSet {
 public:
  SegmentationTrainingSet(const DataSource& source, SegmentationSettings settings,
                          std::optional<SegmentationLoss> asked)
      : settings_(std::move(settings)) {
    settings_.format = segmentation_format(source.format, source.path);
    const SegmentationLoss loss =
        asked.value_or(settings_.format == "images" ? SegmentationLoss::kNormalizedHamming
                                                    : SegmentationLoss::kHamming);
    settings_.loss = name_of(loss);
    auto data = std::make_shared<SegmentationData>(read(source));
    num_nodes_ = data->labels.size();
    num_edges_ = data->ends.size();
    problem_ = make_segmentation_problem(std::move(data), alphabets_.layout(), loss);
    if (settings_.inference == Inference::kLp) problem_ = make_relaxed_problem(std::move(problem_));
  }

  const Problem& problem() const override { return *problem_; }

  std::string describe() const override {
    return fmt::format("{}, {}, {}, {} and {}",
                       counted(static_cast<std::size_t>(problem_->num_blocks()),
                               settings_.format == "images" ? "image" : "graph"),
                       counted(num_nodes_, "node"), counted(num_edges_, "edge"),
                       counted(alphabets_.nodes.size(), "attribute"),
                       counted(alphabets_.edges.size(), "edge attribute"));
  }

  ModelRecord make_model(Weights w, Keep keep) const override {
    return encode_segmentation_model(settings_, alphabets_, w, keep);
  }

 private:
  SegmentationData read(const DataSource& source) {
    SegmentationPlan plan;
    plan.path = source.path;
    plan.format = settings_.format;
    plan.folds = source.folds;
    plan.images = settings_.images;
    plan.has_pairs = settings_.has_pairs;
    plan.learns = true;
    const auto reader = make_segmentation_reader(plan, alphabets_);
    SegmentationBatch batch;
    while (reader->read(batch)) batch.rasters.clear();
    if (batch.data.size() == 0) throw InputError(reader->complaint());
    check_both_labels(batch.data, source.path);
    check_dimension(alphabets_.layout(), source.path);
    finish_features(batch, alphabets_);
    weigh_labels(batch.data);
    return std::move(batch.data);
  }

  /// By the pixels that nodes stand for.
  void weigh_labels(SegmentationData& data) const {
    std::array<double, 2> sizes{};
    for (std::size_t v = 0; v < data.labels.size(); ++v) {
      sizes[static_cast<std::size_t>(data.labels[v])] += data.sizes[v];
    }
    const std::array<Index, 2> counts{static_cast<Index>(std::llround(sizes[0])),
                                      static_cast<Index>(std::llround(sizes[1]))};
    const std::array<std::string, 2> names{"0", "1"};
    data.label_weights =
        label_weights(settings_.label_weights, Alphabet::from_names(names), counts);
  }

  void check_both_labels(const SegmentationData& data, const std::string& path) const {
    const auto ones = std::count(data.labels.begin(), data.labels.end(), std::int8_t{1});
    if (ones > 0 && ones < std::ssize(data.labels)) return;
    throw InputError(
        fmt::format("{}: every node is {}, so there is nothing to learn; {}", path,
                    ones > 0 ? "foreground (1)" : "background (0)",
                    settings_.format == "images"
                        ? "give masks with both: values below half of maxval, and from there on"
                        : "give nodes of both labels"));
  }

  SegmentationSettings settings_;
  SegmentationAlphabets alphabets_;
  std::size_t num_nodes_ = 0;
  std::size_t num_edges_ = 0;
  std::unique_ptr<Problem> problem_;
};

}  // namespace

std::unique_ptr<TrainingSet> make_segmentation_training_set(const DataSource& source,
                                                            SegmentationSettings settings,
                                                            std::optional<SegmentationLoss> loss) {
  return std::make_unique<SegmentationTrainingSet>(source, std::move(settings), loss);
}

}  // namespace gapwise::internal
