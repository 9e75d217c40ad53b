#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "gapwise/errors.h"

namespace gapwise::internal {

/// An empty folder of its own among the temporary files, gone with everything in it afterwards.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "gapwise-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw InputError(name +
                       ": cannot make a folder for files that are needed for a while only; "
                       "make room there, or set TMPDIR to a place that has some");
    }
    root_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& root() const { return root_; }
  std::string path(const std::string& name) const { return (root_ / name).string(); }

 private:
  std::filesystem::path root_;
};

}  // namespace gapwise::internal
