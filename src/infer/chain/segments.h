#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "infer/viterbi.h"

namespace gapwise::internal {

/// How the labels of a chain mark segments: runs of positions of one type, of at most `longest`
/// positions. Every other position stands alone, with a label of its own.
struct SegmentTypes {
  /// The labels of a segment of one position, and of the first, inner and last one of a longer one;
  /// -1: there is none, and so no segment that needs it.
  struct Type {
    std::int32_t single = -1;
    std::int32_t first = -1;
    std::int32_t inner = -1;
    std::int32_t last = -1;

    /// The label of position `at` of a segment of `length`.
    std::int32_t label(int at, int length) const {
      if (length == 1) return single;
      return at == 0 ? first : at + 1 == length ? last : inner;
    }
    bool can_have(int length) const {
      return length == 1 ? single >= 0 : first >= 0 && last >= 0 && (length == 2 || inner >= 0);
    }
  };
  std::vector<Type> types;
  std::vector<std::int32_t> alone;
  int longest = 1;

  std::size_t size() const { return types.size(); }
};

/// A segment of a labelling.
struct Segment {
  int start = 0;
  int length = 0;
  int type = 0;

  bool operator==(const Segment&) const = default;
};

/// The segments of a labelling, first to last. Where it is not made of segments and positions that
/// stand alone, returns the first position that belongs to neither.
std::optional<std::size_t> find_segments(const SegmentTypes& types,
                                         std::span<const std::int32_t> labels,
                                         std::vector<Segment>& out);

/// Where the score of a segment stands among those of all segments of a chain.
inline std::size_t segment_number(const SegmentTypes& types, int start, int length, int type) {
  return (static_cast<std::size_t>(start) * static_cast<std::size_t>(types.longest) +
          static_cast<std::size_t>(length - 1)) *
             types.size() +
         static_cast<std::size_t>(type);
}

/// Scratch memory of the decoder, reused between calls.
struct SegmentScratch {
  struct Step {
    std::int32_t length;    ///< of the segment that ends here
    std::int32_t type;      ///< -1: the position stands alone
    std::int32_t previous;  ///< the label in front of it
  };
  std::vector<double> best;   ///< by position and label, of what ends there
  std::vector<Step> steps;    ///< how it got there
  std::vector<double> enter;  ///< by label, of what begins at the position at hand
  std::vector<std::int32_t> previous;
};

/// The best labelling that is made of segments, where each of them scores segments[segment_number]
/// on top of its labels. Chains are of first order. Ties go to the smaller last label, then to the
/// longer last segment and the smaller label in front of it, and so on to the front. Returns its
/// score: minus infinity if there is none, and then all labels are 0. O(length (labels^2 + longest
/// types)).
double segment_viterbi(const ChainScores& scores, const SegmentTypes& types, const double* segments,
                       SegmentScratch& scratch, std::span<std::int32_t> labels_out);

/// The same as a chain of first order, with a state for each place in a segment, so that what
/// ranks and sums the labellings of chains does so with segments. Made for few sequences: a chain
/// has twice as many states as segments have types and positions.
class SegmentChain {
 public:
  explicit SegmentChain(const SegmentTypes& types);

  /// The label that each state stands for. No two ways through the states have the same labels.
  std::span<const std::int32_t> labels() const { return labels_; }
  /// Valid until the next call.
  ChainScores scores(const ChainScores& scores, const double* segments);

 private:
  /// Position `at` of a segment, which goes on behind it or not; or one that stands alone.
  struct State {
    int type;
    int at;
    bool is_last;
  };
  bool may_follow(const State& a, const State& b) const;

  SegmentTypes types_;
  std::vector<State> states_;
  std::vector<std::int32_t> labels_;
  std::vector<double> nodes_;
  std::vector<double> pairs_;
};

}  // namespace gapwise::internal
