// Images with masks beside them: the input is the masks, a line "---" and the images.

#include <filesystem>
#include <fstream>

#include "driver.h"

namespace {

/// A folder of its own for this process, gone with it.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "gapwise-fuzz-XXXXXX").string();
    gapwise::internal::fuzz::check(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const char* name, std::string_view bytes) const {
    const std::string file = (path_ / name).string();
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  constexpr std::string_view kDivider = "---\n";
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t divider = bytes.find(kDivider);
  if (divider == std::string_view::npos) return 0;
  folder.write("x-mask.pgm", bytes.substr(0, divider));
  gapwise::internal::fuzz::read_and_use_path(
      folder.write("x.ppm", bytes.substr(divider + kDivider.size())), {"segmentation", "images"});
  return 0;
}
