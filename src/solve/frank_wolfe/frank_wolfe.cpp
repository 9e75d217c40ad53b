// Batch Frank-Wolfe on the dual of the structural SVM, [LJSP13] Algorithm 2; primal and dual as in
// bcfw.cpp. All blocks move to their corners with one common step, so no block state is kept: the
// iterate is (v, ell), a convex combination of the batch corners (v_s, ell_s), and w = T(v), which
// is v itself unless weights must not be negative (nonnegative.h). The linearisation gap of a step
// is the certified duality gap of the iterate before it, so measuring is free.

#include "solve/average_measure.h"
#include "solve/averager.h"
#include "solve/dual_state.h"
#include "solve/solver.h"

namespace gapwise::internal {
namespace {

class FrankWolfe final : public Solver {
 public:
  explicit FrankWolfe(const RunContext& context)
      : context_(context),
        point_(context.n(), context.d(), context.lambda, context.nonnegative()),
        change_(static_cast<std::size_t>(context.d()), 0.0),
        corners_(static_cast<std::size_t>(context.n())),
        averager_(context.options.average, context.n(), context.d()),
        ledger_(context.n(), context.options.keep_outputs) {}

  /// One iteration; trailing numbers are the lines of [LJSP13] Algorithm 2.
  bool step() override {
    if (!has_corner_) find_corner();       // 2-5
    const double gamma = step_size();      // 6
    for (double& x : change_) x *= gamma;  // 7
    point_.shift(change_, gamma * ell_change_);
    for (Index i = 0; ledger_.is_on() && i < context_.n(); ++i) {
      ledger_.blend(i, corners_[static_cast<std::size_t>(i)], gamma);
    }
    ++k_;
    has_corner_ = false;
    averager_.add(change_, gamma * ell_change_);
    return true;
  }

  Measurement gap_pass() override {
    if (averager_.is_on()) return measure_average(context_, averager_, point_);
    if (!has_corner_) find_corner();
    return found_;
  }
  bool measures_for_free() const override { return !averager_.is_on(); }
  double estimated_gap() const override { return estimated_gap_; }

  double dual() const override { return point_.dual(); }

  void result(std::vector<double>& w) const override { average_at(point_, averager_, w); }

  void start_from(const Start& start) override {
    const DualMixtures& mixtures = mixtures_of(start);
    point_.rebuild(context_.team.leader(), [&](Index i) -> const BlockState& {
      return mixtures[static_cast<std::size_t>(i)];
    });
    has_corner_ = false;
    ledger_ = OutputLedger(0, false);
  }
  std::optional<DualOutputs> outputs() const override {
    if (!ledger_.is_on()) return std::nullopt;
    return ledger_.outputs();
  }

  void save(StateWriter& out) const override {
    out.count(k_);
    point_.save(out);
    for (const double x : {ell_change_, found_.primal, found_.dual, estimated_gap_}) out.f64(x);
    out.flag(has_corner_);
    out.flag(found_.is_certified);
    if (has_corner_) out.weights(change_);
    averager_.save(out);
    if (!ledger_.is_on()) return;
    ledger_.save(out);
    for (const Corner& corner : corners_) out.parts(corner.parts);  // has_corner_ needs them
  }
  void load(StateReader& in) override {
    k_ = in.count();
    point_.load(in);
    ell_change_ = in.finite();
    for (double* x : {&found_.primal, &found_.dual, &estimated_gap_}) *x = in.number();
    has_corner_ = in.flag();
    found_.is_certified = in.flag();
    if (has_corner_) in.weights(change_);
    averager_.load(in);
    if (!ledger_.is_on()) return;
    ledger_.load(in);
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      in.parts(static_cast<Index>(i), corners_[i].parts);
    }
  }

 private:
  /// The corners of all blocks at w, and the way to their sum: (v_s - v, ell_s - ell).
  void find_corner() {
    GapPass pass;
    pass.seen = [&](Index i, const PartScores& theta) {
      const Corner& last = corners_[static_cast<std::size_t>(i)];
      return violation(last.loss, last.parts, theta);
    };
    pass.see = [&](const GapPass::Seen& seen) {
      Corner& mine = corners_[static_cast<std::size_t>(seen.i)];
      mine = seen.corner;
      if (seen.h < 0.0) mine.set_truth();
    };
    found_ = certify(context_, point_.w(), dual(), pass);

    const auto n = static_cast<double>(context_.n());
    std::fill(change_.begin(), change_.end(), 0.0);
    std::vector<double> losses;
    for (Index i = 0; i < context_.n(); ++i) {
      const Corner& corner = corners_[static_cast<std::size_t>(i)];
      context_.team.leader().scatter(i, corner.parts, point_.scale(), change_);
      losses.push_back(corner.loss);
    }
    for (std::size_t j = 0; j < change_.size(); ++j) change_[j] -= point_.v()[j];
    ell_change_ = ordered_sum(losses) / n - point_.ell();
    has_corner_ = true;
    estimated_gap_ = toward_corner().slope;
  }

  Ascent toward_corner() const { return point_.along(change_, ell_change_, 1.0); }

  double step_size() const {
    if (context_.options.step == Step::kLineSearch) return exact_line_search(toward_corner());
    return 2.0 / (static_cast<double>(k_) + 2.0);
  }

  RunContext context_;
  DualPoint point_;
  std::vector<double> change_;  ///< to the batch corner, or what the last step made of it
  double ell_change_ = 0.0;     ///< to the batch corner
  bool has_corner_ = false;     ///< they belong to the current point
  Measurement found_;           ///< of the point whose corner was last found
  double estimated_gap_ = std::numeric_limits<double>::infinity();
  std::vector<Corner> corners_;
  Averager averager_;
  OutputLedger ledger_;
  Index k_ = 0;  ///< iterations so far
};

}  // namespace

GAPWISE_SOLVER(frank_wolfe, FrankWolfe)

}  // namespace gapwise::internal
