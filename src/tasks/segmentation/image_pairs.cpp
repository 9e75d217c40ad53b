#include "tasks/segmentation/image_pairs.h"

#include <fmt/format.h>

#include <filesystem>

#include "gapwise/errors.h"
#include "io/fields.h"
#include "tasks/segmentation/netpbm.h"
#include "tasks/segmentation/png_files.h"

namespace gapwise::internal {
namespace {

/// How files of a kind are called: NAME + ending, or under the same name in a folder.
const PngCompanion& companion(TruthKind kind) {
  static const PngCompanion masks{"mask", "-mask", "masks"};
  static const PngCompanion labels{"label map", "-labels", "labels"};
  return kind == TruthKind::kMasks ? masks : labels;
}

/// "horses" of "horses.ppm" and "horses.ppm.gz".
std::string stem_of(std::string path) {
  for (const std::string_view ending : {".gz", ".ppm"}) {
    if (path.ends_with(ending)) path.resize(path.size() - ending.size());
  }
  return path;
}

std::unique_ptr<ImageStack> open_images(const std::string& path) {
  if (holds_png(path)) {
    return std::make_unique<PngFiles>(path, find_png_images(path), PngSamples::kColours);
  }
  return std::make_unique<NetpbmStack>(path, 3);
}

/// The PGM file beside a file of images; empty if there is none.
std::string find_pgm(const std::string& path, TruthKind kind) {
  for (const char* ending : {".pgm", ".pgm.gz"}) {
    std::string name = stem_of(path) + companion(kind).ending + ending;
    std::error_code ignored;
    if (std::filesystem::exists(name, ignored)) return name;
  }
  return {};
}

/// Null if there are none.
std::unique_ptr<ImageStack> open_truths(const std::string& path, TruthKind kind, bool needs_all) {
  if (path == "-") return nullptr;
  if (holds_png(path)) {
    std::vector<std::string> files =
        find_png_companions(find_png_images(path), companion(kind), needs_all);
    if (files.empty()) return nullptr;
    return std::make_unique<PngFiles>(
        path, std::move(files),
        kind == TruthKind::kMasks ? PngSamples::kGrey : PngSamples::kLabels);
  }
  const std::string name = find_pgm(path, kind);
  return name.empty() ? nullptr : std::make_unique<NetpbmStack>(name, 1);
}

}  // namespace

bool has_truth_beside(const std::string& path, TruthKind kind) {
  if (path == "-") return false;
  if (!holds_png(path)) return !find_pgm(path, kind).empty();
  return !find_png_companions(find_png_images(path), companion(kind), false).empty();
}

ImagePairs::ImagePairs(const std::string& path, TruthKind kind, bool needs_truth)
    : noun_(companion(kind).noun),
      images_(open_images(path)),
      truths_(open_truths(path, kind, needs_truth)) {
  if (truths_ || !needs_truth) return;
  const std::string remedy =
      path == "-" ? fmt::format("give a file that has its {}s beside it", noun_)
                  : fmt::format("put them into {0}{1}.pgm or {0}{1}.pgm.gz, one for each image",
                                stem_of(path), companion(kind).ending);
  throw InputError(fmt::format("{}: there are no {}s beside it; {}", name(), noun_, remedy));
}

bool ImagePairs::read() {
  const bool has_image = images_->read(image_);
  if (!truths_) return has_image;
  const bool has_truth = truths_->read(truth_);
  if (has_image != has_truth) {
    const ImageStack& longer = has_image ? *images_ : *truths_;
    const ImageStack& shorter = has_image ? *truths_ : *images_;
    throw InputError(fmt::format(
        "{}: ends after {}, but {} goes on; there must be one {} for each image, in the same order",
        shorter.name(), counted(static_cast<std::size_t>(shorter.num_images()), "image"),
        longer.name(), noun_));
  }
  if (has_image && (image_.width != truth_.width || image_.height != truth_.height)) {
    throw InputError(fmt::format("{} is {}x{}, but {} is {}x{}; make them the same size",
                                 name_of_truth(), truth_.width, truth_.height, name_of_image(),
                                 image_.width, image_.height));
  }
  return has_image;
}

std::string ImagePairs::name_of_truth() const {
  return fmt::format("{}: {} {}", truths_->name(), noun_, truths_->num_images());
}

std::string ImagePairs::name_of_image() const {
  return fmt::format("image {} of {}", num_images(), name());
}

std::string ImagePairs::complaint(const std::string& folds) const {
  if (num_images() > 0) {
    return fmt::format(
        "{}: none of its {} is in folds {}; the fold of an image is its number, from 1", name(),
        counted(static_cast<std::size_t>(num_images()), "image"), folds);
  }
  return fmt::format("{}: is empty; expected binary PPM images one after the other", name());
}

}  // namespace gapwise::internal
