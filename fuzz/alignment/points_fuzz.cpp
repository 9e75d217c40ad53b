#include "driver.h"

/// The numbers of the points, "---", the pairs.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.find("---\n") == std::string_view::npos) return 0;
  gapwise::internal::fuzz::read_and_use_with_file(bytes, {"alignment", "points", "points"});
  return 0;
}
