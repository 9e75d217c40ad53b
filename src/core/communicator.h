#pragma once

#include <string>
#include <vector>

#include "gapwise/types.h"

namespace gapwise::internal {

/// Items begin..end-1 of some work.
struct ItemRange {
  Index begin = 0;
  Index end = 0;

  bool is_empty() const { return begin >= end; }
};

/// How the processes of a job, its ranks, reach each other. What they say is the business of Ranks
/// (ranks.h); this only carries bytes and hands out work, and knows no meaning.
class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;  ///< 0 .. size() - 1
  virtual int size() const = 0;
  /// Where a rank runs, for messages; empty if that says nothing.
  virtual std::string place(int rank) const = 0;

  /// The bytes of all ranks, in their order. All ranks make the same number of these calls, one
  /// after the other; what lies between two of them is a round.
  virtual std::vector<std::string> exchange(const std::string& mine) = 0;

  /// Rank 0 says how many items there are in this round, in pieces of `most` at the most, for so
  /// many threads in all; saying it once more replaces what is left. Of other ranks it does
  /// nothing.
  virtual void open(Index count, Index most, Index takers) = 0;
  /// Items that nobody else gets, in ascending order, of any thread of any rank; empty if none are
  /// left. Waits until rank 0 has opened the round.
  virtual ItemRange take() = 0;
};

}  // namespace gapwise::internal
