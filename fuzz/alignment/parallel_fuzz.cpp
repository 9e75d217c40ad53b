#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "driver.h"

namespace {

/// A folder for the files that belong together, which find each other by their names.
const std::filesystem::path& folder() {
  static const std::filesystem::path path = [] {
    std::string name = (std::filesystem::temp_directory_path() / "gapwise-fuzz-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    std::atexit([] { std::filesystem::remove_all(folder()); });
    return std::filesystem::path(name);
  }();
  return path;
}

void write(const char* name, std::string_view bytes) {
  std::ofstream(folder() / name, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string_view take_part(std::string_view& bytes) {
  constexpr std::string_view kDivider = "---\n";
  const std::size_t divider = bytes.find(kDivider);
  const std::string_view part = bytes.substr(0, divider);
  bytes.remove_prefix(divider == std::string_view::npos ? bytes.size() : divider + kDivider.size());
  return part;
}

}  // namespace

/// Gold links, "---", a given alignment, "---", the pairs.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  write("t.gold", take_part(bytes));
  write("t.talp", take_part(bytes));
  write("t.pairs", bytes);
  gapwise::internal::fuzz::read_and_use_path((folder() / "t.pairs").string(),
                                             {"alignment", "parallel", "given", "talp:swapped"});
  return 0;
}
