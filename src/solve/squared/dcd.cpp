// Dual coordinate descent for the squared hinge, [CY13].
//
//   primal   P(w) = lambda/2 |w|^2 + 1/n sum_i ( max_y H_i(y; w) )^2
//   dual     D(a) = ell - lambda/2 |w|^2,  w = 1/(lambda n) sum_i sum_y a_i(y) psi_i(y),  a >= 0,
//            ell = 1/n sum_i [ sum_y a_i(y) L_i(y) - s_i^2/4 ],  s_i = sum_y a_i(y)
//
// No constraint ties the duals of a block together, so that one of them at a time can be set to its
// exact optimum (SquaredBlockDual). They live on a working set of outputs per block, to which the
// oracle adds one if its H_i exceeds s_i/2 by a threshold. The solvers of this file differ in when
// they call it:
//
//   dcd-light   at every visit, before the block's duals are updated once each; Algorithm 2
//   dcd         the same, after some sweeps over the working sets alone; Algorithm 3 (DCD-SSVM)
//   cpd         for all blocks at one w, then sweeps until the working sets have nothing to give
//
// Ours: the paper keeps its threshold and ends where no output exceeds it. Here the gap says when
// to stop, and the threshold is halved whenever few blocks find an output to add.

#include <algorithm>
#include <atomic>
#include <numeric>

#include "solve/average_measure.h"
#include "solve/averager.h"
#include "solve/dual_state.h"
#include "solve/fields.h"
#include "solve/frank_wolfe/corner_states.h"
#include "solve/frank_wolfe/gap_tracker.h"
#include "solve/sampler.h"
#include "solve/solver.h"
#include "solve/squared/squared_block_dual.h"

namespace gapwise::internal {
namespace {

struct Plan {
  Index sweeps = 0;  ///< over the working sets, after each pass with the oracle, at the most
  /// That pass sees all blocks at one w and updates nothing, and the sweeps end when the slopes are
  /// within the threshold of each other.
  bool is_batch = false;
};

/// delta of [CY13], where it starts.
constexpr double kFirstThreshold = 0.1;
/// It is halved after a pass that added outputs to fewer blocks than this share.
constexpr double kFewBlocks = 0.05;
/// Passes between two removals of the outputs without weight.
constexpr std::int32_t kRemovalPeriod = 5;

class Dcd final : public Solver {
 public:
  Dcd(const RunContext& context, const Plan& plan)
      : context_(context),
        plan_(plan),
        oracle_(context.team.leader()),
        point_(context.n(), context.d(), context.lambda, context.nonnegative()),
        sets_(static_cast<std::size_t>(context.n()), CornerSet::empty()),
        local_(point_, context.n()),
        sampler_(context.options.sampling, context.n(), context.options.order),
        sweeper_(Sampling::kPermutation, context.n(), {}),
        gaps_(context.n(), context.options.sampling == Sampling::kGap),
        averager_(context.options.average, context.n(), context.d()) {}

  bool step() override {
    if (plan_.is_batch && sweep_left_ == 0) return batch_step();
    if (sweep_left_ == 0 && sweeps_left_ > 0) begin_sweep();
    if (sweep_left_ > 0) return sweep_step();
    visit_exactly(sampler_.next(context_.rng, gaps_));
    if (++visits_ % context_.n() != 0) return false;
    end_exact_pass();
    sweeps_left_ = plan_.sweeps;
    return true;
  }

  Measurement gap_pass() override;
  bool measures_for_free() const override { return plan_.is_batch && sweep_left_ == 0; }
  double estimated_gap() const override { return gaps_.estimate(); }
  std::vector<double> block_gaps() const override { return gaps_.values(); }
  double dual() const override { return point_.dual(); }
  Index cached_steps() const override { return cached_steps_; }
  void result(std::vector<double>& w) const override { average_at(point_, averager_, w); }
  bool has_warm_start() const override { return true; }
  void start_from(const Start& start) override {
    if (start.working_sets == nullptr) return Solver::start_from(start);
    sets_ = *start.working_sets;
    for (CornerSet& set : sets_) set.scale(start.share);
    rebuild();
  }
  const std::vector<CornerSet>* working_sets() const override { return &sets_; }
  std::optional<DualOutputs> outputs() const override {
    if (!context_.options.keep_outputs) return std::nullopt;
    return outputs_of(sets_);
  }
  void save(StateWriter& out) const override;
  void load(StateReader& in) override;

