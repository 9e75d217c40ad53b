// Batch Frank-Wolfe on the dual of the structural SVM, [LJSP13] Algorithm 2; primal and dual as in
// bcfw.cpp. All blocks move to their corners with one common step, so no block state is kept: the
// iterate is (w, ell), a convex combination of the batch corners (w_s, ell_s). The linearisation
// gap of a step is the certified duality gap of the iterate before it, so measuring is free.

#include "solve/average_measure.h"
#include "solve/averager.h"
#include "solve/dual_state.h"
#include "solve/solver.h"

namespace gapwise {
namespace {

class FrankWolfe final : public Solver {
 public:
  explicit FrankWolfe(const RunContext& context)
      : context_(context),
        w_(static_cast<std::size_t>(context.d()), 0.0),
        w_corner_(w_.size(), 0.0),
        corners_(static_cast<std::size_t>(context.n())),
        averager_(context.options.average, context.n(), context.d()) {}

  /// One iteration; trailing numbers are the lines of [LJSP13] Algorithm 2.
  bool step() override {
    if (!has_corner_) find_corner();               // 2-5
    const Direction direction = toward_corner();   // 6
    const double gamma = step_size(direction);     // 6
    for (std::size_t j = 0; j < w_.size(); ++j) {  // 7
      w_corner_[j] = gamma * (w_corner_[j] - w_[j]);
      w_[j] += w_corner_[j];
    }
    const double ell_change = gamma * direction.loss;
    ell_ += ell_change;
    squared_norm_ = squared_norm(w_);
    ++k_;
    has_corner_ = false;
    averager_.add(w_corner_, ell_change);
    return true;
  }

  Measurement measure() override {
    if (averager_.is_on()) return measure_average(context_, averager_, w_, ell_);
    if (!has_corner_) find_corner();
    return {0.5 * context_.lambda * squared_norm_ + mean_violation_, dual(), is_bound_};
  }
  bool measures_for_free() const override { return !averager_.is_on(); }
  double estimated_gap() const override { return estimated_gap_; }

  double dual() const override { return ell_ - 0.5 * context_.lambda * squared_norm_; }

  void result(std::vector<double>& w) const override {
    double ell = 0.0;
    averager_.average(w_, ell_, w, ell);
  }

  void save(ByteWriter& out) const override {
    out.i64(k_);
    out.f64s(w_);
    for (const double x : {ell_, squared_norm_, ell_corner_, mean_violation_, estimated_gap_}) {
      out.f64(x);
    }
    out.u8(has_corner_);
    out.u8(is_bound_);
    if (has_corner_) out.f64s(w_corner_);
    averager_.save(out);
  }
  void load(ByteReader& in) override {
    k_ = in.i64();
    in.f64s(w_);
    for (double* x : {&ell_, &squared_norm_, &ell_corner_, &mean_violation_, &estimated_gap_}) {
      *x = in.f64();
    }
    has_corner_ = in.u8() != 0;
    is_bound_ = in.u8() != 0;
    if (has_corner_) in.f64s(w_corner_);
    averager_.load(in);
  }

 private:
  /// The corners of all blocks at w, and their sum (w_s, ell_s).
  void find_corner() {
    MeanViolation mean(context_.n());
    context_.team.visit_all(w_, [&](Index i, const PartScores& theta, const Corner& corner) {
      Corner& mine = corners_[static_cast<std::size_t>(i)];
      mine = corner;
      if (violation(corner.loss, corner.parts, theta) < 0.0) mine.set_truth();
      mean.record(i, theta, corner);
    });
    mean.finish();
    mean_violation_ = mean.value;
    is_bound_ = mean.is_bound;

    const auto n = static_cast<double>(context_.n());
    std::fill(w_corner_.begin(), w_corner_.end(), 0.0);
    std::vector<double> losses;
    for (Index i = 0; i < context_.n(); ++i) {
      const Corner& corner = corners_[static_cast<std::size_t>(i)];
      context_.team.leader().scatter(i, corner.parts, 1.0 / (context_.lambda * n), w_corner_);
      losses.push_back(corner.loss);
    }
    ell_corner_ = ordered_sum(losses) / n;
    has_corner_ = true;
    estimated_gap_ = toward_corner().slope;
  }

  Direction toward_corner() const {
    double along = 0.0;
    double length = 0.0;
    for (std::size_t j = 0; j < w_.size(); ++j) {
      const double change = w_corner_[j] - w_[j];
      along += w_[j] * change;
      length += change * change;
    }
    Direction direction;
    direction.loss = ell_corner_ - ell_;
    direction.slope = direction.loss - context_.lambda * along;
    direction.curvature = context_.lambda * length;
    return direction;
  }

  double step_size(const Direction& direction) const {
    if (context_.options.step == Step::kLineSearch) return exact_line_search(direction);
    return 2.0 / (static_cast<double>(k_) + 2.0);
  }

  RunContext context_;
  std::vector<double> w_;
  double ell_ = 0.0;
  double squared_norm_ = 0.0;  ///< of w
  std::vector<double> w_corner_;
  double ell_corner_ = 0.0;
  bool has_corner_ = false;  ///< w_corner_ belongs to the current w
  double mean_violation_ = 0.0;
  bool is_bound_ = false;
  double estimated_gap_ = std::numeric_limits<double>::infinity();
  std::vector<Corner> corners_;
  Averager averager_;
  Index k_ = 0;  ///< iterations so far
};

}  // namespace

std::unique_ptr<Solver> make_frank_wolfe(const RunContext& context) {
  return std::make_unique<FrankWolfe>(context);
}

}  // namespace gapwise
