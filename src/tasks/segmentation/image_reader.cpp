#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gapwise/errors.h"
#include "io/fields.h"
#include "io/folds.h"
#include "tasks/segmentation/netpbm.h"
#include "tasks/segmentation/pixel_features.h"
#include "tasks/segmentation/png_files.h"
#include "tasks/segmentation/reader.h"

namespace gapwise::internal {
namespace {

/// Nodes of one image: with what learning keeps of each (about 600 bytes), some 10 GB.
constexpr Index kMostNodes = Index{1} << 24;

/// "horses" of "horses.ppm" and "horses.ppm.gz".
std::string stem_of(std::string path) {
  for (const std::string_view ending : {".gz", ".ppm"}) {
    if (path.ends_with(ending)) path.resize(path.size() - ending.size());
  }
  return path;
}

/// The images of a plan.
std::unique_ptr<ImageStack> open_images(const std::string& path) {
  if (holds_png(path)) return std::make_unique<PngFiles>(path, find_png_images(path), 3);
  return std::make_unique<NetpbmStack>(path, 3);
}

/// The masks that belong to them; null if there are none.
std::unique_ptr<ImageStack> open_masks(const std::string& path, bool needs_all) {
  if (path == "-") return nullptr;
  if (holds_png(path)) {
    std::vector<std::string> masks = find_png_masks(find_png_images(path), needs_all);
    return masks.empty() ? nullptr : std::make_unique<PngFiles>(path, std::move(masks), 1);
  }
  for (const char* ending : {"-mask.pgm", "-mask.pgm.gz"}) {
    const std::string name = stem_of(path) + ending;
    std::error_code ignored;
    if (std::filesystem::exists(name, ignored)) return std::make_unique<NetpbmStack>(name, 1);
  }
  return nullptr;
}

/// Images and their masks, in the same order.
class ImageReader final : public SegmentationReader {
 public:
  ImageReader(const SegmentationPlan& plan, SegmentationAlphabets& alphabets);

  bool read(SegmentationBatch& into) override;
  std::string complaint() const override;

 private:
  [[noreturn]] void fail_without_masks() const;
  bool read_pair();
  void check_mask() const;
  void check_size() const;
  void add(SegmentationBatch& into) const;
  Raster make_raster() const;
  PixelGrid reduce(const Raster& raster, SegmentationData& into) const;

