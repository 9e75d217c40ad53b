#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gapwise/types.h"
#include "infer/chain/segments.h"
#include "io/alphabet.h"

namespace gapwise::internal {

struct SequenceData;

inline constexpr int kLongestSegment = 64;

/// What tokens contribute to the attributes of the segments around them: texts, each under a key.
class SegmentPieces {
 public:
  /// Of the token at hand; a key counts once.
  void add(std::string_view key, std::string_view text) {
    items_.emplace_back(keys_.add(key), texts_.add(text));
  }
  void end_token() { ends_.push_back(items_.size()); }

  const Alphabet& keys() const { return keys_; }
  /// By token and key: the text, or Alphabet::kUnknown.
  std::vector<std::uint32_t> table() const;
  std::string_view text(std::uint32_t id) const { return texts_.name(id); }

 private:
  Alphabet keys_;
  Alphabet texts_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> items_;
  std::vector<std::size_t> ends_;
};

/// How labels mark chunks, as O, B-TYPE and I-TYPE or with E (L) and S (U) for the last and the
/// only token of one. OptionError if they do not.
SegmentTypes segment_types(const Alphabet& labels, int longest);

/// The attributes of the true segments, of those that at least `min_count` of them have. InputError
/// that begins with `source` if a labelling is not made of segments.
void learn_segment_attributes(const SegmentPieces& pieces, const SequenceData& data,
                              const SegmentTypes& types, Index min_count, const std::string& source,
                              Alphabet& attributes);

/// Gives each run of up to `longest` tokens its row of attributes, of those that are known.
void add_segment_rows(const SegmentPieces& pieces, int longest, const Alphabet& attributes,
                      SequenceData& data);

}  // namespace gapwise::internal
