// Trains a two-class classifier on two examples through the adapter for users who have nothing but
// an argmax, with the installed headers and library only.

#include <gapwise/argmax_problem.h>
#include <gapwise/train.h>

#include <array>
#include <cstdio>

int main() {
  using namespace gapwise;

  // Example i has the one feature x[i] and the class i; phi(x, y) puts x at coordinate y.
  const std::array<double, 2> x{1.0, 2.0};
  const auto argmax = [&x](Index i, Weights w, Corner& out) {
    const Index wrong = 1 - i;
    const double value = x[static_cast<std::size_t>(i)];
    const double margin =
        value * (w[static_cast<std::size_t>(i)] - w[static_cast<std::size_t>(wrong)]);
    if (margin >= 1.0) return;  // the truth is the most violated output
    out.parts.collect(i, value);
    out.parts.collect(wrong, -value);
    out.loss = 1.0;
  };

  const auto problem = make_argmax_problem(2, 2, argmax);
  TrainOptions options;
  options.lambda = Lambda::of(0.1);
  options.relative_gap = 1e-6;
  options.max_passes = 10'000;
  const Report report = train(*problem, options);

  const double gap = report.progress.relative_gap().value_or(1.0);
  std::printf("%s with a certified relative gap of %.2g, w = (%g, %g)\n",
              name_of(report.reason).data(), gap, report.w[0], report.w[1]);
  return report.reason == StopReason::kConverged && report.progress.is_certified && gap <= 1e-6 ? 0
                                                                                                : 1;
}