 private:
  template <class Self>
  static void fields(Self& self, auto&& each) {
    each(self.visits_, self.pass_, self.cached_steps_, self.added_, self.sweeps_left_,
         self.sweep_left_, self.threshold_, self.most_slope_, self.least_slope_,
         self.answers_.primal, Unbounded(self.answers_.dual), self.has_answers_,
         self.answers_.is_certified);
  }

  void rebuild();
  CornerSet& set(Index i) { return sets_[static_cast<std::size_t>(i)]; }

  /// DCD-Light: one call of the oracle, then the duals of the block.
  void visit_exactly(Index i) {
    oracle_.argmax(i, point_.w(), theta_, corner_);
    added_ += offer(i, violation(corner_.loss, corner_.parts, theta_), corner_);
    set(i).pick_scores(theta_, scores_);
    local_.start(oracle_, i, set(i), scores_);
    check_against(i, theta_, corner_, local_.best_violation());
    gaps_.record(i, local_.gap(largest_violation(i)));
    update(i);
  }

  double largest_violation(Index i) {
    const double known = corner_.is_exact ? 0.0 : set(i).best_violation(theta_);
    return std::max({0.0, known, violation(corner_.loss, corner_.parts, theta_)});
  }

  /// Takes an output with H_i = h into the working set, if that is worth it; 1 if it is new there.
  Index offer(Index i, double h, const Corner& corner) {
    if (pass_ > 0 && pass_ % kRemovalPeriod == 0) set(i).forget(pass_);
    if (h - 0.5 * set(i).sum_of_alpha() < threshold_) return 0;
    set(i).shrink(static_cast<int>(context_.options.max_active) - 1,
                  !context_.options.keep_outputs);
    const int before = set(i).size();
    return set(i).place(corner, pass_) == before ? 1 : 0;
  }

  /// UPDATEWEIGHT of [CY13] Algorithm 1 on the block that local_ holds: every dual once, the newest
  /// first, the others in random order.
  void update(Index i) {
    order_.resize(static_cast<std::size_t>(local_.size()));
    std::iota(order_.rbegin(), order_.rend(), 0);
    if (order_.size() > 2) context_.rng.shuffle(std::span(order_).subspan(1));
    double gain = 0.0;
    for (const int p : order_) {
      const double slope = local_.projected_excess(p);
      most_slope_ = std::max(most_slope_, slope);
      least_slope_ = std::min(least_slope_, slope);
      gain += local_.update(p);
    }
    if (!local_.has_moved()) return averager_.add_nothing();
    local_.finish(gain, move_.parts, move_.loss);
    averager_.add(oracle_, i, move_.parts, point_.scale(),
                  move_.loss / static_cast<double>(context_.n()));
  }

  /// A pass over all blocks with the oracle is complete.
  void end_exact_pass() {
    if (static_cast<double>(added_) < kFewBlocks * static_cast<double>(context_.n())) {
      threshold_ *= 0.5;
    }
    added_ = 0;
    ++pass_;
  }

  // Sweeps over the working sets.

  void begin_sweep() {
    --sweeps_left_;
    sweep_left_ = context_.n();
    most_slope_ = least_slope_ = 0.0;
  }

  /// True if it ends a pass, which only the last sweep of a batch method does.
  bool sweep_step() {
    const Index i = sweeper_.next(context_.rng, gaps_);
    __builtin_prefetch(&set(sweeper_.likely_next(1)));
    set(sweeper_.likely_next()).prefetch_contents();
    has_answers_ = false;
    if (set(i).size() > 0) {
      set(i).score(oracle_, i, point_.w(), scores_);
      local_.start(oracle_, i, set(i), scores_);
      update(i);
      ++cached_steps_;
    }
    if (--sweep_left_ > 0) return false;
    if (most_slope_ - least_slope_ <= (plan_.is_batch ? threshold_ : 0.0)) sweeps_left_ = 0;
    if (!plan_.is_batch || sweeps_left_ == 0) return plan_.is_batch;
    begin_sweep();
    return false;
  }

  // All blocks at one w.

  bool batch_step() {
    if (!has_answers_) ask_all();
    has_answers_ = false;
    end_exact_pass();
    sweeps_left_ = plan_.sweeps;
    begin_sweep();
    return false;
  }

