#include "tasks/segmentation/driver.h"

#include <optional>

#include "io/label_weights.h"

namespace gapwise::internal {
namespace {

enum class Neighbours { kFour, kEight };
constexpr std::array<std::string_view, 2> enum_names(Neighbours) {
  return {"4", "8"};
}

class SegmentationDriver final : public TaskDriver {
 public:
  SegmentationDriver()
      : TaskDriver("segmentation",
                   "tell foreground from background: pixels of images, nodes of graphs",
                   segmentation_formats()) {}

  OptionTable options() override {
    return {
        loss_option(),
        label_weights_option(label_weights_,
                             "how many times a wrong node counts, by whether background (0) or "
                             "foreground (1) is right"),
        flag("pairwise", has_pairs_, "no: leave out the edges, so that each node is on its own"),
        choice("neighbours", neighbours_, "format images: how many pixels a pixel is joined to"),
        option("scale", scale_, between(1, static_cast<double>(kLargestScale)), "N",
               "format images: work on squares of N x N pixels; figures are of single pixels"),
    };
  }

  std::unique_ptr<TrainingSet> read_training(const DataSource& source, const Threads&) override {
    validate(options());
    SegmentationSettings settings;
    settings.images = {scale_, neighbours_ == Neighbours::kEight ? 8 : 4};
    settings.has_pairs = has_pairs_;
    settings.label_weights = label_weights_;
    return make_segmentation_training_set(source, std::move(settings), loss());
  }

  std::unique_ptr<Predictor> open(ModelRecord model) const override {
    return make_segmentation_predictor(decode_segmentation_model(std::move(model)));
  }

  std::string sample(Index examples, Rng& rng) const override {
    return sample_segmentation(examples, rng);
  }

  bool looks_familiar(std::string_view head) const override {
    return looks_like_segmentation(head);
  }

 private:
  Option loss_option() {
    const auto names = enum_names(SegmentationLoss{});
    Option row =
        choice("loss", loss_, {names.begin(), names.end()},
               "what wrong nodes cost: their size, its part of the graph, or its part of their "
               "class");
    row.fallback = "hamming, but for format images normalized-hamming";
    return row;
  }

  /// The loss that was asked for, if any was.
  std::optional<SegmentationLoss> loss() const {
    for (const auto loss : {SegmentationLoss::kHamming, SegmentationLoss::kNormalizedHamming,
                            SegmentationLoss::kBalancedHamming}) {
      if (loss_ == name_of(loss)) return loss;
    }
    return std::nullopt;
  }

  std::string loss_;
  std::string label_weights_;
  bool has_pairs_ = true;
  Neighbours neighbours_ = Neighbours::kFour;
  Index scale_ = 1;
};

}  // namespace

GAPWISE_TASK_DRIVER(segmentation, SegmentationDriver)

}  // namespace gapwise::internal
