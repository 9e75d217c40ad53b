#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace gapwise::internal {

/// As long as it lives, is told how far files are read on the thread that made it. One inside
/// another's life takes over until it ends.
class ReadWatch {
 public:
  /// `size` is 0 if it is not known, as that of standard input; `read` are bytes as they lie in the
  /// file, packed or not.
  using Tell = std::function<void(const std::string& name, std::uint64_t read, std::uint64_t size)>;

  explicit ReadWatch(Tell tell);
  ~ReadWatch();
  ReadWatch(const ReadWatch&) = delete;
  ReadWatch& operator=(const ReadWatch&) = delete;

  /// For whoever reads.
  static void note(const std::string& name, std::uint64_t read, std::uint64_t size);

 private:
  Tell tell_;
  ReadWatch* outer_;
};

}  // namespace gapwise::internal
