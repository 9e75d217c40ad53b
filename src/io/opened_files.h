#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace gapwise::internal {

/// As long as it lives, remembers every file that is opened for reading on the thread that made it:
/// what a run has read, down to files that nobody named, is not to be overwritten by it, and
/// FileWriter refuses to. One inside another's life takes over until it ends.
class OpenedFiles {
 public:
  OpenedFiles();
  ~OpenedFiles();
  OpenedFiles(const OpenedFiles&) = delete;
  OpenedFiles& operator=(const OpenedFiles&) = delete;

  /// The name under which the file at `path` was opened; nothing if it was not.
  std::optional<std::string> find(const std::string& path) const;

  /// For whoever opens files: `file` is open under this name.
  static void note(const std::string& path, int file);
  /// For whoever replaces files: throws InputError if the one at `path` was opened, as far as there
  /// is somebody who remembers.
  static void check_not_opened(const std::string& path);

 private:
  struct File {
    std::string path;
    dev_t device;
    ino_t number;
  };
  std::vector<File> files_;
  OpenedFiles* outer_;
};

}  // namespace gapwise::internal
