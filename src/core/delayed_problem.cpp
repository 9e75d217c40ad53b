#include "core/delayed_problem.h"

#include <chrono>
#include <cmath>
#include <string>
#include <thread>

#include "core/decorated_problem.h"
#include "core/forwarding_oracle.h"
#include "gapwise/errors.h"

namespace gapwise::internal {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

/// A thread that sleeps wakes up some 0.1 ms late, which matters below this.
constexpr Milliseconds kShortestSleep{1.0};

/// What scoring a single part takes, as measured on handwritten words: the unit of oracle_cost().
constexpr double kNanosecondsPerScore = 3.0;

void wait(Milliseconds delay) {
  if (delay >= kShortestSleep) {
    std::this_thread::sleep_for(delay);
    return;
  }
  for (const auto end = Clock::now() + delay; Clock::now() < end;) continue;
}

class DelayedOracle final : public ForwardingOracle {
 public:
  DelayedOracle(std::unique_ptr<Oracle> inner, Milliseconds delay)
      : ForwardingOracle(std::move(inner)), delay_(delay) {}

  void decode(Index i, const PartScores& theta, Augment augment, Corner& out) override {
    ForwardingOracle::decode(i, theta, augment, out);
    wait(delay_);
  }
  void argmax(Index i, Weights w, PartScores& theta, Corner& out) override {
    ForwardingOracle::argmax(i, w, theta, out);
    wait(delay_);
  }
  double expect(Index i, const PartScores& logits, Parts& mean) override {
    const double log_sum = ForwardingOracle::expect(i, logits, mean);
    wait(delay_);
    return log_sum;
  }
  void project(Index i, const Parts& from, const PartScores& step, Parts& to) override {
    ForwardingOracle::project(i, from, step, to);
    wait(delay_);
  }

 private:
  Milliseconds delay_;
};

}  // namespace

std::unique_ptr<Problem> make_delayed_problem(const Problem& inner, double milliseconds) {
  if (!std::isfinite(milliseconds) || milliseconds < 0.0) {
    throw OptionError("an oracle delay of " + std::to_string(milliseconds) +
                      " ms cannot be; give a finite number >= 0");
  }
  const Milliseconds delay(milliseconds);
  const std::chrono::duration<double, std::nano> nanoseconds = delay;
  return std::make_unique<DecoratedProblem>(
      inner,
      [delay](std::unique_ptr<Oracle> oracle) {
        return std::make_unique<DelayedOracle>(std::move(oracle), delay);
      },
      nanoseconds.count() / kNanosecondsPerScore);
}

}  // namespace gapwise::internal
