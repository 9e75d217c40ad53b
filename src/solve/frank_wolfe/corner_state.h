#pragma once

#include <optional>
#include <vector>

#include "solve/average_measure.h"
#include "solve/averager.h"
#include "solve/certificate.h"
#include "solve/dual_state.h"
#include "solve/fields.h"
#include "solve/frank_wolfe/answer_queue.h"
#include "solve/frank_wolfe/block_dual.h"
#include "solve/frank_wolfe/corner_set.h"
#include "solve/frank_wolfe/gap_tracker.h"
#include "solve/frank_wolfe/leap.h"
#include "solve/frank_wolfe/mark.h"
#include "solve/records/alpha_table.h"
#include "solve/records/record_arena.h"
#include "solve/records/record_visit.h"
#include "solve/solver.h"

namespace gapwise::internal {

/// Where a solver stands that remembers corners: every block is a convex combination of its
/// remembered corners (CornerSet), together they make the dual point, and what follows from a step
/// (average of the iterates, block gaps, work done) is kept along with it. It knows how to visit a
/// block and nothing of what comes after what. A visit is
///   s = ask(i), use_answer() or recall(i)    which corner of a block to go to
///   gain = a step of block()   towards s, by the rule of the solver
///   finish(gain)               the point and its average follow
/// or, for pairwise steps between remembered corners where the problem allows it, visit_record(i):
/// the corners of all blocks are compiled into records (corner_record.h), and until somebody looks
/// at a corner set again the weights are those of a table.
class CornerState {
 public:
  /// Corners without weight that were of no use for `max_age` passes are forgotten.
  CornerState(const RunContext& context, std::int32_t max_age);
  CornerState(const CornerState&) = delete;
  CornerState& operator=(const CornerState&) = delete;

  const DualPoint& point() const { return point_; }
  const GapTracker& gaps() const { return gaps_; }
  const Averager& averager() const { return averager_; }
  const std::vector<CornerSet>& corners() const {
    settle();
    return corners_;
  }
  /// Whether block i has more than one corner.
  bool has_choice(Index i) const { return corners_[static_cast<std::size_t>(i)].size() > 1; }

  /// Looks at block i with the oracle and remembers its answer.
  int ask(Index i);
  /// Looks at several blocks with the oracle, all at the w of now and on all threads; answers are
  /// remembered when they are used.
  void ask_ahead(std::span<const Index> blocks);
  bool has_answers() const { return !answers_.is_empty(); }
  /// Looks at the block of the next answer; the corner to go to is the best one at the w of now.
  int use_answer();
  /// Looks at block i without the oracle; nothing if it has only one corner.
  std::optional<int> recall(Index i);
  /// To be called if the step goes to a corner that was recalled.
  void use_recalled(int s);
  /// The dual of the block that was looked at.
  BlockDual& block() { return local_; }
  void finish(double gain);
  /// A visit that leaves its block alone.
  void leave_out() { averager_.add_nothing(); }
  /// Visits with a step to a recalled corner.
  Index cached_steps() const { return cached_steps_; }

  /// Whether there are records, which are made if need be.
  bool open_records() { return is_open_ || (can_record_ && make_records()); }
  /// A pairwise step of block i by its record, if it has one: a gap pass within a cached pass may
  /// have forgotten all but one of its corners. Returns the pairwise gap before it.
  double visit_record(Index i);
  /// Asks for the memory of a visit that comes soon.
  [[gnu::always_inline]] void prefetch_head(Index i) const {
    if (table_.lanes(i) > 0) arena_.prefetch_head(i);
  }
  [[gnu::always_inline]] void prefetch_record(Index i) const {
    if (table_.lanes(i) == 0) return;
    arena_.prefetch_all(i);
    __builtin_prefetch(table_.alpha(i));
  }
  [[gnu::always_inline]] void prefetch_place(Index i) const {
    __builtin_prefetch(&corners_[static_cast<std::size_t>(i)]);
  }
  [[gnu::always_inline]] void prefetch_corners(Index i) const {
    corners_[static_cast<std::size_t>(i)].prefetch_contents();
  }

  /// Where the next leap starts from, and the leap.
  void mark(Leap& leap);
  void make(Leap& leap);

  /// The number of the pass under way, by which the use of corners is dated.
  std::int32_t pass() const { return pass_; }
  void next_pass() { ++pass_; }

  /// Where the blocks stand, and putting them there, each as one corner.
  DualMixtures mixtures() const;
  void put(const DualMixtures& mixtures);
  /// The same by outputs: each keeps `share` of its weight, the truth takes the rest.
  void put(const std::vector<CornerSet>& corners, double share);
  /// Computes the point anew from the corners, which removes drift; returns where the blocks stand.
  std::vector<BlockState> rebuild();
  /// A gap pass at the iterate that is returned: its certificate. Removes drift; and unless that
  /// iterate is an average, all block gaps are known and new corners remembered.
  Measurement gap_pass();
  /// The sum of the block gaps that the last one saw; nothing before the first.
  std::optional<double> measured_gap() const { return measured_gap_; }
  /// Asks about all blocks at w, on all threads, and remembers what is found where there is room,
  /// so that no block changes. `pass` may ask for more (GapPass::gap and see).
  Measurement ask_all(Weights w, GapPass pass = {});

  /// The iterate that is returned.
  void result(std::vector<double>& w) const { average_at(point_, averager_, w); }

  /// What was reached, and what it has cost.
  Mark now() const;
  /// Adds to the work so far, which is counted in scores of single parts.
  void count_work(double work) { work_ += work; }
  /// The part of it that was spent on visits without the oracle.
  double cached_work() const { return cached_work_; }

  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  template <class Self>
  static void fields(Self& self, auto&& each) {
    each(self.point_);
    each(self.answers_, self.gaps_, self.measured_gap_, self.averager_, self.pass_,
         self.cached_steps_, self.work_, self.cached_work_, self.can_record_);
  }

  bool make_records();
  /// Writes to the corner sets what the table knows better.
  void settle() const {
    if (is_open_) table_.write(corners_, pass_);
  }
  void close_records() {
    settle();
    is_open_ = false;
  }
  double distance(Index i, const CornerPair& pair);

  CornerSet& corners(Index i) { return corners_[static_cast<std::size_t>(i)]; }
  /// Block i at the w of now, and what its corners are worth there.
  void look(Index i);
  int remember(Index i, const Corner& corner);
  void remember_if_room(Index i, const Corner& corner);

  RunContext context_;
  MeteredOracle& oracle_;
  std::int32_t max_age_;
  int most_corners_;  ///< per block
  DualPoint point_;
  mutable std::vector<CornerSet> corners_;  ///< settle() writes to them
  bool can_record_;
  bool is_open_ = false;  ///< the table knows the weights of the corners
  RecordArena arena_;
  AlphaTable table_;
  RecordVisit visit_;
  AnswerQueue answers_;
  GapTracker gaps_;
  std::optional<double> measured_gap_;
  Averager averager_;
  std::int32_t pass_ = 0;
  Index cached_steps_ = 0;
  double work_ = 0.0;
  double cached_work_ = 0.0;

  BlockDual local_;
  Index i_ = 0;  ///< the block it holds
  PartScores theta_;
  std::vector<double> scores_;
  Corner corner_;
  BlockState move_;
};

}  // namespace gapwise::internal
