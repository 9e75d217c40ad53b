#pragma once

#include <string>
#include <vector>

#include "tasks/segmentation/image_stack.h"

namespace gapwise::internal {

/// What the mask of NAME.png ends in, beside it, and its label map.
inline constexpr const char* kMaskEnding = "-mask.png";
inline constexpr const char* kLabelsEnding = "-labels.png";

/// What belongs to each image NAME.png: NAME + ending + ".png" beside it, or folder/NAME.png.
struct PngCompanion {
  const char* noun;
  const char* ending;
  const char* folder;
};

/// Whether a path is a PNG file by its name, or a folder, which should hold some.
bool holds_png(const std::string& path);

/// The images that a path stands for: itself, or by name all of a folder that are neither masks
/// nor label maps.
/// InputError if there are none.
std::vector<std::string> find_png_images(const std::string& path);

/// What belongs to each of these images. None at all unless each has one; InputError that names the
/// image if some have one and `needs_all`.
std::vector<std::string> find_png_companions(const std::vector<std::string>& images,
                                             const PngCompanion& what, bool needs_all);

/// What is read of PNG files: colours, light, or the numbers behind grey values or palettes.
enum class PngSamples { kColours, kGrey, kLabels };

/// PNG files as a stack: anything that libpng reads, turned into 8 bits a sample;
/// labels must be numbers of at most 8 bits already.
class PngFiles final : public ImageStack {
 public:
  /// `name` is for messages.
  PngFiles(std::string name, std::vector<std::string> paths, PngSamples samples)
      : name_(std::move(name)), paths_(std::move(paths)), samples_(samples) {}

  bool read(StackImage& image) override;
  Index num_images() const override { return static_cast<Index>(next_); }
  const std::string& name() const override { return name_; }

 private:
  std::string name_;
  std::vector<std::string> paths_;
  PngSamples samples_;
  std::size_t next_ = 0;
};

}  // namespace gapwise::internal
