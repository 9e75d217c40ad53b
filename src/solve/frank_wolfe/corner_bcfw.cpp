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
//   auto     mpbcfw that leaps between those passes (leap.h), and in place of an exact pass may ask
//            for the corners of all blocks at one well-chosen point (probe.h), which also
//            certifies; whichever gained more when last seen (round_choice.h)
//   sdm      [BSS11]: per visit up to ten most violating pairs, and after each exact pass a fixed
//            number of passes over the remembered corners
//   fasole   [F14]: per visit up to ten pairs chosen by SDA-WSS2, and blocks with a small gap are
//            left out until the next gap pass
//
// The last two are known from how others describe them, not line by line: what they do here is our
// own definition.

#include "solve/frank_wolfe/corner_bcfw.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "core/prefetch.h"

namespace gapwise::internal {
namespace {

/// What a sweep over w costs, in scores of single parts per weight.
constexpr double kSweepCost = 0.005;

/// The hit criterion of the cache, [OALDL16] section 3.3: with F and nu.
constexpr double kCacheFraction = 0.25;
constexpr double kCacheShare = 0.01;
/// In cached passes, blocks whose pairwise gap was below this fraction of the mean are left out,
/// but for every fourth pass.
constexpr double kIdleFraction = 0.3;
constexpr Index kPassesBetweenFullOnes = 4;
/// Pairwise steps per visit of sdm and fasole, at the most.
constexpr Index kMostPairs = 10;

}  // namespace

bool CornerBcfw::step() {
  const bool ends_pass = advance();
  if (ends_pass && plan_.probes) {
    probe_.add(point_);
    rounds_.end(now());
    rounds_.begin(Round::kExact, now());
  }
  return ends_pass;
}

bool CornerBcfw::measures_for_free() const {
  return plan_.probes && rounds_.next() == Round::kProbe && schedule_.goes_on();
}

double CornerBcfw::estimated_gap() const {
  return std::min(gaps_.estimate(), probe_.primal() - point_.dual());
}

bool CornerBcfw::advance() {
  if (cached_left_ > 0) return cached_pass_step();
  if (has_fresh_corners_) {
    has_fresh_corners_ = false;
    ++pass_;
    started_from_gap_ = true;
    if (begin_cached_passes()) return false;
  }
  const Index i = sampler_.next(context_.rng, gaps_);
  if (gaps_.has_seen(i) && gaps_[i] < shrinks_below_) {
    averager_.add_nothing();
  } else if (!(context_.options.cache > 0 && visit_cached(i, true))) {
    visit_exactly(i);
  }
  ++visits_;
  started_from_gap_ = false;
  if (visits_ % context_.n() != 0) return false;
  ++pass_;
  return plan_.cached_passes == CachedPasses::kNone || !begin_cached_passes();
}

void CornerBcfw::visit_exactly(Index i) {
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

bool CornerBcfw::visit_cached(Index i, bool is_optional) {
  if (corners(i).size() < 2) return false;
  corners(i).score(oracle_, i, point_.w(), scores_);
  counted_cost_ += static_cast<double>(scores_.size());
  work_since_leap_ += static_cast<double>(scores_.size());
  work_since_average_ += static_cast<double>(scores_.size());
  local_.start(oracle_, i, corners(i), scores_);
  const int s = local_.best();
  if (is_optional && !is_hit(i, local_.gap(s))) return false;
  record_local_gap(i, local_.pairwise_gap(s, local_.worst()));
  corners(i).touch(s, pass_);
  move(i, s);
  ++cached_steps_;
  return true;
}

void CornerBcfw::record_local_gap(Index i, double gap) {
  local_gaps_[static_cast<std::size_t>(i)] = gap;
  local_gap_sum_ += gap;
}

bool CornerBcfw::is_hit(Index i, double cached_gap) const {
  if (!gaps_.has_seen(i)) return false;
  const double share = kCacheShare / static_cast<double>(context_.n()) * last_total_gap_;
  return cached_gap >= std::max(kCacheFraction * gaps_[i], share);
}

void CornerBcfw::move(Index i, int s) {
  double gain = 0.0;
  switch (plan_.step) {
    case BlockStep::kFrankWolfe:
      gain = context_.options.step == Step::kLineSearch ? local_.frank_wolfe_step(s)
                                                        : local_.fixed_step(s, fixed_gamma());
      break;
    case BlockStep::kPairwise:
      gain = context_.options.inner_steps == 1
                 ? local_.pairwise_step(s, local_.worst())
                 : correct(s, context_.options.inner_steps, Partner::kBest);
      break;
    case BlockStep::kWorstPairs:
      gain = correct(s, kMostPairs, Partner::kWorst);
      break;
    case BlockStep::kBestPairs:
      gain = correct(s, kMostPairs, Partner::kBest);
      break;
    case BlockStep::kAway:
      gain = local_.frank_wolfe_or_away_step(s, local_.worst());
      break;
  }
  if (!local_.has_moved()) return averager_.add_nothing();
  local_.finish(gain, move_.parts, move_.loss);
  averager_.add(oracle_, i, move_.parts, point_.scale(),
                move_.loss / static_cast<double>(context_.n()));
}

double CornerBcfw::correct(int s, Index most, Partner partner) {
  return local_.corrective_steps(static_cast<int>(most), 0.1 * std::max(0.0, local_.gap(s)),
                                 partner);
}

double CornerBcfw::fixed_gamma() const {
  const auto n = static_cast<double>(context_.n());
  return 2.0 * n / (static_cast<double>(visits_) + 2.0 * n);
}

int CornerBcfw::remember(Index i, const Corner& corner) {
  corners(i).forget(pass_ - plan_.max_age);
  corners(i).shrink(most_corners() - 1);
  return corners(i).place(corner, pass_);
}

void CornerBcfw::remember_if_room(Index i, const Corner& corner) {
  corners(i).forget(pass_ - plan_.max_age);
  if (corners(i).size() < most_corners()) corners(i).place(corner, pass_);
}

int CornerBcfw::most_corners() const {
  return static_cast<int>(std::max(context_.options.cache, context_.options.max_active));
}

bool CornerBcfw::begin_cached_passes() {
  leaps_ = 0;
  work_since_leap_ = 0.0;
  return schedule_.begin_round(now()) && begin_cached_pass();
}

bool CornerBcfw::begin_cached_pass() {
  if (plan_.probes) average();
  if (plan_.leaps) leap();
  mean_local_gap_ = local_gap_sum_ / static_cast<double>(context_.n());
  local_gap_sum_ = 0.0;
  cached_order_.resize(corners_.size());
  std::iota(cached_order_.begin(), cached_order_.end(), Index{0});
  context_.rng.shuffle(std::span(cached_order_));
  cached_left_ = context_.n();
  return true;
}

bool CornerBcfw::is_worth_a_visit(Index i) const {
  if (plan_.cached_passes == CachedPasses::kAll) return true;
  if (schedule_.passes() % kPassesBetweenFullOnes == 0) return true;
  return local_gaps_[static_cast<std::size_t>(i)] >= kIdleFraction * mean_local_gap_;
}

void CornerBcfw::average() {
  const double cost = kSweepCost * static_cast<double>(context_.d());
  if (work_since_average_ < 10.0 * cost) return;
  counted_cost_ += cost;
  work_since_average_ = 0.0;
  probe_.add(point_);
}

void CornerBcfw::leap() {
  if (schedule_.passes() == 0) return leap_.mark(point_, corners_);
  if (work_since_leap_ < Leap::cost(context_.d())) return;
  work_since_leap_ = 0.0;
  counted_cost_ += Leap::cost(context_.d());
  ++leaps_;
  if (leap_.make(oracle_, point_, corners_)) averager_.add(leap_.change(), leap_.ell_change());
}

bool CornerBcfw::cached_pass_step() {
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

double CornerBcfw::cost() const {
  if (context_.options.deterministic) return counted_cost_;
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

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
  return std::make_unique<CornerBcfw>(
      context, Plan{.cached_passes = CachedPasses::kWhileTheyPay,
                    .most_cached_passes = context.options.max_cached_passes});
}
std::unique_ptr<Solver> make_auto(const RunContext& context) {
  const bool returns_average = context.options.average != Average::kNone;
  return std::make_unique<CornerBcfw>(context,
                                      Plan{.max_age = 2,
                                           .cached_passes = CachedPasses::kWhileTheyPay,
                                           .most_cached_passes = context.options.max_cached_passes,
                                           .leaps = true,
                                           .probes = !returns_average});
}
std::unique_ptr<Solver> make_sdm(const RunContext& context) {
  return std::make_unique<CornerBcfw>(context, Plan{.step = BlockStep::kWorstPairs,
                                                    .cached_passes = CachedPasses::kAll,
                                                    .most_cached_passes = context.options.sweeps});
}
std::unique_ptr<Solver> make_fasole(const RunContext& context) {
  return std::make_unique<CornerBcfw>(context,
                                      Plan{.step = BlockStep::kBestPairs, .shrinking = 0.1});
}

}  // namespace gapwise::internal
