#pragma once

#include <cstddef>
#include <string_view>

namespace gapwise::internal {

/// A file that was there when the program was built, byte for byte; empty if it was not.
struct Asset {
  const char* bytes;
  std::size_t size;
  std::string_view sha256;  ///< in hexadecimal

  std::string_view text() const { return {bytes, size}; }
  bool is_there() const { return size > 0; }
};

/// What a page brings along. Script and plots are there together or not at all.
struct Assets {
  Asset style;
  Asset figure;  ///< a Python script that draws what is exported
  Asset script;
  Asset plot_style;
  Asset plot_script;
  Asset plot_licence;
};
const Assets& assets();

}  // namespace gapwise::internal
