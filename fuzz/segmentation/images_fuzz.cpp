// Images with masks beside them: the input is the masks, a line "---" and the images.

#include <fstream>

#include "driver.h"
#include "support/scratch_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const gapwise::internal::ScratchFolder folder;
  constexpr std::string_view kDivider = "---\n";
  const auto write = [](const char* name, std::string_view text) {
    std::ofstream(folder.path(name), std::ios::binary) << text;
  };
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t divider = bytes.find(kDivider);
  if (divider == std::string_view::npos) return 0;
  write("x-mask.pgm", bytes.substr(0, divider));
  write("x.ppm", bytes.substr(divider + kDivider.size()));
  gapwise::internal::fuzz::read_and_use_path(folder.path("x.ppm"), {"segmentation", "images"});
  return 0;
}
