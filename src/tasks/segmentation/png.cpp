#include <png.h>

#include <new>

#include "tasks/segmentation/pictures.h"

namespace gapwise::internal {

std::string encode_png(const Picture& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string file(size, '\0');
  const int is_written =
      png_image_write_to_memory(&image, file.data(), &size, 0, picture.bytes.data(), 0, nullptr);
  if (is_written == 0) throw std::bad_alloc();  // nothing else can go wrong in memory
  file.resize(size);
  return file;
}

}  // namespace gapwise::internal
