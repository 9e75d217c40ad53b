#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/alphabet.h"

namespace gapwise::internal {

struct ParsingWord;

/// Which labelled arcs no tree may have, by the tags of head and word and by the label.
class ArcRules {
 public:
  /// Reads lines `forbid HEAD WORD [LABEL]` (docs/formats.md). InputError with file and line for
  /// anything else.
  static ArcRules read(const std::string& path, const Alphabet& labels);
  /// The same from lines that were read before; `fail` is called with what is wrong, and throws.
  static ArcRules parse(const std::vector<std::string>& lines, const Alphabet& labels,
                        const std::function<void(const std::string&)>& fail);

  /// Whether word m of a sentence may hang on h, its root or another word, with this label.
  bool allow(std::span<const ParsingWord> words, int h, int m, std::int32_t label) const;
  /// The first word of a tree whose arc is forbidden, from 1; 0 if there is none.
  int first_break(std::span<const ParsingWord> words, std::span<const std::int32_t> heads,
                  std::span<const std::int32_t> labels) const;

  const std::vector<std::string>& lines() const { return lines_; }

 private:
  /// Hashes of tags, 0 for any; a label, or -1 for any.
  struct Rule {
    std::uint64_t head = 0;
    std::uint64_t word = 0;
    std::int32_t label = -1;
  };
  void add(std::span<const std::string_view> fields, const Alphabet& labels,
           const std::function<void(const std::string&)>& fail);

  std::vector<Rule> rules_;
  std::vector<std::string> lines_;
};

}  // namespace gapwise::internal
