#include <png.h>

#include <new>

#include "tasks/segmentation/pictures.h"

namespace gapwise::internal {
namespace {

std::string encode(Index width, Index height, png_uint_32 format,
                   const std::vector<std::uint8_t>& bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = format;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string file(size, '\0');
  const int is_written =
      png_image_write_to_memory(&image, file.data(), &size, 0, bytes.data(), 0, nullptr);
  if (is_written == 0) throw std::bad_alloc();  // nothing else can go wrong in memory
  file.resize(size);
  return file;
}

}  // namespace

std::string encode_png(const Picture& picture) {
  return encode(picture.width, picture.height, PNG_FORMAT_RGB, picture.bytes);
}

std::string encode_grey_png(Index width, Index height, const std::vector<std::uint8_t>& bytes) {
  return encode(width, height, PNG_FORMAT_GRAY, bytes);
}

}  // namespace gapwise::internal
