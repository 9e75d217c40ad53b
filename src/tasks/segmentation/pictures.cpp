#include "tasks/segmentation/pictures.h"

#include <algorithm>
#include <array>

namespace gapwise::internal {
namespace {

using Rgb = std::array<std::uint8_t, 3>;
constexpr Rgb kForeground{255, 255, 255};
constexpr Rgb kBackground{0, 0, 0};
constexpr Rgb kWronglyFound{220, 60, 50};
constexpr Rgb kMissed{50, 110, 230};
constexpr std::uint8_t kGap = 160;  // the grey between panels
constexpr Index kHeight = 160;      // small pictures are enlarged to about this
constexpr Index kWidth = 640;       // but not beyond this
constexpr Index kGapWidth = 6;

/// Panels side by side, each pixel of the picture enlarged to a square.
class Panels {
 public:
  Panels(const Raster& raster, Index count)
      : raster_(raster),
        zoom_(std::max<Index>(1, std::min(kHeight / raster.height, kWidth / raster.width))) {
    picture_.width = count * raster.width * zoom_ + (count - 1) * kGapWidth;
    picture_.height = raster.height * zoom_;
    picture_.bytes.assign(static_cast<std::size_t>(3 * picture_.width * picture_.height), kGap);
  }

  template <class ColourOf>
  void add(ColourOf colour_of) {
    const Index left = panel_ * (raster_.width * zoom_ + kGapWidth);
    for (Index y = 0; y < picture_.height; ++y) {
      for (Index x = 0; x < raster_.width * zoom_; ++x) {
        const Rgb colour = colour_of(y / zoom_ * raster_.width + x / zoom_);
        std::copy(colour.begin(), colour.end(),
                  picture_.bytes.begin() + 3 * (y * picture_.width + left + x));
      }
    }
    ++panel_;
  }

  Picture take() { return std::move(picture_); }

 private:
  const Raster& raster_;
  Index zoom_;
  Index panel_ = 0;
  Picture picture_;
};

}  // namespace

Picture draw_segmentation(const SegmentationBatch& batch, Index i) {
  const Raster& raster = batch.rasters[static_cast<std::size_t>(i)];
  const auto predicted = batch.predicted_of(i);
  const auto truth = [&](Index pixel) { return batch.truth_at(i, pixel); };
  const auto found = [&](Index pixel) { return predicted[raster.node_of(pixel)]; };
  bool has_truth = true;
  for (Index pixel = 0; pixel < raster.num_pixels(); ++pixel) has_truth &= truth(pixel) >= 0;

  Panels panels(raster, has_truth ? 3 : 2);
  panels.add([&](Index pixel) {
    const std::uint8_t* colour = raster.colours.data() + 3 * pixel;
    return Rgb{colour[0], colour[1], colour[2]};
  });
  if (has_truth)
    panels.add([&](Index pixel) { return truth(pixel) == 1 ? kForeground : kBackground; });
  panels.add([&](Index pixel) {
    if (has_truth && found(pixel) != truth(pixel))
      return truth(pixel) == 1 ? kMissed : kWronglyFound;
    return found(pixel) == 1 ? kForeground : kBackground;
  });
  return panels.take();
}

Picture draw_mask(const SegmentationBatch& batch, Index i) {
  const Raster& raster = batch.rasters[static_cast<std::size_t>(i)];
  const auto predicted = batch.predicted_of(i);
  Picture picture{raster.width, raster.height, {}};
  for (Index pixel = 0; pixel < raster.num_pixels(); ++pixel) {
    const Rgb& colour = predicted[raster.node_of(pixel)] == 1 ? kForeground : kBackground;
    picture.bytes.insert(picture.bytes.end(), colour.begin(), colour.end());
  }
  return picture;
}

}  // namespace gapwise::internal
