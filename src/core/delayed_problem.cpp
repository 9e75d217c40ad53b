#include "core/delayed_problem.h"

#include <chrono>
#include <cmath>
#include <string>
#include <thread>

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

class DelayedProblem final : public Problem {
 public:
  DelayedProblem(const Problem& inner, Milliseconds delay) : inner_(inner), delay_(delay) {}

  Index num_blocks() const override { return inner_.num_blocks(); }
  Index dimension() const override { return inner_.dimension(); }
  std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<DelayedOracle>(inner_.make_oracle(), delay_);
  }
  double oracle_cost() const override {
    const std::chrono::duration<double, std::nano> delay = delay_;
    return inner_.oracle_cost() + delay.count() / kNanosecondsPerScore;
  }
  std::vector<WeightGroup> weight_groups() const override { return inner_.weight_groups(); }
  std::unique_ptr<KernelInputs> kernel_inputs() const override;
  std::uint64_t fingerprint() const override { return inner_.fingerprint(); }

 private:
  const Problem& inner_;
  Milliseconds delay_;
};

/// The same inputs; the rest, which decodes for them, is as slow as the problem.
class DelayedInputs final : public KernelInputs {
 public:
  DelayedInputs(std::unique_ptr<KernelInputs> inner, Milliseconds delay)
      : inner_(std::move(inner)), rest_(inner_->rest(), delay) {}

  Index num_inputs() const override { return inner_->num_inputs(); }
  int num_labels() const override { return inner_->num_labels(); }
  Index first_input(Index i) const override { return inner_->first_input(i); }
  void products(Index t, Index begin, Index end, double* out) const override {
    inner_->products(t, begin, end, out);
  }
  const Problem& rest() const override { return rest_; }

 private:
  std::unique_ptr<KernelInputs> inner_;
  DelayedProblem rest_;
};

std::unique_ptr<KernelInputs> DelayedProblem::kernel_inputs() const {
  std::unique_ptr<KernelInputs> inputs = inner_.kernel_inputs();
  return inputs ? std::make_unique<DelayedInputs>(std::move(inputs), delay_) : nullptr;
}

}  // namespace

std::unique_ptr<Problem> make_delayed_problem(const Problem& inner, double milliseconds) {
  if (!std::isfinite(milliseconds) || milliseconds < 0.0) {
    throw OptionError("an oracle delay of " + std::to_string(milliseconds) +
                      " ms cannot be; give a finite number >= 0");
  }
  return std::make_unique<DelayedProblem>(inner, Milliseconds(milliseconds));
}

}  // namespace gapwise::internal