  /// Offers the answers of the oracle at w to the working sets, and takes the gaps.
  void ask_all();

  RunContext context_;
  Plan plan_;
  MeteredOracle& oracle_;
  DualPoint point_;
  std::vector<CornerSet> sets_;
  SquaredBlockDual local_;
  Sampler sampler_;
  Sampler sweeper_;
  GapTracker gaps_;
  Averager averager_;
  Index visits_ = 0;  ///< with the oracle, but for those of batch passes
  std::int32_t pass_ = 0;
  Index cached_steps_ = 0;
  Index added_ = 0;        ///< outputs, in the pass under way
  Index sweeps_left_ = 0;  ///< to begin before the next pass with the oracle
  Index sweep_left_ = 0;   ///< visits left of the one under way
  double threshold_ = kFirstThreshold;
  double most_slope_ = 0.0;  ///< of the sweep under way, and 0
  double least_slope_ = 0.0;
  bool has_answers_ = false;  ///< a batch method knows those of the oracle at this very w
  Measurement answers_;       ///< what the last ones said
  PartScores theta_;
  std::vector<double> scores_;
  std::vector<int> order_;
  Corner corner_;
  BlockState move_;
};

void Dcd::ask_all() {
  std::vector<double> gaps(sets_.size());
  std::atomic<Index> added = 0;
  GapPass pass{.objective = Objective::kL2};
  pass.known = [&](Index i, const PartScores& theta) { return set(i).best_violation(theta); };
  pass.gap = [&](Index i, const PartScores& theta, double found) {
    thread_local std::vector<double> scores;
    thread_local std::vector<double> h;
    set(i).pick_scores(theta, scores);
    set(i).violations(scores, h);
    return squared_block_gap(set(i), h, found);
  };
  pass.see = [&](const GapPass::Seen& seen) {
    gaps[static_cast<std::size_t>(seen.i)] = seen.gap;
    const bool has_room = plan_.is_batch || set(seen.i).size() < context_.options.max_active;
    if (has_room) added += offer(seen.i, seen.h, seen.corner);
  };
  answers_ = certify(context_, point_.w(), dual(), pass);
  added_ += added;
  for (Index i = 0; i < context_.n(); ++i) {
    gaps_.record(i, gaps[static_cast<std::size_t>(i)] / static_cast<double>(context_.n()));
  }
  has_answers_ = plan_.is_batch;
}

/// The point from the working sets, without the rounding of many steps.
void Dcd::rebuild() {
  BlockState state;
  point_.rebuild(oracle_, [&](Index i) -> const BlockState& {
    set(i).combine(state.parts, state.loss);
    const double sum = set(i).sum_of_alpha();
    state.loss -= 0.25 * sum * sum;
    return state;
  });
}

Measurement Dcd::gap_pass() {
  if (has_answers_) return answers_;
  rebuild();
  if (averager_.is_on()) return measure_average(context_, averager_, point_, Objective::kL2);
  ask_all();
  return answers_;
}

void Dcd::save(StateWriter& out) const {
  point_.save(out);
  for (const CornerSet& set : sets_) set.save(out);
  sampler_.save(out);
  sweeper_.save(out);
  gaps_.save(out);
  averager_.save(out);
  fields(*this, FieldWriter(out));
}

void Dcd::load(StateReader& in) {
  point_.load(in);
  for (Index i = 0; i < context_.n(); ++i) set(i).load(in, i, SumOfAlpha::kAny);
  sampler_.load(in);
  sweeper_.load(in);
  gaps_.load(in);
  averager_.load(in);
  fields(*this, FieldReader(in));
  in.require(sweeps_left_ <= plan_.sweeps && sweep_left_ <= context_.n(), "sweeps that no run has");
  in.require(!has_answers_ || plan_.is_batch, "answers that the solver does not keep");
}

}  // namespace

std::unique_ptr<Solver> make_dcd_light(const RunContext& context) {
  return std::make_unique<Dcd>(context, Plan{});
}
std::unique_ptr<Solver> make_dcd(const RunContext& context) {
  return std::make_unique<Dcd>(context, Plan{.sweeps = context.options.sweeps});
}
std::unique_ptr<Solver> make_cpd(const RunContext& context) {
  return std::make_unique<Dcd>(
      context,
      Plan{.sweeps = std::max<Index>(1, context.options.max_cached_passes), .is_batch = true});
}

}  // namespace gapwise::internal
