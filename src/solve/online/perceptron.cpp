// The averaged structured perceptron [C02] and 1-best MIRA [CS03], as compared in [CY13] section
// 2.1. Both decode without the loss and change w only where that gives a wrong output y:
//
//   perceptron   w += psi_i(y)
//   mira         w += tau psi_i(y),  tau = [L_i(y) - <w, psi_i(y)>]_+ / |psi_i(y)|^2
//
// so that MIRA makes the smallest change that separates y from the truth by its loss. What is
// returned is the average of all iterates w_0 .. w_N. Neither minimises the objective of the other
// solvers; lambda only enters the value that is reported. Weights that must not be negative are set
// to 0 after each step.

#include <algorithm>

#include "solve/online/online_solver.h"

namespace gapwise::internal {
namespace {

/// Below this, psi is zero but for rounding: no step along it separates anything.
constexpr double kNoLength = 1e-300;

class Perceptron : public OnlineSolver {
 public:
  explicit Perceptron(const RunContext& context)
      : OnlineSolver(context, Average::kUniform, /*counts_start=*/true) {}

 protected:
  /// How far to go along psi of the wrong output that was found.
  virtual double step_size(Index) { return 1.0; }

 private:
  void visit(Index i) final {
    oracle().predict(i, w_.direction(), theta_, corner_);  // the scale stays 1
    if (corner_.parts.empty()) return;
    const double tau = step_size(i);
    if (tau > 0.0) w_.add(oracle(), i, corner_.parts, tau);
  }
};

class Mira final : public Perceptron {
 public:
  using Perceptron::Perceptron;

 private:
  double step_size(Index i) override {
    const double missing = violation(corner_.loss, corner_.parts, theta_);
    const double length = oracle().squared_norm(i, corner_.parts);
    return length > kNoLength ? std::max(0.0, missing) / length : 0.0;
  }
};

}  // namespace

GAPWISE_SOLVER(perceptron, Perceptron)
GAPWISE_SOLVER(mira, Mira)

}  // namespace gapwise::internal
