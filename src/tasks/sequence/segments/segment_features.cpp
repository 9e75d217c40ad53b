#include "tasks/sequence/segments/segment_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "gapwise/errors.h"
#include "tasks/sequence/metrics.h"
#include "tasks/sequence/problem.h"

namespace gapwise::internal {
namespace {

constexpr std::string_view kOutside =
    "_B";  ///< in front of a sequence and behind it, as templates say

/// Writes down the attributes of segments.
class SegmentNames {
 public:
  explicit SegmentNames(const SegmentPieces& pieces) : pieces_(pieces), table_(pieces.table()) {}

  /// The sequence at hand.
  void set_tokens(std::size_t first, std::size_t end) {
    first_ = first;
    end_ = end;
  }

  /// Calls visit(name) for the attributes of tokens `begin` up to `end`.
  template <class Visit>
  void visit(std::size_t begin, std::size_t end, Visit visit) {
    const auto tell = [&](auto... parts) {
      name_.clear();
      (name_.append(parts), ...);
      visit(std::string_view(name_));
    };
    tell("length=", fmt::to_string(end - begin));
    for (std::size_t k = 0; k < pieces_.keys().size(); ++k) {
      const std::string_view key = pieces_.keys().name(k);
      joined_.clear();
      for (std::size_t r = begin; r < end; ++r) {
        if (r > begin) joined_ += ' ';
        joined_ += text(r, k);
      }
      const std::string_view before = begin > first_ ? text(begin - 1, k) : kOutside;
      const std::string_view behind = end < end_ ? text(end, k) : kOutside;
      tell(key, "=", std::string_view(joined_));
      tell(key, "<", before);
      tell(key, ">", behind);
      tell(key, "<>", before, " ", behind);
      if (end - begin > 2) tell(key, "|", text(begin, k), " ", text(end - 1, k));
    }
  }

 private:
  std::string_view text(std::size_t token, std::size_t key) const {
    const std::uint32_t id = table_[token * pieces_.keys().size() + key];
    return id == Alphabet::kUnknown ? std::string_view() : pieces_.text(id);
  }

  const SegmentPieces& pieces_;
  std::vector<std::uint32_t> table_;
  std::size_t first_ = 0;
  std::size_t end_ = 0;
  std::string joined_;
  std::string name_;
};

[[noreturn]] void fail_truth(const SegmentTypes& types, std::span<const std::int32_t> truth,
                             Index i, std::size_t at, const std::string& source) {
  SegmentTypes longer = types;
  longer.longest = static_cast<int>(truth.size());
  std::vector<Segment> segments;
  if (!find_segments(longer, truth, segments)) {
    int longest = 0;
    for (const Segment& segment : segments) longest = std::max(longest, segment.length);
    throw InputError(fmt::format(
        "{}: sequence {} has a chunk of {} tokens, but \1segments {} says that none has more than "
        "that; raise it",
        source, i + 1, longest, types.longest));
  }
  throw InputError(fmt::format(
      "{}: sequence {}: the label of token {} neither begins a chunk nor goes on with one; mark "
      "every first token of a chunk with B, or leave out \1segments",
      source, i + 1, at + 1));
}

}  // namespace

std::vector<std::uint32_t> SegmentPieces::table() const {
  const std::size_t keys = keys_.size();
  std::vector<std::uint32_t> result(ends_.size() * keys, Alphabet::kUnknown);
  std::size_t at = 0;
  for (std::size_t token = 0; token < ends_.size(); ++token) {
    for (; at < ends_[token]; ++at) result[token * keys + items_[at].first] = items_[at].second;
  }
  return result;
}

SegmentTypes segment_types(const Alphabet& labels, int longest) {
  if (!are_chunk_labels(labels)) {
    throw OptionError(
        "\1segments is for labels that mark chunks: O, and B- or I- (or E-, S-, L-, U-) with a "
        "type; leave it out");
  }
  SegmentTypes result;
  result.longest = longest;
  Alphabet names;
  bool has_ends = false;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const std::string_view label = labels.name(k);
    if (label != "O") names.add(label.substr(2));
    has_ends = has_ends || label.starts_with("E") || label.starts_with("S") ||
               label.starts_with("L") || label.starts_with("U");
  }
  result.types.resize(names.size());
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const std::string_view label = labels.name(k);
    const auto number = static_cast<std::int32_t>(k);
    if (label == "O") {
      result.alone.push_back(number);
      continue;
    }
    SegmentTypes::Type& type = result.types[names.find(label.substr(2))];
    switch (label.front()) {
      case 'B':
        type.first = number;
        if (!has_ends) type.single = number;
        break;
      case 'I':
        type.inner = number;
        if (!has_ends) type.last = number;
        break;
      case 'E':
      case 'L':
        type.last = number;
        break;
      default:
        type.single = number;
    }
  }
  return result;
}

void learn_segment_attributes(const SegmentPieces& pieces, const SequenceData& data,
                              const SegmentTypes& types, Index min_count, const std::string& source,
                              Alphabet& attributes) {
  SegmentNames names(pieces);
  std::vector<Segment> segments;
  Alphabet all = attributes;
  std::vector<Index> counts;
  for (Index i = 0; i < data.size(); ++i) {
    const std::size_t first = data.starts[static_cast<std::size_t>(i)];
    const std::size_t end = data.starts[static_cast<std::size_t>(i) + 1];
    const auto truth = std::span(data.labels).subspan(first, end - first);
    if (const auto at = find_segments(types, truth, segments)) {
      fail_truth(types, truth, i, *at, source);
    }
    names.set_tokens(first, end);
    for (const Segment& segment : segments) {
      const std::size_t begin = first + static_cast<std::size_t>(segment.start);
      names.visit(begin, begin + static_cast<std::size_t>(segment.length),
                  [&](std::string_view name) {
                    const std::uint32_t id = all.add(name);
                    if (id >= counts.size()) counts.resize(id + std::size_t{1}, 0);
                    ++counts[id];
                  });
    }
  }
  std::vector<std::uint32_t> kept;
  for (std::uint32_t id = 0; id < counts.size(); ++id) {
    if (counts[id] >= min_count) kept.push_back(id);
  }
  attributes = all.select(kept);
}

void add_segment_rows(const SegmentPieces& pieces, int longest, const Alphabet& attributes,
                      SequenceData& data) {
  SegmentNames names(pieces);
  for (Index i = 0; i < data.size(); ++i) {
    const std::size_t first = data.starts[static_cast<std::size_t>(i)];
    const std::size_t end = data.starts[static_cast<std::size_t>(i) + 1];
    names.set_tokens(first, end);
    for (std::size_t begin = first; begin < end; ++begin) {
      for (int length = 1; length <= longest; ++length) {
        const std::size_t behind = begin + static_cast<std::size_t>(length);
        if (behind <= end) {
          names.visit(begin, behind, [&](std::string_view name) {
            const std::uint32_t id = attributes.find(name);
            if (id != Alphabet::kUnknown) data.segments.add(id);
          });
        }
        data.segments.end_row();
      }
    }
  }
  data.segments.finish(static_cast<std::uint32_t>(attributes.size()));
}

}  // namespace gapwise::internal
