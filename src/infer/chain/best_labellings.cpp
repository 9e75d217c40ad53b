#include "infer/chain/best_labellings.h"

#include <algorithm>
#include <limits>

#include "core/stop.h"
#include "infer/chain/trellis.h"

namespace gapwise::internal {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

/// One of the best ways to a state: how good it is and which way to which state it goes on from.
struct Way {
  double score;
  std::uint32_t source;
  std::uint32_t rank;
};

/// The next way to take over from one source.
struct Candidate {
  double score;
  std::size_t source;  ///< counted from the first source
  std::size_t rank;
};

/// For a heap with the best one on top; equally good ones by source, as ties of Viterbi go.
bool is_worse(const Candidate& a, const Candidate& b) {
  return a.score < b.score || (a.score == b.score && a.source > b.source);
}

/// The best ways to all states of all positions.
class Ways {
 public:
  Ways(const Trellis& trellis, std::size_t count) : trellis_(trellis), count_(count) {
    StopPoll poll;
    for (std::size_t t = 0; t < trellis.length(); ++t) {
      positions_.push_back(starts_.size());
      for (std::size_t state = 0; state < trellis.num_states(t); ++state) {
        poll.spend(trellis.labels() + count);
        starts_.push_back(ways_.size());
        t == 0 ? start(state) : extend(t, state);
      }
    }
    starts_.push_back(ways_.size());
  }

  std::size_t num_ways(std::size_t t, std::size_t state) const {
    const std::size_t at = positions_[t] + state;
    return starts_[at + 1] - starts_[at];
  }
  const Way& way(std::size_t t, std::size_t state, std::size_t rank) const {
    return ways_[starts_[positions_[t] + state] + rank];
  }

  std::vector<std::int32_t> labels(std::size_t state, std::size_t rank) const {
    std::vector<std::int32_t> result(trellis_.length());
    for (std::size_t t = trellis_.length(); t-- > 0;) {
      result[t] = static_cast<std::int32_t>(trellis_.label(t, state));
      const Way& at = way(t, state, rank);
      state = at.source;
      rank = at.rank;
    }
    return result;
  }

 private:
  void start(std::size_t state) {
    const double score = trellis_.own(0, state);
    if (score > kNever) ways_.push_back({score, 0, 0});
  }

  /// Merges the ways to the sources, each of which has its best one first.
  void extend(std::size_t t, std::size_t state) {
    const double own = trellis_.own(t, state);
    if (own == kNever) return;
    const Trellis::Sources sources = trellis_.sources(t, state);
    const auto push = [&](std::size_t source, std::size_t rank) {
      if (rank >= num_ways(t - 1, sources.first + source)) return false;
      const double score =
          way(t - 1, sources.first + source, rank).score + sources.steps[source * sources.stride];
      if (score == kNever) return false;
      heap_.push_back({score, source, rank});
      return true;
    };
    heap_.clear();
    for (std::size_t source = 0; source < sources.count; ++source) push(source, 0);
    std::make_heap(heap_.begin(), heap_.end(), is_worse);
    for (std::size_t found = 0; found < count_ && !heap_.empty(); ++found) {
      std::pop_heap(heap_.begin(), heap_.end(), is_worse);
      const Candidate best = heap_.back();
      heap_.pop_back();
      ways_.push_back({own + best.score, static_cast<std::uint32_t>(sources.first + best.source),
                       static_cast<std::uint32_t>(best.rank)});
      if (push(best.source, best.rank + 1)) std::push_heap(heap_.begin(), heap_.end(), is_worse);
    }
  }

  const Trellis& trellis_;
  std::size_t count_;
  std::vector<Way> ways_;
  std::vector<std::size_t> starts_;     ///< of the ways to each state; the last position's end last
  std::vector<std::size_t> positions_;  ///< where the states of each position begin in starts_
  std::vector<Candidate> heap_;
};

}  // namespace

std::vector<ScoredLabelling> best_labellings(const ChainScores& scores, std::size_t count) {
  const Trellis trellis(scores);
  const Ways ways(trellis, count);
  const std::size_t last = trellis.length() - 1;
  std::vector<Candidate> ends;
  for (std::size_t state = 0; state < trellis.num_states(last); ++state) {
    for (std::size_t rank = 0; rank < ways.num_ways(last, state); ++rank) {
      ends.push_back({ways.way(last, state, rank).score, state, rank});
    }
  }
  const std::size_t kept = std::min(count, ends.size());
  std::partial_sort(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(kept), ends.end(),
                    [](const Candidate& a, const Candidate& b) {
                      if (a.score != b.score) return a.score > b.score;
                      return a.source < b.source || (a.source == b.source && a.rank < b.rank);
                    });
  std::vector<ScoredLabelling> result;
  for (std::size_t k = 0; k < kept; ++k) {
    result.push_back({ways.labels(ends[k].source, ends[k].rank), ends[k].score});
  }
  return result;
}

}  // namespace gapwise::internal
