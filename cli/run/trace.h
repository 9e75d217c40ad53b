#pragma once

#include <string>
#include <vector>

namespace gapwise::internal::cli {

/// The measurements of a run as JSON lines. The file appears whole with the first of them; each
/// later one is appended by a single write. All lines are kept, so that a checkpoint holds the
/// history and a resumed run has every line exactly once.
class Trace {
 public:
  /// Without a path, only keeps the lines.
  Trace(std::string path, bool has_clock) : path_(std::move(path)), has_clock_(has_clock) {}
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  void restore(std::vector<std::string> lines) { lines_ = std::move(lines); }
  void add(std::string line);
  /// The line of the finished run; takes the place of the last one if that was the same
  /// measurement.
  void finish(std::string line, bool replaces_last);
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::string shown(const std::string& line) const;
  void create();
  void close_file();
  void append(const std::string& line);

  std::string path_;
  bool has_clock_;
  std::vector<std::string> lines_;
  int file_ = -1;
};

}  // namespace gapwise::internal::cli
