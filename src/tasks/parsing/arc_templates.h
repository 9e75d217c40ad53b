#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tasks/parsing/problem.h"
#include "tasks/parsing/tag_features.h"

namespace gapwise::internal {

/// The arc features of one sentence after McDonald, Crammer and Pereira (2005), as 64-bit hashes,
/// and the features by which labels are chosen. Both are a sum of three lists: one for the head and
/// the side it is on, one for the word and that side, one for the two together. The first two
/// need to be scored once per word only.
class ArcTemplates {
 public:
  using Hashes = std::vector<std::uint64_t>;

  void load(std::span<const ParsingWord> words);
  int words() const { return words_; }

  void head(int h, Side side, Hashes& out) const;
  void word(int m, Side side, Hashes& out) const;
  void pair(int h, int m, Hashes& out);

  void label_head(int h, Side side, Hashes& out) const;
  void label_word(int m, Side side, Hashes& out) const;
  void label_pair(int h, int m, Hashes& out) const;

 private:
  /// Position k = -1 .. words + 1; the root is 0, what lies outside is empty.
  const ParsingWord& at(int k) const { return padded_[static_cast<std::size_t>(k + 1)]; }
  /// What k is by itself: its form, its tag, both, its lemma if it has one.
  void add_own(const std::array<std::uint64_t, 4>& kinds, int k, std::uint64_t place,
               Hashes& out) const;
  /// The tag of k with those beside it: the left one, the right one, both.
  void add_context(const std::array<std::uint64_t, 3>& kinds, int k, std::uint64_t place,
                   Hashes& out) const;
  void add_between(int h, int m, Side side, Hashes& out);
  void add_surrounding(int h, int m, Hashes& out) const;

  int words_ = 0;
  bool has_coarse_tags_ = false;
  std::vector<ParsingWord> padded_;
  std::vector<std::uint32_t> kinds_;  ///< per padded position: number of its tag in the sentence
  std::vector<std::uint32_t> coarse_kinds_;
  std::vector<std::uint32_t> seen_;  ///< per number: the last arc it lay between
  std::uint32_t arc_ = 0;
};

}  // namespace gapwise::internal
