#include "demo/demo_data.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "core/random.h"
#include "demo/demo_font.h"

namespace gapwise::internal::cli {
namespace {

constexpr int kFolds = 10;

/// How badly the words are written: large enough for single letters to be unclear and words not.
constexpr double kShift = 1.0;          // of a letter, in pixels, either way
constexpr double kScale = 0.14;         // of its size, either way
constexpr double kSlant = 0.16;         // columns per row
constexpr double kThick = 0.45;         // chance of a broad pen
constexpr double kInkLost = 0.05;       // chance that a pixel of ink is not seen
constexpr double kPaperStained = 0.02;  // chance that a pixel of paper is black

constexpr std::string_view kWords =
    "the and you that was for are with his they this have from one had word but not what all "
    "were when your can said there use each which she how their will other about out many "
    "then them these some her would make like him into time has look two more write see "
    "number way could people than first water been call who its now find long down day did "
    "get come made may part over new sound take only little work know place year live back "
    "give most very after thing our just name good sentence man think say great where help "
    "through much before line right too means old any same tell boy follow came want show "
    "also around form three small set put end does another well large must big even such "
    "because turn here why ask went men read need land different home move try kind hand "
    "picture again change off play spell air away animal house point page letter mother "
    "answer found study still learn should world high every near add food between own below "
    "country plant last school father keep tree never start city earth eye light thought head "
    "under story saw left few while along might close something seem next hard open example "
    "begin life always those both paper together got group often run important until children "
    "side feet car mile night walk white sea began grow took river four carry state once book "
    "hear stop without second later miss idea enough eat face watch far really almost let "
    "above girl sometimes mountain cut young talk soon list song being leave family body "
    "music color stand sun question fish area mark dog horse birds problem complete room knew "
    "since ever piece told usually friends easy heard order red door sure become top ship "
    "across today during short better best however low hours black products happened whole "
    "measure remember early waves reached quick jump lazy quiet square exam zero fox jazz "
    "size prize equal expect box ";

std::vector<std::string_view> word_list() {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < kWords.size();) {
    const std::size_t end = kWords.find(' ', at);
    words.push_back(kWords.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

double either_way(Rng& rng, double most) {
  return most * (2.0 * rng.uniform() - 1.0);
}

/// The hand of one letter: where a pixel of the image lies on the glyph.
struct Hand {
  double row_scale, column_scale, row_shift, column_shift, slant;
  bool is_thick;

  explicit Hand(Rng& rng) {
    row_scale = 1.55 * (1.0 + either_way(rng, kScale));
    column_scale = 1.35 * (1.0 + either_way(rng, kScale));
    row_shift = either_way(rng, kShift);
    column_shift = either_way(rng, kShift);
    slant = either_way(rng, kSlant);
    is_thick = rng.uniform() < kThick;
  }

  bool is_ink(const Glyph& glyph, int row, int column) const {
    const double r = row - (LetterImage::kRows - 1) / 2.0 - row_shift;
    const double c = column - (LetterImage::kColumns - 1) / 2.0 - column_shift + slant * r;
    const double glyph_row = r / row_scale + (Glyph::kRows - 1) / 2.0;
    const double glyph_column = c / column_scale + (Glyph::kColumns - 1) / 2.0;
    const auto at = [&](double dr, double dc) {
      return glyph.is_ink(static_cast<int>(std::lround(glyph_row + dr)),
                          static_cast<int>(std::lround(glyph_column + dc)));
    };
    return at(0.0, 0.0) || (is_thick && (at(0.0, 0.4) || at(0.4, 0.0)));
  }
};

LetterImage draw_letter(char letter, Rng& rng) {
  const Glyph glyph{static_cast<std::size_t>(letter - 'a')};
  const Hand hand(rng);
  LetterImage image;
  for (int row = 0; row < LetterImage::kRows; ++row) {
    for (int column = 0; column < LetterImage::kColumns; ++column) {
      const bool is_ink = hand.is_ink(glyph, row, column);
      const bool is_flipped = rng.uniform() < (is_ink ? kInkLost : kPaperStained);
      image.pixels[static_cast<std::size_t>(row * LetterImage::kColumns + column)] =
          is_ink != is_flipped;
    }
  }
  return image;
}

}  // namespace

std::vector<DrawnWord> draw_words(int count, std::uint64_t seed) {
  const std::vector<std::string_view> list = word_list();
  Rng rng(seed);
  std::vector<DrawnWord> words;
  for (int k = 0; k < count; ++k) {
    DrawnWord word;
    word.letters = list[static_cast<std::size_t>(rng.below(std::ssize(list)))];
    word.fold = k % kFolds;
    for (const char letter : word.letters) word.images.push_back(draw_letter(letter, rng));
    words.push_back(std::move(word));
  }
  return words;
}

std::string to_letters_format(const std::vector<DrawnWord>& words) {
  std::string out;
  for (std::size_t id = 0; id < words.size(); ++id) {
    const DrawnWord& word = words[id];
    for (std::size_t t = 0; t < word.letters.size(); ++t) {
      out += fmt::format("{} {} {} {} ", id + 1, t + 1, word.fold, word.letters[t]);
      for (const bool is_ink : word.images[t].pixels) out += is_ink ? '1' : '0';
      out += '\n';
    }
  }
  return out;
}

std::string to_picture(const DrawnWord& word, const std::vector<std::string>& captions) {
  constexpr std::string_view kInk = " \"o8";  // none, upper, lower and both pixels
  std::string out;
  for (int row = 0; row < LetterImage::kRows; row += 2) {
    std::string line;
    for (const LetterImage& image : word.images) {
      line += "  ";
      for (int column = 0; column < LetterImage::kColumns; ++column) {
        const int upper = image.is_ink(row, column) ? 1 : 0;
        const int lower = image.is_ink(row + 1, column) ? 2 : 0;
        line += kInk[static_cast<std::size_t>(upper + lower)];
      }
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  for (const std::string& caption : captions) {
    std::string line;
    for (const char letter : caption) line += fmt::format("  {:^8}", letter);
    out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return out;
}

}  // namespace gapwise::internal::cli
