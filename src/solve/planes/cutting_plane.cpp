// n-slack cutting planes, the first algorithm of SVM-struct [TJHA05], for primal and dual of
// bcfw.cpp. Every example has a working set of outputs, at first the truth alone. The oracle visits
// one example after the other; an output that violates its margin by more than epsilon beyond the
// worst one of the working set enters it. After every 100 such outputs, and after every pass, the
// dual is maximised over all working sets together, by corrective steps of one block after the
// other (block_dual.h).
//
// SVM-struct starts with a large epsilon and halves it whenever a pass finds nothing new. Here
// epsilon is 0 in the first pass and half of the largest excess of the pass before in each later
// one, which needs no target and wastes no pass; the dual is maximised to a tenth of that.

#include <algorithm>

#include "solve/certificate.h"
#include "solve/frank_wolfe/block_dual.h"
#include "solve/frank_wolfe/corner_states.h"
#include "solve/frank_wolfe/gap_tracker.h"
#include "solve/frank_wolfe/leap.h"

namespace gapwise::internal {
namespace {

constexpr Index kOutputsBetweenSolves = 100;
constexpr std::int32_t kPatience = 50;  ///< passes after which outputs without weight are forgotten
constexpr double kSolveTolerance = 0.1;
constexpr int kPairsPerVisit = 10;
constexpr int kSweepsWithinPass = 10;
constexpr int kSweepsAfterPass = 200;
constexpr int kSweepsBetweenLeaps = 4;

class CuttingPlane final : public Solver {
 public:
  explicit CuttingPlane(const RunContext& context)
      : context_(context),
        oracle_(context.team.leader()),
        point_(context.n(), context.d(), context.lambda, context.nonnegative()),
        corners_(static_cast<std::size_t>(context.n())),
        local_(point_, context.n()),
        gaps_(context.n()) {}

  bool step() override {
    visit(k_ % context_.n());
    const bool is_pass_end = ++k_ % context_.n() == 0;
    if (is_pass_end) {
      solve(kSweepsAfterPass);
      epsilon_ = 0.5 * largest_excess_;
      largest_excess_ = 0.0;
      ++pass_;
    } else if (new_outputs_ >= kOutputsBetweenSolves) {
      solve(kSweepsWithinPass);
    }
    return is_pass_end;
  }

  Measurement gap_pass() override {
    const std::vector<BlockState> states = rebuild_from_corners(oracle_, corners_, point_);
    std::vector<double> gaps(corners_.size());
    GapPass pass;
    pass.known = [&](Index i, const PartScores& theta) { return set_of(i).best_violation(theta); };
    pass.gap = [&](Index i, const PartScores& theta, double found) {
      const BlockState& state = states[static_cast<std::size_t>(i)];
      return found - violation(state.loss, state.parts, theta);
    };
    pass.see = [&](const GapPass::Seen& seen) {
      gaps[static_cast<std::size_t>(seen.i)] = seen.gap;
    };
    const Measurement measured = certify(context_, point_.w(), dual(), pass);
    for (Index i = 0; i < context_.n(); ++i) {
      gaps_.record(i, std::max(0.0, gaps[static_cast<std::size_t>(i)]) / n());
    }
    return measured;
  }

  double estimated_gap() const override { return gaps_.estimate(); }
  double dual() const override { return point_.dual(); }
  Index cached_steps() const override { return cached_steps_; }
  void result(std::vector<double>& w) const override {
    w.assign(point_.w().begin(), point_.w().end());
  }

  std::optional<DualOutputs> outputs() const override {
    if (!context_.options.keep_outputs) return std::nullopt;
    return outputs_of(corners_);
  }

  void save(StateWriter& out) const override {
    point_.save(out);
    for (const CornerSet& set : corners_) set.save(out);
    gaps_.save(out);
    FieldWriter{out}(k_, pass_, new_outputs_, cached_steps_, epsilon_, largest_excess_);
  }
  void load(StateReader& in) override {
    point_.load(in);
    load_mixtures(in, corners_);
    gaps_.load(in);
    FieldReader{in}(k_, pass_, new_outputs_, cached_steps_, epsilon_, largest_excess_);
  }

