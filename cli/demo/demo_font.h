#pragma once

#include <cstddef>
#include <string_view>

namespace gapwise::internal::cli {

/// A lower-case letter as 9 rows of 5 pixels: two rows for ascenders, five of body, two for
/// descenders.
struct Glyph {
  static constexpr int kRows = 9;
  static constexpr int kColumns = 5;
  std::size_t number;  ///< of the letter, 0 for a

  bool is_ink(int row, int column) const;
};

}  // namespace gapwise::internal::cli
