#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/alphabet.h"
#include "io/model_record.h"
#include "tasks/alignment/word_pairs.h"
#include "tasks/shared/model_fields.h"

namespace gapwise::internal {

/// How often two words keep each other company: 2 c(e, f) / (c(e) + c(f)) with c the number of
/// pairs of sentences in which they occur, capitals or not. Kept in millionths; what is below
/// kLeast is 0.
class DiceTable {
 public:
  static constexpr std::int64_t kUnit = 1'000'000;
  static constexpr std::int64_t kLeast = kUnit / 20;

  /// values[s * target.size() + t].
  void look_up(const WordPair& pair, std::vector<double>& values) const;

  void encode(ModelRecord& model) const;
  static DiceTable decode(const ModelFields& parts);

 private:
  friend class DiceCounter;
  static std::uint64_t key(std::uint32_t source, std::uint32_t target) {
    return (std::uint64_t{source} << 32U) | target;
  }

  Alphabet sources_;
  Alphabet targets_;
  std::unordered_map<std::uint64_t, std::int64_t> values_;
};

class DiceCounter {
 public:
  void add(const WordPair& pair);
  DiceTable finish() const;

 private:
  struct Side {
    Alphabet words;
    std::vector<std::int64_t> counts;
    std::vector<std::uint32_t> present;  ///< the different words of the sentence at hand

    void add(std::span<const std::string> sentence);
  };

  Side source_;
  Side target_;
  std::unordered_map<std::uint64_t, std::int64_t> together_;
};

/// Counts the pairs of a text: a file of lines `source ||| target`, or two files of one side each
/// with a comma between their names.
void count_bitext(const std::string& files, DiceCounter& counter);

}  // namespace gapwise::internal
