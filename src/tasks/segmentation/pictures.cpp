#include "tasks/segmentation/pictures.h"

#include "tasks/segmentation/panels.h"
#include "tasks/segmentation/reader.h"

namespace gapwise::internal {
namespace {

constexpr Rgb kForeground{255, 255, 255};
constexpr Rgb kBackground{0, 0, 0};
constexpr Rgb kWronglyFound{220, 60, 50};
constexpr Rgb kMissed{50, 110, 230};

}  // namespace

Picture draw_segmentation(const SegmentationBatch& batch, Index i) {
  const Raster& raster = batch.rasters[static_cast<std::size_t>(i)];
  const auto predicted = batch.predicted_of(i);
  const auto truth = [&](Index pixel) { return batch.truth_at(i, pixel); };
  const auto found = [&](Index pixel) { return predicted[raster.node_of(pixel)]; };
  bool has_truth = true;
  for (Index pixel = 0; pixel < raster.num_pixels(); ++pixel) has_truth &= truth(pixel) >= 0;

  Panels panels(raster.width, raster.height, has_truth ? 3 : 2);
  panels.add_image(raster.colours);
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
