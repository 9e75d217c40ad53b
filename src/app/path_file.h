#pragma once

#include <optional>
#include <string>

#include "app/path_data.h"

namespace gapwise::internal {

/// The file of a path: sealed pieces one after the other, each behind its length, a header first
/// and then the points in the order in which they were found. A piece that was cut short when a run
/// was killed counts as not there.
class PathFile {
 public:
  /// Of a path that is to be kept nowhere.
  PathFile() = default;
  explicit PathFile(std::string path) : path_(std::move(path)) {}

  bool is_kept() const { return !path_.empty(); }
  bool exists() const;
  const std::string& path() const { return path_; }

  /// Starts the file anew.
  void start(const PathHeader& header);
  /// With the epsilon that it is for.
  void add(const PathPoint& point, double epsilon, std::string_view weights);
  /// How many points it holds.
  std::size_t size() const { return ends_.empty() ? 0 : ends_.size() - 1; }

  /// Reads the file; points beyond the first `most` are forgotten, and the next one replaces them.
  /// InputError if it is damaged or no path.
  PathData read(std::optional<std::size_t> most = {});

 private:
  void append(std::string_view payload);

  std::string path_;
  std::vector<std::size_t> ends_;  ///< behind each piece
};

}  // namespace gapwise::internal
