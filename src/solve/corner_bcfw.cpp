// Block-coordinate Frank-Wolfe that remembers the corners it has seen, [OALDL16] and the
// multi-plane method of Shah, Kolmogorov and Lampert; primal and dual as in bcfw.cpp. A block is a
// convex combination alpha_i over its remembered corners (CornerSet), and every step is a step on
// that small simplex (BlockDual). What the solvers of this file differ in is which step they take
// and when they trust the remembered corners instead of calling the oracle:
//
//   bcpfw    pairwise steps, from the worst active corner to the best one
//   bcafw    Frank-Wolfe or away steps, whichever gains more
//   bcfw --cache, and --cache for the two above: the oracle is only called when the remembered
//            corners promise too little, [OALDL16] section 3.3
//   mpbcfw   after each exact pass, passes over the remembered corners as long as they pay
//   auto     mpbcfw that leaps between those passes (leap.h), takes the corners that a gap pass
//            found as an exact pass, and so certifies more often the closer it gets

#include <algorithm>
#include <chrono>
#include <numeric>

#include "gapwise/core/prefetch.h"
#include "solve/average_measure.h"
#include "solve/averager.h"
#include "solve/block_dual.h"
#include "solve/cached_schedule.h"
#include "solve/corner_set.h"
#include "solve/gap_tracker.h"
#include "solve/leap.h"
#include "solve/sampler.h"
#include "solve/solver.h"

namespace gapwise {
namespace {

enum class BlockStep { kFrankWolfe, kPairwise, kAway };

struct Plan {
  BlockStep step = BlockStep::kPairwise;
  std::int32_t max_age = 10;  ///< passes after which corners without weight or use are forgotten
  bool has_cached_passes = false;
  bool leaps = false;               ///< extrapolates the cached passes
  bool continues_from_gap = false;  ///< a gap pass that found corners counts as an exact pass
};

/// The hit criterion of the cache, [OALDL16] section 3.3: with F and nu.
constexpr double kCacheFraction = 0.25;
constexpr double kCacheShare = 0.01;
/// In cached passes, blocks whose pairwise gap was below this fraction of the mean are left out,
/// but for every fourth pass.
constexpr double kIdleFraction = 0.3;
constexpr Index kPassesBetweenFullOnes = 4;

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
        schedule_(context.options.max_cached_passes),
        local_gaps_(corners_.size(), 0.0) {}

  bool step() override {
    if (cached_left_ > 0) return cached_pass_step();
    if (has_fresh_corners_) {
      has_fresh_corners_ = false;
      ++pass_;
      started_from_gap_ = true;
      if (begin_cached_passes()) return false;
    }
    const Index i = sampler_.next(context_.rng, gaps_);
    if (!(context_.options.cache > 0 && visit_cached(i, true))) visit_exactly(i);
    ++visits_;
    started_from_gap_ = false;
    if (visits_ % context_.n() != 0) return false;
    ++pass_;
    return !plan_.has_cached_passes || !begin_cached_passes();
  }

  Measurement measure() override;
  double estimated_gap() const override { return gaps_.estimate(); }
  double dual() const override { return point_.dual(); }
  Index cached_steps() const override { return cached_steps_; }
  std::string decision() const override;
  void result(std::vector<double>& w) const override { average_at(point_, averager_, w); }
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;

 private:
  CornerSet& corners(Index i) { return corners_[static_cast<std::size_t>(i)]; }

  /// A visit with the oracle.
  void visit_exactly(Index i) {
    oracle_.argmax(i, point_.w(), theta_, corner_);
    counted_cost_ += context_.problem.oracle_cost();
    const bool is_exact = corner_.is_exact;
    if (violation(corner_.loss, corner_.parts, theta_) < 0.0) corner_.set_truth();
    int s = remember(i, corner_);
    corners(i).pick_scores(theta_, scores_);
    local_.start(oracle_, i, corners(i), scores_);
    if (!is_exact) s = local_.best();
    gaps_.record(i, std::max(0.0, local_.gap(s)));
    move(i, s);
  }

  /// A visit without the oracle; false if that is `optional` and promises too little.
  bool visit_cached(Index i, bool is_optional) {
    if (corners(i).size() < 2) return false;
    scores_.resize(corners(i).ids().size());
    oracle_.score_some(i, point_.w(), corners(i).ids(), scores_);
    counted_cost_ += static_cast<double>(scores_.size());
    work_since_leap_ += static_cast<double>(scores_.size());
    local_.start(oracle_, i, corners(i), scores_);
    const int s = local_.best();
    if (is_optional && !is_hit(i, local_.gap(s))) return false;
    record_local_gap(i, local_.pairwise_gap(s, local_.worst()));
    corners(i).touch(s, pass_);
    move(i, s);
    ++cached_steps_;
    return true;
  }

  void record_local_gap(Index i, double gap) {
    local_gaps_[static_cast<std::size_t>(i)] = gap;
    local_gap_sum_ += gap;
  }

