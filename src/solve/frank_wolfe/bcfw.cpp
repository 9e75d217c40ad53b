// Block-coordinate Frank-Wolfe for the structural SVM, [LJSP13] Algorithm 4.
//
//   primal   P(w) = lambda/2 |w|^2 + 1/n sum_i max_y [ L_i(y) - <w, psi_i(y)> ]
//   dual     D(alpha) = ell - lambda/2 |w|^2,  w = 1/(lambda n) sum_i sum_y alpha_i(y) psi_i(y),
//            ell = 1/n sum_i sum_y alpha_i(y) L_i(y),  alpha_i in the simplex over the outputs of i
//
// A block state is not the d-vector w_i of the paper but the parts behind it: w_i = B_i u_i /
// (lambda n). After the oracle, a step costs a few operations per part that changes.

#include <algorithm>

#include "core/prefetch.h"
#include "solve/average_measure.h"
#include "solve/averager.h"
#include "solve/dual_state.h"
#include "solve/fields.h"
#include "solve/frank_wolfe/gap_tracker.h"
#include "solve/sampler.h"
#include "solve/solver.h"

namespace gapwise::internal {
namespace {

class Bcfw final : public Solver {
 public:
  explicit Bcfw(const RunContext& context)
      : context_(context),
        oracle_(context.team.leader()),
        state_(context.n(), context.d(), context.lambda, context.nonnegative()),
        sampler_(context.options.sampling, context.n(), context.options.order),
        gaps_(context.n(), context.options.sampling == Sampling::kGap),
        averager_(context.options.average, context.n(), context.d()),
        ledger_(context.n(), context.options.keep_outputs) {}

  /// One step; trailing numbers are the lines of [LJSP13] Algorithm 4.
  bool step() override {
    const Index i = sampler_.next(context_.rng, gaps_);  // 3
    prefetch_blocks();
    oracle_.argmax(i, state_.point().w(), theta_, corner_);  // 4    eq. (2)
    if (!corner_.is_exact && violation(corner_.loss, corner_.parts, theta_) < 0.0) {
      corner_.set_truth();  //      an inexact oracle may miss even the truth
      corner_.is_exact = false;
    }
    state_.toward(oracle_, i, theta_, corner_, direction_);  // 5    w_s - w_i, ell_s - ell_i
    if (direction_.slope < 0.0) {  //      no exact oracle finds less than what the block stands for
      check_against(i, theta_, corner_, state_.block_violation(i, theta_));
    }
    gaps_.record(i, std::max(0.0, direction_.slope));  //      the block gap g_i
    const double gamma = step_size();                  // 6
    ++k_;
    if (gamma == 0.0) {
      averager_.add_nothing();
    } else {
      state_.move(oracle_, i, direction_, gamma);  // 7-10
      ledger_.blend(i, corner_, gamma);
      averager_.add(oracle_, i, direction_.parts,  // 11   eq. (14), lazily
                    gamma * state_.point().scale(), gamma * direction_.loss / n());
    }
    return k_ % context_.n() == 0;
  }

  Measurement gap_pass() override {
    state_.rebuild(oracle_);
    if (averager_.is_on()) return measure_average(context_, averager_, state_.point());
    std::vector<double> gaps(static_cast<std::size_t>(context_.n()));
    GapPass pass;
    pass.known = [&](Index i, const PartScores& theta) { return state_.block_violation(i, theta); };
    pass.gap = [&](Index i, const PartScores& theta, double found) {
      return found - state_.block_violation(i, theta);
    };
    pass.see = [&](const GapPass::Seen& seen) {
      gaps[static_cast<std::size_t>(seen.i)] = seen.gap / n();
    };
    const Measurement measured = certify(context_, state_.point().w(), dual(), pass);
    for (Index i = 0; i < context_.n(); ++i) {
      gaps_.record(i, std::max(0.0, gaps[static_cast<std::size_t>(i)]));
    }
    return measured;
  }

  double estimated_gap() const override { return gaps_.estimate(); }
  std::optional<double> gap_unevenness() const override {
    return averager_.is_on() ? std::nullopt : gaps_.unevenness();
  }
  std::vector<double> block_gaps() const override { return gaps_.values(); }
  double dual() const override { return state_.point().dual(); }

  void result(std::vector<double>& w) const override { average_at(state_.point(), averager_, w); }

  bool has_warm_start() const override { return true; }
  void start_from(const Start& start) override {
    const DualMixtures& mixtures = mixtures_of(start);
    for (Index i = 0; i < context_.n(); ++i) {
      const BlockState& block = mixtures[static_cast<std::size_t>(i)];
      state_.put(i, block.parts, block.loss);
    }
    ledger_ = OutputLedger(0, false);
    state_.rebuild(oracle_);
  }
  std::optional<DualMixtures> mixtures() const override {
    DualMixtures blocks;
    for (Index i = 0; i < context_.n(); ++i) blocks.push_back(state_.block(i));
    return blocks;
  }

  std::optional<DualOutputs> outputs() const override {
    if (!ledger_.is_on()) return std::nullopt;
    return ledger_.outputs();
  }

  void save(StateWriter& out) const override { fields(*this, FieldWriter(out)); }
  void load(StateReader& in) override { fields(*this, FieldReader(in)); }

 private:
  template <class Self>
  static void fields(Self& self, auto&& each) {
    each(self.k_, self.state_, self.sampler_, self.gaps_, self.averager_, self.ledger_);
  }
  double n() const { return static_cast<double>(context_.n()); }

  /// Blocks lie anywhere in memory: fetch the parts of the next one while the oracle works on this
  /// one, and the place where the parts of the one after it are noted.
  [[gnu::always_inline]] void prefetch_blocks() const {
    __builtin_prefetch(&state_.block(sampler_.likely_next(1)));
    prefetch(state_.block(sampler_.likely_next()).parts.items());
  }

  double step_size() const {
    if (context_.options.step == Step::kLineSearch) return exact_line_search(direction_);
    return 2.0 * n() / (static_cast<double>(k_) + 2.0 * n());
  }

  RunContext context_;
  MeteredOracle& oracle_;
  DualState state_;
  Sampler sampler_;
  GapTracker gaps_;
  Averager averager_;
  OutputLedger ledger_;
  Index k_ = 0;  ///< steps so far
  PartScores theta_;
  Corner corner_;
  Direction direction_;
};

}  // namespace

std::unique_ptr<Solver> make_bcfw(const RunContext& context) {
  if (context.options.cache > 0) return make_cached_bcfw(context);
  return std::make_unique<Bcfw>(context);
}

}  // namespace gapwise::internal
