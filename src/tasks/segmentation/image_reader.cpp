#include <fmt/format.h>

#include <algorithm>

#include "gapwise/errors.h"
#include "io/folds.h"
#include "tasks/segmentation/image_pairs.h"
#include "tasks/segmentation/pixel_features.h"
#include "tasks/segmentation/reader.h"

namespace gapwise::internal {
namespace {

/// Nodes of one image: with what learning keeps of each (about 600 bytes), some 10 GB.
constexpr Index kMostNodes = Index{1} << 24;

/// Images and their masks, in the same order.
class ImageReader final : public SegmentationReader {
 public:
  ImageReader(const SegmentationPlan& plan, SegmentationAlphabets& alphabets);

  bool read(SegmentationBatch& into) override;
  std::string complaint() const override;

 private:
  void check_mask() const;
  void check_size() const;
  void add(SegmentationBatch& into) const;
  Raster make_raster() const;
  PixelGrid reduce(const Raster& raster, SegmentationData& into) const;

  SegmentationPlan plan_;
  Folds folds_;
  ImagePairs pairs_;
};

ImageReader::ImageReader(const SegmentationPlan& plan, SegmentationAlphabets& alphabets)
    : plan_(plan), folds_(plan.folds), pairs_(plan.path, TruthKind::kMasks, plan.needs_labels) {
  if (!plan.learns) return;
  for (const std::string& name : pixel_attribute_names()) alphabets.nodes.add(name);
  if (!plan.has_pairs) return;
  for (const std::string& name : pixel_edge_names(plan.images.neighbours)) {
    alphabets.edges.add(name);
  }
}

bool ImageReader::read(SegmentationBatch& into) {
  while (pairs_.read()) {
    if (pairs_.has_truth()) check_mask();
    if (!folds_.contains(pairs_.num_images())) continue;
    add(into);
    return true;
  }
  return false;
}

/// Labels 0 and 1 under maxval 255 are a frequent mistake: all of them are nearly black.
void ImageReader::check_mask() const {
  const StackImage& mask = pairs_.truth();
  const int most = *std::max_element(mask.samples.begin(), mask.samples.end());
  if (most == 0 || 2 * most >= mask.max_value) return;
  throw InputError(
      fmt::format("{} has values up to {} under maxval {}, but foreground begins at half "
                  "of maxval, so "
                  "there would be none; {}",
                  pairs_.name_of_truth(), most, mask.max_value,
                  most == 1 ? "write maxval 1, or 255 for each 1"
                            : "write 0 for background and maxval for foreground"));
}

/// The least scale that is enough is told.
void ImageReader::check_size() const {
  Raster raster;
  raster.width = pairs_.image().width;
  raster.height = pairs_.image().height;
  raster.scale = plan_.images.scale;
  const auto nodes = [&] { return raster.nodes_across() * raster.nodes_down(); };
  if (nodes() <= kMostNodes) return;
  const Index found = nodes();
  while (nodes() > kMostNodes) ++raster.scale;
  throw InputError(
      fmt::format("{}: image {} of {}x{} pixels makes {} nodes, more than {}; train with \1scale "
                  "{}, which makes one of {} "
                  "pixels",
                  pairs_.name(), pairs_.num_images(), raster.width, raster.height, found,
                  kMostNodes, raster.scale, raster.scale * raster.scale));
}

Raster ImageReader::make_raster() const {
  Raster raster;
  raster.width = pairs_.image().width;
  raster.height = pairs_.image().height;
  raster.scale = plan_.images.scale;
  raster.name = pairs_.image().name;
  if (pairs_.has_truth()) {
    const StackImage& mask = pairs_.truth();
    for (const std::uint8_t sample : mask.samples) {
      raster.truth.push_back(2 * sample >= mask.max_value ? 1 : 0);
    }
  }
  if (plan_.keeps_colours) raster.colours = colours_of(pairs_.image());
  return raster;
}

/// The mean colours of the nodes; adds their sizes and labels.
PixelGrid ImageReader::reduce(const Raster& raster, SegmentationData& into) const {
  const StackImage& image = pairs_.image();
  PixelGrid grid{raster.nodes_across(), raster.nodes_down(), {}};
  const auto nodes = static_cast<std::size_t>(grid.width * grid.height);
  grid.colours.assign(nodes, Colour{});
  std::vector<double> sizes(nodes, 0.0);
  std::vector<double> inside(nodes, 0.0);
  for (Index pixel = 0; pixel < raster.num_pixels(); ++pixel) {
    const std::size_t node = raster.node_of(pixel);
    const auto at = static_cast<std::size_t>(pixel);
    for (std::size_t c = 0; c < 3; ++c) {
      grid.colours[node][c] += image.samples[3 * at + c];
    }
    sizes[node] += 1.0;
    if (!raster.truth.empty()) inside[node] += raster.truth[at];
  }
  for (std::size_t v = 0; v < nodes; ++v) {
    for (double& part : grid.colours[v]) part /= sizes[v] * image.max_value;
    const bool is_foreground = 2.0 * inside[v] >= sizes[v];
    into.labels.push_back(static_cast<std::int8_t>(raster.truth.empty() ? -1
                                                   : is_foreground      ? 1
                                                                        : 0));
    into.sizes.push_back(sizes[v]);
  }
  return grid;
}

void ImageReader::add(SegmentationBatch& into) const {
  check_size();
  Raster raster = make_raster();
  const PixelGrid grid = reduce(raster, into.data);
  add_pixel_rows(grid, into.data.nodes);
  if (plan_.has_pairs) {
    add_pixel_edges(grid, plan_.images.neighbours, into.data.ends, into.data.edges);
  }
  end_graph(into, pairs_.num_images(), std::move(raster));
}

std::string ImageReader::complaint() const {
  return pairs_.complaint(folds_.text());
}

}  // namespace

std::unique_ptr<SegmentationReader> make_image_reader(const SegmentationPlan& plan,
                                                      SegmentationAlphabets& alphabets) {
  return std::make_unique<ImageReader>(plan, alphabets);
}

}  // namespace gapwise::internal
