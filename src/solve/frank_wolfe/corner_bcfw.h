#pragma once

#include <string>
#include <vector>

#include "solve/averager.h"
#include "solve/frank_wolfe/block_dual.h"
#include "solve/frank_wolfe/cached_schedule.h"
#include "solve/frank_wolfe/corner_set.h"
#include "solve/frank_wolfe/gap_tracker.h"
#include "solve/frank_wolfe/leap.h"
#include "solve/frank_wolfe/probe.h"
#include "solve/frank_wolfe/round_choice.h"
#include "solve/sampler.h"
#include "solve/solver.h"

namespace gapwise::internal {

enum class BlockStep {
  kFrankWolfe,
  kPairwise,  ///< or best pairs, if the options ask for more than one step per visit
  kAway,
  kWorstPairs,  ///< several, each from the worst active corner to the best one
  kBestPairs,   ///< several, each from the active corner that gains most
};

/// Passes over remembered corners after each exact pass.
enum class CachedPasses { kNone, kWhileTheyPay, kAll };

struct Plan {
  BlockStep step = BlockStep::kPairwise;
  std::int32_t max_age = 10;  ///< passes after which corners without weight or use are forgotten
  CachedPasses cached_passes = CachedPasses::kNone;
  Index most_cached_passes = 0;
  bool leaps = false;   ///< extrapolates the cached passes
  bool probes = false;  ///< gap passes take the place of exact ones
  /// A block whose gap was last seen below this share of the mean at the last gap pass is left out
  /// until the next one.
  double shrinking = 0.0;
};

/// Block-coordinate Frank-Wolfe that remembers corners; corner_bcfw.cpp tells what it does.
class CornerBcfw final : public Solver {
 public:
  CornerBcfw(const RunContext& context, const Plan& plan)
      : context_(context),
        plan_(plan),
        oracle_(context.team.leader()),
        point_(context.n(), context.d(), context.lambda, context.nonnegative()),
        corners_(static_cast<std::size_t>(context.n())),
        local_(point_, context.n()),
        sampler_(context.options.sampling, context.n(), context.options.order),
        gaps_(context.n(), context.options.sampling == Sampling::kGap),
        averager_(context.options.average, context.n(), context.d()),
        schedule_(plan.most_cached_passes, plan.cached_passes == CachedPasses::kAll),
        local_gaps_(corners_.size(), 0.0) {}

  bool step() override;

  Measurement gap_pass() override;
  bool measures_for_free() const override;
  double estimated_gap() const override;
  double dual() const override { return point_.dual(); }
  Index cached_steps() const override { return cached_steps_; }
  std::string decision() const override;
  void result(std::vector<double>& w) const override;
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;

 private:
  /// One visit; true if it completes a pass.
  bool advance();

  Measurement measure_probe();

  CornerSet& corners(Index i) { return corners_[static_cast<std::size_t>(i)]; }

  /// A visit with the oracle.
  void visit_exactly(Index i);

  /// A visit without the oracle; false if that is `optional` and promises too little.
  bool visit_cached(Index i, bool is_optional);

  void record_local_gap(Index i, double gap);

  bool is_hit(Index i, double cached_gap) const;

  /// Takes the solver's step towards corner s of the block that local_ holds.
  void move(Index i, int s);

  /// Up to `most` pairwise steps, until no pair is left with a tenth of the gap towards s.
  double correct(int s, Index most, Partner partner);

  double fixed_gamma() const;

  int remember(Index i, const Corner& corner);
  /// For a gap pass, which must not change the block: only if there is room.
  void remember_if_room(Index i, const Corner& corner);
  int most_corners() const;

  // Passes over the remembered corners.

  /// After an exact pass; false if no cached pass follows.
  bool begin_cached_passes();

  bool begin_cached_pass();

  bool is_worth_a_visit(Index i) const;

  /// Costs a sweep over w, so not before as much work was done.
  void average();

  /// Before a pass and never after the last one: steps smooth what a leap has left rough.
  void leap();

  bool cached_pass_step();

  Mark now() const { return {point_.dual(), cost()}; }

  /// Work so far, counted in scores of single parts; or seconds, if the run may depend on them.
  double cost() const;

  RunContext context_;
  Plan plan_;
  MeteredOracle& oracle_;
  DualPoint point_;
  std::vector<CornerSet> corners_;
  BlockDual local_;
  Sampler sampler_;
  GapTracker gaps_;
  Averager averager_;
  Index visits_ = 0;  ///< without those of cached passes
  std::int32_t pass_ = 0;
  Index cached_steps_ = 0;
  Index cached_left_ = 0;  ///< visits left of the cached pass under way
  std::vector<Index> cached_order_;
  CachedSchedule schedule_;
  double counted_cost_ = 0.0;
  double work_since_leap_ = 0.0;
  double work_since_average_ = 0.0;
  Index leaps_ = 0;                 ///< since the last exact pass
  bool started_from_gap_ = false;   ///< the last pass had no exact visits of its own
  bool has_fresh_corners_ = false;  ///< a gap pass has just seen all blocks at this w
  Leap leap_;
  Probe probe_;
  RoundChoice rounds_;
  std::vector<double> local_gaps_;  ///< pairwise gaps when last seen in a cached visit
  double local_gap_sum_ = 0.0;      ///< of the cached pass under way
  double mean_local_gap_ = 0.0;     ///< of the one before
  double last_total_gap_ = 1.0;     ///< before the first gap pass: losses are about 1
  double shrinks_below_ = 0.0;      ///< block gaps for which a block is left out
  PartScores theta_;
  std::vector<double> scores_;
  Corner corner_;
  BlockState move_;
};

}  // namespace gapwise::internal
