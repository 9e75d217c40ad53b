#include "tasks/segmentation/png_files.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <filesystem>

#include "gapwise/errors.h"
#include "io/files.h"

namespace gapwise::internal {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".png";

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// Frees what libpng holds of an image, however reading it ends.
struct PngReading {
  png_image image{};
  ~PngReading() { png_image_free(&image); }
};

constexpr png_uint_32 kNoFormat = ~png_uint_32{0};

/// How to read the numbers of a label map, of which libpng makes `step` times the number; kNoFormat
/// if it has colours, or more than 8 bits. The header says: bits a sample, kind of colours.
png_uint_32 label_format(std::string_view bytes, int& step) {
  constexpr std::size_t kBits = 24;
  constexpr std::size_t kColourType = 25;
  constexpr int kGrey = 0;
  constexpr int kPalette = 3;
  const int bits = bytes[kBits];
  if (bytes[kColourType] == kPalette) return PNG_FORMAT_RGB_COLORMAP;
  if (bytes[kColourType] != kGrey || bits > 8) return kNoFormat;
  step = 255 / ((1 << bits) - 1);
  return PNG_FORMAT_GRAY;
}

}  // namespace

std::string too_many_pixels(Index width, Index height) {
  return fmt::format("{}x{} pixels are more than {}; make the image smaller", width, height,
                     kMostPixels);
}

bool holds_png(const std::string& path) {
  return path.ends_with(kEnding) || is_folder(path);
}

std::vector<std::string> find_png_images(const std::string& path) {
  if (!is_folder(path)) return {path};
  std::vector<std::string> images;
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().string();
    const bool is_truth = name.ends_with(kMaskEnding) || name.ends_with(kLabelsEnding);
    if (name.ends_with(kEnding) && !is_truth) images.push_back(name);
  }
  if (error) {
    throw InputError(fmt::format("{}: cannot be listed: {}", path, error.message()));
  }
  if (images.empty()) {
    throw InputError(fmt::format(
        "{}: is a folder without images; put NAME.png and, to learn from it, NAME-mask.png there",
        path));
  }
  std::sort(images.begin(), images.end());
  return images;
}

std::vector<std::string> find_png_companions(const std::vector<std::string>& images,
                                             const PngCompanion& what, bool needs_all) {
  std::vector<std::string> found;
  std::string without;  // the first
  for (const std::string& image : images) {
    const fs::path path(image);
    const fs::path beside = path.parent_path() / (path.stem().string() + what.ending + ".png");
    const fs::path below = path.parent_path() / what.folder / path.filename();
    if (is_there(beside) || is_there(below)) {
      found.push_back((is_there(beside) ? beside : below).string());
    } else if (without.empty()) {
      without = image;
    }
  }
  if (without.empty()) return found;
  if (needs_all) {
    throw InputError(fmt::format(
        "{}: has no {}; put it beside the image as {}{}.png, or into the folder {} "
        "under the name of the image",
        without, what.noun, fs::path(without).stem().string(), what.ending, what.folder));
  }
  return {};
}

bool PngFiles::read(StackImage& image) {
  if (next_ == paths_.size()) return false;
  const std::string& path = paths_[next_];
  const std::string bytes = read_file(path);
  const auto refuse = [&](const std::string& what) {
    throw InputError(fmt::format("{}: {}", path, what));
  };
  PngReading reading;
  png_image& png = reading.image;
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0) {
    refuse(fmt::format("is no PNG image ({}); convert it", png.message));
  }
  image.width = static_cast<Index>(png.width);
  image.height = static_cast<Index>(png.height);
  if (image.width * image.height > kMostPixels) refuse(too_many_pixels(image.width, image.height));
  int label_step = 1;
  if (samples_ == PngSamples::kLabels) {
    png.format = label_format(bytes, label_step);
    if (png.format == kNoFormat) {
      refuse("is a label map of colours or of 16 bits; save it in grey or with a palette, 8 bits");
    }
  } else {
    png.format = samples_ == PngSamples::kColours ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  }
  image.channels = samples_ == PngSamples::kColours ? 3 : 1;
  image.max_value = 255;
  image.name = fs::path(path).stem().string();
  image.samples.assign(PNG_IMAGE_SIZE(png), 0);  // what is transparent is black
  std::vector<png_byte> colours(PNG_IMAGE_COLORMAP_SIZE(png));
  if (png_image_finish_read(&png, nullptr, image.samples.data(), 0, colours.data()) == 0) {
    refuse(fmt::format("cannot be read: {}; copy it again", png.message));
  }
  for (std::uint8_t& sample : image.samples) {
    sample = static_cast<std::uint8_t>(sample / label_step);
  }
  ++next_;
  return true;
}

}  // namespace gapwise::internal
