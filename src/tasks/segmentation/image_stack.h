#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gapwise/types.h"

namespace gapwise::internal {

/// Larger images are refused.
inline constexpr Index kMostPixels = Index{1} << 26;
std::string too_many_pixels(Index width, Index height);  ///< the words for it

/// An image in memory: row by row, `channels` samples of 0..max_value for each pixel.
struct StackImage {
  Index width = 0;
  Index height = 0;
  int channels = 0;  ///< 3: red, green and blue; or 1: grey
  int max_value = 0;
  std::vector<std::uint8_t> samples;
  std::string name;  ///< of its file, without ending, if it has one of its own
};

/// The colours of an image, from 0 to 255.
inline std::vector<std::uint8_t> colours_of(const StackImage& image) {
  std::vector<std::uint8_t> colours;
  colours.reserve(image.samples.size());
  for (const std::uint8_t sample : image.samples) {
    colours.push_back(static_cast<std::uint8_t>(255 * sample / image.max_value));
  }
  return colours;
}

/// Images one after the other.
class ImageStack {
 public:
  virtual ~ImageStack() = default;
  /// The next image; false at the end. InputError if there is something else.
  virtual bool read(StackImage& image) = 0;
  virtual Index num_images() const = 0;         ///< so far
  virtual const std::string& name() const = 0;  ///< of the whole, for messages
};

}  // namespace gapwise::internal
