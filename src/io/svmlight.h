#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "io/lines.h"

namespace gapwise::internal {

/// One line `label index:value ...`.
struct SvmlightExample {
  std::string_view label;              ///< as it stands there, empty if there is none
  std::vector<std::uint32_t> indices;  ///< increasing, from 1; zeros of the file are left out
  std::vector<double> values;
};

/// The largest index of a feature: 2^31 - 1.
constexpr std::uint32_t kLargestFeature = 0x7fffffffU;

constexpr std::string_view kSvmlightForm = "expected 'label index:value ...'";

/// Reads the examples of an svmlight (LIBSVM) file one by one. Blank lines and comments, which
/// start at '#', are skipped.
class SvmlightReader {
 public:
  explicit SvmlightReader(LineReader& lines) : lines_(lines) {}

  /// The next example, valid until the next call; false at the end.
  bool read(SvmlightExample& example);

 private:
  void read_feature(std::string_view field, SvmlightExample& example);
  std::uint32_t read_index(std::string_view text, std::string_view field) const;

  LineReader& lines_;
  std::uint32_t last_index_ = 0;
};

}  // namespace gapwise::internal
