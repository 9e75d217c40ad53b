#include "tasks/segmentation/driver.h"

#include <fmt/format.h>

#include <optional>

#include "io/label_weights.h"
#include "tasks/segmentation/image_pairs.h"
#include "tasks/segmentation/regions/driver.h"

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
                   "tell foreground from background, or many classes: pixels of images, nodes of "
                   "graphs",
                   segmentation_formats()) {}

  OptionTable options() override {
    return {
        loss_option(),
        label_weights_option(label_weights_,
                             "how many times a wrong node counts, by whether background (0) or "
                             "foreground (1) is right"),
        flag("pairwise", has_pairs_, "no: leave out the edges, so that each node is on its own"),
        choice("neighbours", neighbours_, "images: how many pixels a pixel is joined to"),
        scale_option(),
        choice("regions", regions_,
               "format label-maps: squares of N x N pixels, or as many regions that follow the "
               "colours"),
        option("void", void_classes_, "V,V...",
               "format label-maps: values of label maps that cost nothing and do not count"),
        choice("inference", inference_,
               "what training looks for: the best labelling, or the best point of its linear "
               "relaxation, "
               "which is the same for format graph and images"),
    };
  }

  std::unique_ptr<TrainingSet> read_training(const DataSource& source, const Threads&) override {
    validate(options());
    if (segmentation_format(source.format, source.path) == kLabelMaps) {
      return make_region_training_set(source, region_settings());
    }
    refuse_options_of_label_maps();
    SegmentationSettings settings;
    settings.images = {scale_.value_or(1), neighbours_ == Neighbours::kEight ? 8 : 4};
    settings.has_pairs = has_pairs_;
    settings.inference = inference_;
    settings.label_weights = label_weights_;
    return make_segmentation_training_set(source, std::move(settings), loss());
  }

  std::unique_ptr<Predictor> open(ModelRecord model) const override {
    const auto format = model.settings.find("format");
    if (format != model.settings.end() && format->second == kLabelMaps) {
      return make_region_predictor(decode_region_model(std::move(model)));
    }
    return make_segmentation_predictor(decode_segmentation_model(std::move(model)));
  }

  std::string sample(Index examples, Rng& rng) const override {
    return sample_segmentation(examples, rng);
  }

  bool looks_familiar(std::string_view head) const override {
    return looks_like_segmentation(head);
  }

 private:
  Option scale_option() {
    Option row = option("scale", scale_, between(1, static_cast<double>(kLargestScale)), "N",
                        "images: work on squares of N x N pixels; figures are of single pixels");
    row.fallback = "1, but for format label-maps 8";
    return row;
  }
  RegionSettings region_settings() const {
    RegionSettings settings;
    settings.kind = regions_;
    settings.side = scale_.value_or(settings.side);
    settings.neighbours = neighbours_ == Neighbours::kEight ? 8 : 4;
    settings.has_pairs = has_pairs_;
    settings.loss = loss().value_or(settings.loss);
    settings.inference = inference_;
    settings.void_classes = void_classes_;
    settings.label_weights = label_weights_;
    return settings;
  }
  void refuse_options_of_label_maps() const {
    const char* given = !void_classes_.empty()             ? "void"
                        : regions_ != RegionKind::kSquares ? "regions superpixels"
                                                           : nullptr;
    if (given == nullptr) return;
    throw OptionError(
        fmt::format("\1{} is for format label-maps: images with NAME-labels.pgm or NAME-labels.png "
                    "beside them",
                    given));
  }
  Option loss_option() {
    const auto names = enum_names(SegmentationLoss{});
    Option row =
        choice("loss", loss_, {names.begin(), names.end()},
               "what wrong nodes cost: their size, its part of the graph, or its part of their "
               "class");
    row.fallback = "hamming, but for images normalized-hamming";
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
  std::optional<Index> scale_;
  RegionKind regions_ = RegionKind::kSquares;
  std::string void_classes_;
  Inference inference_ = Inference::kExact;
};

}  // namespace

GAPWISE_TASK_DRIVER(segmentation, SegmentationDriver)

}  // namespace gapwise::internal
