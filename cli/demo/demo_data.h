#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gapwise::internal::cli {

/// The picture of one letter, 16 rows of 8 pixels.
struct LetterImage {
  static constexpr int kRows = 16;
  static constexpr int kColumns = 8;
  std::array<bool, kRows * kColumns> pixels{};

  bool is_ink(int row, int column) const {
    return pixels[static_cast<std::size_t>(row * kColumns + column)];
  }
};

/// A word as somebody scribbled it.
struct DrawnWord {
  std::string letters;
  int fold = 0;
  std::vector<LetterImage> images;
};

/// `count` common English words, badly written and badly scanned; the same for the same seed. They
/// go to the folds 0..9 in turn.
std::vector<DrawnWord> draw_words(int count, std::uint64_t seed);

/// The words in the `letters` format.
std::string to_letters_format(const std::vector<DrawnWord>& words);

/// A word as text, two rows of pixels per line, with `captions` (one character per letter each)
/// under the letters.
std::string to_picture(const DrawnWord& word, const std::vector<std::string>& captions);

}  // namespace gapwise::internal::cli
