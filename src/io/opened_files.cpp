#include "io/opened_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <utility>

#include "gapwise/errors.h"

namespace gapwise::internal {
namespace {

thread_local OpenedFiles* current = nullptr;

}  // namespace

OpenedFiles::OpenedFiles() : outer_(std::exchange(current, this)) {}

OpenedFiles::~OpenedFiles() {
  current = outer_;
}

std::optional<std::string> OpenedFiles::find(const std::string& path) const {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return std::nullopt;
  for (const File& file : files_) {
    if (file.device == found.st_dev && file.number == found.st_ino) return file.path;
  }
  return std::nullopt;
}

void OpenedFiles::check_not_opened(const std::string& path) {
  if (current == nullptr) return;
  const std::optional<std::string> name = current->find(path);
  if (!name) return;
  throw InputError(
      fmt::format("{}: is not replaced, it was read as {}; name another file", path, *name));
}

void OpenedFiles::note(const std::string& path, int file) {
  struct stat found {};
  if (current == nullptr || ::fstat(file, &found) != 0 || !S_ISREG(found.st_mode)) return;
  current->files_.push_back({path, found.st_dev, found.st_ino});
}

}  // namespace gapwise::internal
