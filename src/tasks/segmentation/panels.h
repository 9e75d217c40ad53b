#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "tasks/segmentation/pictures.h"

namespace gapwise::internal {

using Rgb = std::array<std::uint8_t, 3>;

/// Panels of the same size side by side, each pixel of an image enlarged to a square.
class Panels {
 public:
  Panels(Index width, Index height, Index count)
      : width_(width), zoom_(std::max<Index>(1, std::min(kHeight / height, kWidth / width))) {
    picture_.width = count * width * zoom_ + (count - 1) * kGapWidth;
    picture_.height = height * zoom_;
    picture_.bytes.assign(static_cast<std::size_t>(3 * picture_.width * picture_.height), kGap);
  }

  /// The next panel; `colour_of` is asked for pixels, row by row.
  template <class ColourOf>
  void add(ColourOf colour_of) {
    const Index left = panel_ * (width_ * zoom_ + kGapWidth);
    for (Index y = 0; y < picture_.height; ++y) {
      for (Index x = 0; x < width_ * zoom_; ++x) {
        const Rgb colour = colour_of(y / zoom_ * width_ + x / zoom_);
        std::copy(colour.begin(), colour.end(),
                  picture_.bytes.begin() + 3 * (y * picture_.width + left + x));
      }
    }
    ++panel_;
  }
  /// The image itself: red, green and blue of each pixel.
  void add_image(const std::vector<std::uint8_t>& colours) {
    add([&](Index pixel) {
      const std::uint8_t* colour = colours.data() + 3 * pixel;
      return Rgb{colour[0], colour[1], colour[2]};
    });
  }

  Picture take() { return std::move(picture_); }

 private:
  static constexpr std::uint8_t kGap = 160;  // the grey between panels
  static constexpr Index kHeight = 160;      // small pictures are enlarged to about this
  static constexpr Index kWidth = 640;       // but not beyond this
  static constexpr Index kGapWidth = 6;

  Index width_;
  Index zoom_;
  Index panel_ = 0;
  Picture picture_;
};

}  // namespace gapwise::internal
