#pragma once

#include <fstream>
#include <string>
#include <string_view>

#include "driver.h"
#include "support/scratch_folder.h"

namespace gapwise::internal::fuzz {

/// Reads images with their truth beside them: the input is the truth, a line "---" and the images.
inline void read_and_use_images(std::string_view bytes, const std::string& truth,
                                const std::string& format) {
  static const ScratchFolder folder;
  constexpr std::string_view kDivider = "---\n";
  const auto write = [](const std::string& name, std::string_view text) {
    std::ofstream(folder.path(name), std::ios::binary) << text;
  };
  const std::size_t divider = bytes.find(kDivider);
  if (divider == std::string_view::npos) return;
  write(truth, bytes.substr(0, divider));
  write("x.ppm", bytes.substr(divider + kDivider.size()));
  read_and_use_path(folder.path("x.ppm"), {"segmentation", format});
}

}  // namespace gapwise::internal::fuzz
