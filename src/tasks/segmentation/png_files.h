#pragma once

#include <string>
#include <vector>

#include "tasks/segmentation/image_stack.h"

namespace gapwise::internal {

/// What the mask of NAME.png ends in, beside it.
inline constexpr const char* kMaskEnding = "-mask.png";

/// Whether a path is a PNG file by its name, or a folder, which should hold some.
bool holds_png(const std::string& path);

/// The images that a path stands for: itself, or by name all of a folder that are no masks.
/// InputError if there are none.
std::vector<std::string> find_png_images(const std::string& path);

/// The mask of each of these images: NAME-mask.png beside NAME.png, or masks/NAME.png in the same
/// folder. None at all unless each has one; InputError that names the image if some have one and
/// `needs_all`.
std::vector<std::string> find_png_masks(const std::vector<std::string>& images, bool needs_all);

/// PNG files as a stack: anything that libpng reads, turned into 8 bits a sample.
class PngFiles final : public ImageStack {
 public:
  /// `channels` are 3 for colours, 1 for grey; `name` is for messages.
  PngFiles(std::string name, std::vector<std::string> paths, int channels)
      : name_(std::move(name)), paths_(std::move(paths)), channels_(channels) {}

  bool read(StackImage& image) override;
  Index num_images() const override { return static_cast<Index>(next_); }
  const std::string& name() const override { return name_; }

 private:
  std::string name_;
  std::vector<std::string> paths_;
  int channels_;
  std::size_t next_ = 0;
};

}  // namespace gapwise::internal
