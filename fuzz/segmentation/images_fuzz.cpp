// Images with masks beside them: the input is the masks, a line "---" and the images.

#include "image_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gapwise::internal::fuzz::read_and_use_images({reinterpret_cast<const char*>(data), size},
                                               "x-mask.pgm", "images");
  return 0;
}
