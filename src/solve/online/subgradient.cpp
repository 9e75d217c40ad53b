// Stochastic subgradient methods on the primal of bcfw.cpp. Step k = 0, 1, ... takes an example i
// and a corner y that attains its H_i; the subgradient at w is lambda w - psi_i(y).
//
//   ssg   step length 1/(lambda (k+1)), [SSS07] as in [LJSP13] appendix F: w is then the sum of all
//         psi so far over lambda (k+1), and no step needs to scale anything
//   sgd   step length eta0 / (1 + lambda eta0 k)^0.75, the schedule of Bottou, and update
//         w -= eta (lambda w - psi). [CY13] section 4.3 prints it with lambda n = 1/C in the place
//         of lambda (--decay lambda-n), which falls n times as fast. eta0 is the one of 1/2, 1/4,
//         ..., 1/32 that gives the lowest primal on 1000 examples after one pass over them.
//
// Weights that must not be negative are set to 0 after each step: a projection, as in [SSS07].

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/sums.h"
#include "solve/online/online_solver.h"

namespace gapwise::internal {
namespace {

class Ssg final : public OnlineSolver {
 public:
  explicit Ssg(const RunContext& context) : OnlineSolver(context, context.options.average) {}

  /// The first step of Pegasos forgets where it started, so the start counts as the end of a pass.
  void start_from(const Start& start) override {
    steps_before_ = context_.n();
    const double scale = length_after(0);
    std::vector<double> direction(start.w.begin(), start.w.end());
    for (double& x : direction) x /= scale;
    OnlineSolver::start_from({direction});
    w_.set_scale(scale);
  }

 private:
  void save_own(StateWriter& out) const override { out.count(steps_before_); }
  void load_own(StateReader& in) override { steps_before_ = in.count(); }

  double length_after(Index steps) const {
    return 1.0 / (context_.lambda * static_cast<double>(steps_before_ + steps));
  }

  void visit(Index i) override {
    const bool is_violated = find_corner(i, w_);
    const double length = length_after(k_ + 1);
    w_.set_scale(length);
    if (is_violated) w_.add(oracle(), i, corner_.parts, length);
  }

  Index steps_before_ = 0;  ///< that a warm start stands for
};

class Sgd final : public OnlineSolver {
 public:
  explicit Sgd(const RunContext& context)
      : OnlineSolver(context, context.options.average),
        rate_(context.lambda *
              (context.options.decay == Decay::kLambdaN ? static_cast<double>(context.n()) : 1.0)) {
  }

  std::string decision() const override {
    return eta0_ > 0.0 ? fmt::format("eta0 {}", eta0_) : std::string();
  }

 private:
  void save_own(StateWriter& out) const override { out.f64(eta0_); }
  void load_own(StateReader& in) override {
    eta0_ = in.finite();
    in.require(eta0_ >= 0.0 && eta0_ < 1.0, "a step length that no run has");
  }

  static constexpr std::size_t kSample = 1000;
  static constexpr int kFirstPower = 1;
  static constexpr int kLastPower = 5;

  void visit(Index i) override {
    if (eta0_ == 0.0) pick_first_step();
    descend(i, eta0_, k_, w_);
  }

  void descend(Index i, double eta0, Index k, ScaledIterate& w) {
    const bool is_violated = find_corner(i, w);
    const double eta = eta0 / std::pow(1.0 + rate_ * eta0 * static_cast<double>(k), 0.75);
    w.shrink(1.0 - eta * context_.lambda);
    if (is_violated) w.add(oracle(), i, corner_.parts, eta);
  }

  void pick_first_step() {
    std::vector<Index> sample(static_cast<std::size_t>(context_.n()));
    std::iota(sample.begin(), sample.end(), Index{0});
    context_.rng.shuffle(std::span(sample));
    sample.resize(std::min(sample.size(), kSample));
    std::vector<double> start;
    w_.result(start);
    double lowest = std::numeric_limits<double>::infinity();
    for (int power = kFirstPower; power <= kLastPower; ++power) {
      const double eta0 = std::ldexp(1.0, -power);
      const double primal = primal_after(eta0, sample, start);
      if (primal < lowest || eta0_ == 0.0) eta0_ = eta0;
      lowest = std::min(lowest, primal);
    }
  }

  /// The primal of the examples in `sample` after one pass over them from `start`.
  double primal_after(double eta0, const std::vector<Index>& sample, Weights start) {
    ScaledIterate trial(Average::kNone, context_.n(), context_.d(), context_.nonnegative());
    trial.start_at(start);
    for (std::size_t k = 0; k < sample.size(); ++k) {
      descend(sample[k], eta0, static_cast<Index>(k), trial);
      trial.end_step();
    }
    std::vector<double> w;
    trial.result(w);
    std::vector<double> violations;
    for (const Index i : sample) {
      oracle().argmax(i, w, theta_, corner_);
      violations.push_back(std::max(0.0, violation(corner_.loss, corner_.parts, theta_)));
    }
    return 0.5 * context_.lambda * oracle().squared_length(w) +
           ordered_sum(violations) / static_cast<double>(sample.size());
  }

  double rate_;        ///< what the step length falls with
  double eta0_ = 0.0;  ///< 0 until it is picked, before the first step
};

}  // namespace

GAPWISE_SOLVER(ssg, Ssg)
GAPWISE_SOLVER(sgd, Sgd)

}  // namespace gapwise::internal
