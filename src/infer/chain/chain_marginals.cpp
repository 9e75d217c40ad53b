#include "infer/chain/chain_marginals.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/stop.h"
#include "infer/chain/trellis.h"

namespace gapwise::internal {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

/// The largest of some scores.
class Largest {
 public:
  explicit Largest(double) {}
  void add(double x) { top_ = std::max(top_, x); }
  double value() const { return top_; }

 private:
  double top_ = kNever;
};

/// temperature * log of the sum of exp(x / temperature), whatever the size of the x.
class SoftLargest {
 public:
  explicit SoftLargest(double temperature) : temperature_(temperature) {}
  void add(double x) {
    if (x == kNever) return;
    if (x <= top_) {
      mass_ += std::exp((x - top_) / temperature_);
    } else {
      mass_ = 1.0 + (top_ == kNever ? 0.0 : mass_ * std::exp((top_ - x) / temperature_));
      top_ = x;
    }
  }
  double value() const { return top_ == kNever ? top_ : top_ + temperature_ * std::log(mass_); }

 private:
  double temperature_;
  double top_ = kNever;
  double mass_ = 0.0;
};

/// What all labellings through a state come to: those up to it, and those behind it.
template <class Sum>
class Passes {
 public:
  Passes(const ChainScores& scores, double temperature, MarginalScratch& scratch)
      : trellis_(scores), temperature_(temperature), scratch_(scratch) {
    std::size_t count = 0;
    for (std::size_t t = 0; t < trellis_.length(); ++t) {
      starts_.push_back(count);
      count += trellis_.num_states(t);
    }
    scratch_.forward.resize(count);
    scratch_.backward.resize(count);
    go_forward();
    go_backward();
  }

  /// Of all labellings.
  double total() const {
    const std::size_t last = trellis_.length() - 1;
    Sum sum(temperature_);
    for (std::size_t s = 0; s < trellis_.num_states(last); ++s) sum.add(forward(last)[s]);
    return sum.value();
  }

  /// out[t * labels + k]: of all labellings with label k at t.
  void by_label(std::span<double> out) const {
    std::vector<Sum> sums;
    for (std::size_t t = 0; t < trellis_.length(); ++t) {
      sums.assign(trellis_.labels(), Sum(temperature_));
      for (std::size_t s = 0; s < trellis_.num_states(t); ++s) {
        sums[trellis_.label(t, s)].add(forward(t)[s] + backward(t)[s]);
      }
      for (std::size_t k = 0; k < sums.size(); ++k) out[t * sums.size() + k] = sums[k].value();
    }
  }

 private:
  double* forward(std::size_t t) const { return scratch_.forward.data() + starts_[t]; }
  double* backward(std::size_t t) const { return scratch_.backward.data() + starts_[t]; }

  void go_forward() {
    for (std::size_t s = 0; s < trellis_.labels(); ++s) forward(0)[s] = trellis_.own(0, s);
    StopPoll poll;
    for (std::size_t t = 1; t < trellis_.length(); ++t) {
      for (std::size_t s = 0; s < trellis_.num_states(t); ++s) {
        poll.spend(trellis_.labels());
        const Trellis::Sources from = trellis_.sources(t, s);
        const double own = trellis_.own(t, s);
        Sum sum(temperature_);
        for (std::size_t j = 0; j < from.count && own > kNever; ++j) {
          sum.add(forward(t - 1)[from.first + j] + from.steps[j * from.stride]);
        }
        forward(t)[s] = own + sum.value();
      }
    }
  }

  void go_backward() {
    const std::size_t last = trellis_.length() - 1;
    std::fill_n(backward(last), trellis_.num_states(last), 0.0);
    std::vector<Sum> sums;
    StopPoll poll;
    for (std::size_t t = last; t > 0; --t) {
      sums.assign(trellis_.num_states(t - 1), Sum(temperature_));
      for (std::size_t s = 0; s < trellis_.num_states(t); ++s) {
        poll.spend(trellis_.labels());
        const double behind = trellis_.own(t, s) + backward(t)[s];
        if (behind == kNever) continue;
        const Trellis::Sources from = trellis_.sources(t, s);
        for (std::size_t j = 0; j < from.count; ++j) {
          sums[from.first + j].add(behind + from.steps[j * from.stride]);
        }
      }
      for (std::size_t s = 0; s < sums.size(); ++s) backward(t - 1)[s] = sums[s].value();
    }
  }

  Trellis trellis_;
  double temperature_;
  MarginalScratch& scratch_;
  std::vector<std::size_t> starts_;  ///< of the states of each position
};

}  // namespace

void max_marginals(const ChainScores& scores, MarginalScratch& scratch, std::span<double> best) {
  Passes<Largest>(scores, 1.0, scratch).by_label(best);
}

double label_probabilities(const ChainScores& scores, double temperature, MarginalScratch& scratch,
                           std::span<double> p) {
  const Passes<SoftLargest> passes(scores, temperature, scratch);
  const double total = passes.total();
  passes.by_label(p);
  const auto labels = static_cast<std::size_t>(scores.labels);
  for (std::size_t t = 0; t < p.size(); t += labels) {
    double sum = 0.0;  // 1 up to rounding
    for (std::size_t k = t; k < t + labels; ++k) {
      p[k] = std::exp((p[k] - total) / temperature);
      sum += p[k];
    }
    for (std::size_t k = t; k < t + labels; ++k) p[k] /= sum;
  }
  return total;
}

}  // namespace gapwise::internal
