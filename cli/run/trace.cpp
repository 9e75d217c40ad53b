#include "run/trace.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "gapwise/errors.h"
#include "io/files.h"
#include "run/figures.h"

namespace gapwise::internal::cli {

Trace::~Trace() {
  close_file();
}

/// The next line then writes the whole file anew.
void Trace::close_file() {
  if (file_ >= 0) close(file_);
  file_ = -1;
}

void Trace::add(std::string line) {
  lines_.push_back(std::move(line));
  if (path_.empty()) return;
  if (file_ < 0) {
    create();
  } else {
    append(shown(lines_.back()));
  }
}

void Trace::finish(std::string line, bool replaces_last) {
  if (replaces_last) {
    lines_.pop_back();
    close_file();
  }
  add(std::move(line));
}

std::string Trace::shown(const std::string& line) const {
  return (has_clock_ ? line : without_clock(line)) + "\n";
}

void Trace::create() {
  std::string text;
  for (const std::string& line : lines_) text += shown(line);
  write_file(path_, text);
  file_ = open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
}

/// A line that cannot be written whole is taken back.
void Trace::append(const std::string& line) {
  const ssize_t written = write(file_, line.data(), line.size());
  if (written == static_cast<ssize_t>(line.size())) return;
  const int error = errno;
  struct stat now {};
  if (written > 0 && fstat(file_, &now) == 0) {
    [[maybe_unused]] const int ignored = ftruncate(file_, now.st_size - written);
  }
  close_file();
  throw InputError(fmt::format("{}: cannot append to the trace: {}; make room on the disk", path_,
                               written < 0 ? std::strerror(error) : "only part was written"));
}

}  // namespace gapwise::internal::cli