 private:
  double n() const { return static_cast<double>(context_.n()); }
  CornerSet& set_of(Index i) { return corners_[static_cast<std::size_t>(i)]; }

  /// A visit with the oracle, which moves nothing.
  void visit(Index i) {
    oracle_.argmax(i, point_.w(), theta_, corner_);
    CornerSet& set = set_of(i);
    set.pick_scores(theta_, scores_);
    local_.start(oracle_, i, set, scores_);
    const int best = local_.best();
    const double excess = violation(corner_.loss, corner_.parts, theta_) - local_.violation(best);
    gaps_.record(i, std::max(0.0, local_.gap(best) + std::max(0.0, excess) / n()));
    if (excess < 0.0) check_against(i, theta_, corner_, local_.violation(best));
    largest_excess_ = std::max(largest_excess_, excess);
    if (excess <= epsilon_) return;
    set.forget(pass_ - kPatience);
    set.shrink(static_cast<int>(context_.options.max_active) - 1, !context_.options.keep_outputs);
    set.place(corner_, pass_);
    ++new_outputs_;
  }

  /// Maximises the dual over the working sets. After a first sweep over all blocks only those are
  /// swept that were not yet good enough, until none is left and all are swept again. Blocks that
  /// pull on each other creep, so every few sweeps are extrapolated.
  void solve(int most_sweeps) {
    const double tolerance = kSolveTolerance * std::max(epsilon_, 0.5 * largest_excess_);
    new_outputs_ = 0;
    std::vector<Index> awake;
    Leap leap;
    leap.mark(point_, corners_);
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      if (sweep > 0 && sweep % kSweepsBetweenLeaps == 0) leap.make(oracle_, point_, corners_);
      const bool is_full = awake.empty();
      awake = is_full ? improve(all_blocks(), tolerance) : improve(awake, tolerance);
      if (is_full && awake.empty()) return;
    }
  }

  std::vector<Index> all_blocks() const {
    std::vector<Index> blocks;
    for (Index i = 0; i < context_.n(); ++i) {
      if (corners_[static_cast<std::size_t>(i)].size() > 1) blocks.push_back(i);
    }
    return blocks;
  }

  /// One visit without the oracle each; returns those that had more than `tolerance` to gain.
  std::vector<Index> improve(const std::vector<Index>& blocks, double tolerance) {
    std::vector<Index> improved;
    for (const Index i : blocks) {
      CornerSet& set = set_of(i);
      set.score(oracle_, i, point_.w(), scores_);
      local_.start(oracle_, i, set, scores_);
      ++cached_steps_;
      const int best = local_.best();
      set.touch(best, pass_);
      if (local_.pairwise_gap(best, local_.worst()) * n() <= tolerance) continue;
      const double gain = local_.corrective_steps(kPairsPerVisit, 0.5 * tolerance / n());
      if (!local_.has_moved()) continue;
      local_.finish(gain, move_.parts, move_.loss);
      improved.push_back(i);
    }
    return improved;
  }

  RunContext context_;
  MeteredOracle& oracle_;
  DualPoint point_;
  std::vector<CornerSet> corners_;  ///< the working sets
  BlockDual local_;
  GapTracker gaps_;
  Index k_ = 0;  ///< visits with the oracle so far
  std::int32_t pass_ = 0;
  Index new_outputs_ = 0;  ///< since the last solve
  Index cached_steps_ = 0;
  double epsilon_ = 0.0;
  double largest_excess_ = 0.0;  ///< of this pass
  PartScores theta_;
  std::vector<double> scores_;
  Corner corner_;
  BlockState move_;
};

}  // namespace

GAPWISE_SOLVER(cutting_plane, CuttingPlane)

}  // namespace gapwise::internal