  bool is_hit(Index i, double cached_gap) const {
    if (!gaps_.has_seen(i)) return false;
    const double share = kCacheShare / static_cast<double>(context_.n()) * last_total_gap_;
    return cached_gap >= std::max(kCacheFraction * gaps_[i], share);
  }

  /// Takes the solver's step towards corner s of the block that local_ holds.
  void move(Index i, int s) {
    double gain = 0.0;
    switch (plan_.step) {
      case BlockStep::kFrankWolfe:
        gain = context_.options.step == Step::kLineSearch ? local_.frank_wolfe_step(s)
                                                          : local_.fixed_step(s, fixed_gamma());
        break;
      case BlockStep::kPairwise:
        gain = context_.options.inner_steps == 1
                   ? local_.pairwise_step(s, local_.worst())
                   : local_.corrective_steps(static_cast<int>(context_.options.inner_steps),
                                             0.1 * std::max(0.0, local_.gap(s)));
        break;
      case BlockStep::kAway:
        gain = local_.frank_wolfe_or_away_step(s, local_.worst());
        break;
    }
    if (!local_.has_moved()) return averager_.add_nothing();
    local_.total_move(move_.parts, move_.loss);
    point_.apply(oracle_, i, move_.parts, move_.loss, 1.0, gain);
    averager_.add(oracle_, i, move_.parts, point_.scale(),
                  move_.loss / static_cast<double>(context_.n()));
  }

  double fixed_gamma() const {
    const auto n = static_cast<double>(context_.n());
    return 2.0 * n / (static_cast<double>(visits_) + 2.0 * n);
  }

  int remember(Index i, const Corner& corner) {
    corners(i).forget(pass_ - plan_.max_age);
    corners(i).shrink(most_corners() - 1);
    return corners(i).place(corner, pass_);
  }
  /// For a gap pass, which must not change the block: only if there is room.
  void remember_if_room(Index i, const Corner& corner) {
    corners(i).forget(pass_ - plan_.max_age);
    if (corners(i).size() < most_corners()) corners(i).place(corner, pass_);
  }
  int most_corners() const {
    return static_cast<int>(std::max(context_.options.cache, context_.options.max_active));
  }

  // Passes over the remembered corners.

  /// After an exact pass; false if no cached pass follows.
  bool begin_cached_passes() {
    leaps_ = 0;
    work_since_leap_ = 0.0;
    return schedule_.begin_round(now()) && begin_cached_pass();
  }

  bool begin_cached_pass() {
    if (plan_.leaps) leap();
    mean_local_gap_ = local_gap_sum_ / static_cast<double>(context_.n());
    local_gap_sum_ = 0.0;
    cached_order_.resize(corners_.size());
    std::iota(cached_order_.begin(), cached_order_.end(), Index{0});
    context_.rng.shuffle(std::span(cached_order_));
    cached_left_ = context_.n();
    return true;
  }

  bool is_worth_a_visit(Index i) const {
    if (schedule_.passes() % kPassesBetweenFullOnes == 0) return true;
    return local_gaps_[static_cast<std::size_t>(i)] >= kIdleFraction * mean_local_gap_;
  }

  /// Before a pass and never after the last one: steps smooth what a leap has left rough.
  void leap() {
    if (schedule_.passes() == 0) return leap_.mark(point_, corners_);
    if (work_since_leap_ < Leap::cost(context_.d())) return;
    work_since_leap_ = 0.0;
    counted_cost_ += Leap::cost(context_.d());
    ++leaps_;
    if (leap_.make(oracle_, point_, corners_)) averager_.add(leap_.change(), leap_.ell_change());
  }

  bool cached_pass_step() {
    const Index i = cached_order_[static_cast<std::size_t>(--cached_left_)];
    if (cached_left_ > 1) {
      const Index* next = &cached_order_[static_cast<std::size_t>(cached_left_) - 1];
      __builtin_prefetch(&corners(next[-1]));
      corners(next[0]).prefetch_contents();
    }
    if (is_worth_a_visit(i)) visit_cached(i, false);
    if (cached_left_ > 0) return false;
    return !(schedule_.next(now()) && begin_cached_pass());
  }

  Mark now() const { return {point_.dual(), cost()}; }