  SegmentationPlan plan_;
  Folds folds_;
  std::unique_ptr<ImageStack> images_;
  std::unique_ptr<ImageStack> masks_;
  StackImage image_;
  StackImage mask_;
};

ImageReader::ImageReader(const SegmentationPlan& plan, SegmentationAlphabets& alphabets)
    : plan_(plan),
      folds_(plan.folds),
      images_(open_images(plan.path)),
      masks_(open_masks(plan.path, plan.needs_labels)) {
  if (!masks_ && plan.needs_labels) fail_without_masks();
  if (!plan.learns) return;
  for (const std::string& name : pixel_attribute_names()) alphabets.nodes.add(name);
  if (!plan.has_pairs) return;
  for (const std::string& name : pixel_edge_names(plan.images.neighbours)) {
    alphabets.edges.add(name);
  }
}

void ImageReader::fail_without_masks() const {
  const std::string remedy =
      plan_.path == "-"
          ? "give a file that has its masks beside it"
          : fmt::format("put them into {0}-mask.pgm or {0}-mask.pgm.gz, one for each image",
                        stem_of(plan_.path));
  throw InputError(fmt::format("{}: there are no masks beside it; {}", images_->name(), remedy));
}

bool ImageReader::read(SegmentationBatch& into) {
  while (read_pair()) {
    if (!folds_.contains(images_->num_images())) continue;
    add(into);
    return true;
  }
  return false;
}

/// The next image and its mask.
bool ImageReader::read_pair() {
  const bool has_image = images_->read(image_);
  if (!masks_) return has_image;
  const bool has_mask = masks_->read(mask_);
  if (has_image != has_mask) {
    const ImageStack& longer = has_image ? *images_ : *masks_;
    const ImageStack& shorter = has_image ? *masks_ : *images_;
    throw InputError(fmt::format(
        "{}: ends after {}, but {} goes on; there must be one mask for "
        "each image, in the same order",
        shorter.name(), counted(static_cast<std::size_t>(shorter.num_images()), "image"),
        longer.name()));
  }
  if (has_image && (image_.width != mask_.width || image_.height != mask_.height)) {
    throw InputError(
        fmt::format("{}: mask {} is {}x{}, but image {} of {} is {}x{}; make them the "
                    "same size",
                    masks_->name(), masks_->num_images(), mask_.width, mask_.height,
                    images_->num_images(), images_->name(), image_.width, image_.height));
  }
  if (has_image) check_mask();
  return has_image;
}

/// Labels 0 and 1 under maxval 255 are a frequent mistake: all of them are nearly black.
void ImageReader::check_mask() const {
  const int most = *std::max_element(mask_.samples.begin(), mask_.samples.end());
  if (most == 0 || 2 * most >= mask_.max_value) return;
  throw InputError(
      fmt::format("{}: mask {} has values up to {} under maxval {}, but foreground begins at half "
                  "of maxval, so "
                  "there would be none; {}",
                  masks_->name(), masks_->num_images(), most, mask_.max_value,
                  most == 1 ? "write maxval 1, or 255 for each 1"
                            : "write 0 for background and maxval for foreground"));
}

/// The least scale that is enough is told.
void ImageReader::check_size() const {
  Raster raster;
  raster.width = image_.width;
  raster.height = image_.height;
  raster.scale = plan_.images.scale;
  const auto nodes = [&] { return raster.nodes_across() * raster.nodes_down(); };
  if (nodes() <= kMostNodes) return;
  const Index found = nodes();
  while (nodes() > kMostNodes) ++raster.scale;
  throw InputError(
      fmt::format("{}: image {} of {}x{} pixels makes {} nodes, more than {}; train with \1scale "
                  "{}, which makes one of {} "
                  "pixels",
                  images_->name(), images_->num_images(), image_.width, image_.height, found,
                  kMostNodes, raster.scale, raster.scale * raster.scale));
}

Raster ImageReader::make_raster() const {
  Raster raster;
  raster.width = image_.width;
  raster.height = image_.height;
  raster.scale = plan_.images.scale;
  raster.name = image_.name;
  if (masks_) {
    for (const std::uint8_t sample : mask_.samples) {
      raster.truth.push_back(2 * sample >= mask_.max_value ? 1 : 0);
    }
  }
  if (plan_.keeps_colours) {
    for (const std::uint8_t sample : image_.samples) {
      raster.colours.push_back(static_cast<std::uint8_t>(255 * sample / image_.max_value));
    }
  }
  return raster;
}

/// The mean colours of the nodes; adds their sizes and labels.
PixelGrid ImageReader::reduce(const Raster& raster, SegmentationData& into) const {
  PixelGrid grid{raster.nodes_across(), raster.nodes_down(), {}};
  const auto nodes = static_cast<std::size_t>(grid.width * grid.height);
  grid.colours.assign(nodes, Colour{});
  std::vector<double> sizes(nodes, 0.0);
  std::vector<double> inside(nodes, 0.0);
  for (Index pixel = 0; pixel < raster.num_pixels(); ++pixel) {
    const std::size_t node = raster.node_of(pixel);
    const auto at = static_cast<std::size_t>(pixel);
    for (std::size_t c = 0; c < 3; ++c) {
      grid.colours[node][c] += image_.samples[3 * at + c];
    }
    sizes[node] += 1.0;
    if (!raster.truth.empty()) inside[node] += raster.truth[at];
  }
  for (std::size_t v = 0; v < nodes; ++v) {
    for (double& part : grid.colours[v]) part /= sizes[v] * image_.max_value;
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
  end_graph(into, images_->num_images(), std::move(raster));
}

std::string ImageReader::complaint() const {
  if (images_->num_images() > 0) {
    return fmt::format(
        "{}: none of its {} is in folds {}; the fold of an image is its number, from "
        "1",
        images_->name(), counted(static_cast<std::size_t>(images_->num_images()), "image"),
        folds_.text());
  }
  return fmt::format("{}: is empty; expected binary PPM images one after the other",
                     images_->name());
}

}  // namespace

std::unique_ptr<SegmentationReader> make_image_reader(const SegmentationPlan& plan,
                                                      SegmentationAlphabets& alphabets) {
  return std::make_unique<ImageReader>(plan, alphabets);
}

}  // namespace gapwise::internal
