#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gapwise/types.h"
#include "io/byte_source.h"

namespace gapwise::internal {

/// An image in memory: row by row, `channels` samples of 0..max_value for each pixel.
struct NetpbmImage {
  Index width = 0;
  Index height = 0;
  int channels = 0;  ///< 3 (PPM) or 1 (PGM)
  int max_value = 0;
  std::vector<std::uint8_t> samples;
};

/// Binary PPM (P6) or PGM (P5) images of one byte a sample, one after the other in a file that may
/// be gzip.
class NetpbmStack {
 public:
  /// `channels` are 3 for PPM, 1 for PGM.
  NetpbmStack(const std::string& path, int channels);

  /// The next image; false at the end. InputError with file, image and byte if there is something
  /// else.
  bool read(NetpbmImage& image);

  Index num_images() const { return num_images_; }  ///< so far
  const std::string& name() const { return source_.name(); }
  /// "name: image 3, byte 120: what"; bytes are counted from 0 behind any gzip.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  bool fill();
  int peek();  ///< the next byte, or -1
  int take();
  void skip_space();
  Index read_number(const char* what, Index largest);
  void read_samples(NetpbmImage& image);

  ByteSource source_;
  int channels_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  Index offset_ = 0;
  Index num_images_ = 0;
};

}  // namespace gapwise::internal