  /// Work so far, counted in scores of single parts; or seconds, if the run may depend on them.
  double cost() const {
    if (context_.options.deterministic) return counted_cost_;
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

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
  Index leaps_ = 0;                 ///< since the last exact pass
  bool started_from_gap_ = false;   ///< the last pass had no exact visits of its own
  bool has_fresh_corners_ = false;  ///< a gap pass has just seen all blocks at this w
  Leap leap_;
  std::vector<double> local_gaps_;  ///< pairwise gaps when last seen in a cached visit
  double local_gap_sum_ = 0.0;      ///< of the cached pass under way
  double mean_local_gap_ = 0.0;     ///< of the one before
  double last_total_gap_ = 1.0;     ///< before the first gap pass: losses are about 1
  PartScores theta_;
  std::vector<double> scores_;
  Corner corner_;
  BlockState move_;
};

std::string CornerBcfw::decision() const {
  if (!plan_.leaps) return {};
  return std::string(started_from_gap_ ? "corners of the gap pass" : "exact pass") + ", " +
         std::to_string(schedule_.passes()) + " cached passes, " + std::to_string(leaps_) +
         " leaps";
}

Measurement CornerBcfw::measure() {
  std::vector<double> alpha;
  const auto mix = [&alpha](const CornerSet& set, BlockState& out) {
    alpha.resize(static_cast<std::size_t>(set.size()));
    for (int p = 0; p < set.size(); ++p) alpha[static_cast<std::size_t>(p)] = set.alpha(p);
    set.combine(alpha, out.parts, out.loss);
  };
  std::vector<BlockState> states(corners_.size());
  point_.rebuild(oracle_, [&](Index i) -> const BlockState& {
    corners(i).renormalize();
    BlockState& state = states[static_cast<std::size_t>(i)];
    mix(corners(i), state);
    return state;
  });
  if (averager_.is_on()) return measure_average(context_, averager_, point_);
  MeanViolation mean(context_.n());
  std::vector<double> gaps(corners_.size());
  context_.team.visit_all(point_.w(), [&](Index i, const PartScores& theta, const Corner& corner) {
    const double known = corner.is_exact ? 0.0 : corners(i).best_violation(theta);
    const double found = mean.record(i, theta, corner, known);
    const BlockState& state = states[static_cast<std::size_t>(i)];
    gaps[static_cast<std::size_t>(i)] = found - violation(state.loss, state.parts, theta);
    remember_if_room(i, corner);
  });
  mean.finish();
  for (Index i = 0; i < context_.n(); ++i) {
    const double gap = gaps[static_cast<std::size_t>(i)] / static_cast<double>(context_.n());
    gaps_.record(i, std::max(0.0, gap));
  }
  last_total_gap_ = gaps_.estimate();
  has_fresh_corners_ = plan_.continues_from_gap;
  if (cached_left_ > 0) leap_.mark(point_, corners_);  // the gap pass has changed the sets
  counted_cost_ += static_cast<double>(context_.n()) * context_.problem.oracle_cost();
  const double primal = 0.5 * context_.lambda * squared_norm(point_.w()) + mean.value;
  return {primal, point_.dual(), mean.is_bound};
}

void CornerBcfw::save(ByteWriter& out) const {
  point_.save(out);
  for (const CornerSet& set : corners_) set.save(out);
  sampler_.save(out);
  gaps_.save(out);
  averager_.save(out);
  out.i64(visits_);
  out.i64(pass_);
  out.i64(cached_steps_);
  out.i64(cached_left_);
  schedule_.save(out);
  out.i64s(cached_order_);
  out.f64s(local_gaps_);
  out.u8(has_fresh_corners_);
  out.u8(started_from_gap_);
  out.i64(leaps_);
  leap_.save(out);
  for (const double x :
       {counted_cost_, work_since_leap_, local_gap_sum_, mean_local_gap_, last_total_gap_}) {
    out.f64(x);
  }
}

void CornerBcfw::load(ByteReader& in) {
  point_.load(in);
  for (CornerSet& set : corners_) set.load(in);
  sampler_.load(in);
  gaps_.load(in);
  averager_.load(in);
  visits_ = in.i64();
  pass_ = static_cast<std::int32_t>(in.i64());
  cached_steps_ = in.i64();
  cached_left_ = in.i64();
  schedule_.load(in);
  cached_order_ = in.i64s();
  in.f64s(local_gaps_);
  has_fresh_corners_ = in.u8() != 0;
  started_from_gap_ = in.u8() != 0;
  leaps_ = in.i64();
  leap_.load(in);
  for (double* x :
       {&counted_cost_, &work_since_leap_, &local_gap_sum_, &mean_local_gap_, &last_total_gap_}) {
    *x = in.f64();
  }
  const auto is_block = [this](Index i) { return i >= 0 && i < context_.n(); };
  if (cached_left_ < 0 || cached_left_ > std::ssize(cached_order_) ||
      !std::all_of(cached_order_.begin(), cached_order_.end(), is_block)) {
    in.fail("holds a visiting order that does not fit the data; it is damaged");
  }
}

}  // namespace

std::unique_ptr<Solver> make_cached_bcfw(const RunContext& context) {
  return std::make_unique<CornerBcfw>(context, Plan{.step = BlockStep::kFrankWolfe});
}
std::unique_ptr<Solver> make_bcpfw(const RunContext& context) {
  return std::make_unique<CornerBcfw>(context, Plan{.step = BlockStep::kPairwise});
}
std::unique_ptr<Solver> make_bcafw(const RunContext& context) {
  return std::make_unique<CornerBcfw>(context, Plan{.step = BlockStep::kAway});
}
std::unique_ptr<Solver> make_mpbcfw(const RunContext& context) {
  return std::make_unique<CornerBcfw>(context, Plan{.has_cached_passes = true});
}
std::unique_ptr<Solver> make_auto(const RunContext& context) {
  return std::make_unique<CornerBcfw>(
      context,
      Plan{.max_age = 2, .has_cached_passes = true, .leaps = true, .continues_from_gap = true});
}

}  // namespace gapwise
