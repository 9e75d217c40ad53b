#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gapwise/types.h"
#include "io/byte_source.h"
#include "tasks/segmentation/image_stack.h"

namespace gapwise::internal {

/// Binary PPM (P6) or PGM (P5) images of one byte a sample, one after the other in a file that may
/// be gzip.
class NetpbmStack final : public ImageStack {
 public:
  /// `channels` are 3 for PPM, 1 for PGM.
  NetpbmStack(const std::string& path, int channels);

  /// The next image; false at the end. InputError with file, image and byte if there is something
  /// else.
  bool read(StackImage& image) override;

  Index num_images() const override { return num_images_; }
  const std::string& name() const override { return source_.name(); }
  /// "name: image 3, byte 120: what"; bytes are counted from 0 behind any gzip.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  bool fill();
  int peek();  ///< the next byte, or -1
  int take();
  void skip_space();
  Index read_number(const char* what, Index largest);
  void read_samples(StackImage& image);

  ByteSource source_;
  int channels_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  Index offset_ = 0;
  Index num_images_ = 0;
};

}  // namespace gapwise::internal
