// Online exponentiated gradient on the dual of the structural SVM, [CGKCB08] section 5; primal and
// dual as in bcfw.cpp. The dual variables of a block are a Gibbs distribution,
//   alpha_i(y) proportional to exp <logits_i, m(y)>,
// so a step along the gradient of n D, which is H_i(y; w), adds to the logits of parts:
//   logits_i += rate_i (B_i' w + c_i),   with L_i(y) = <c_i, m(y) - m(y_i)>.
// All that w and ell need are the mean parts of the block, from the expectation oracle. Each block
// has its own rate, halved until the dual rises and raised a little after every visit.

#include <algorithm>

#include "solve/certificate.h"
#include "solve/dual_state.h"
#include "solve/expectation/mean_pass.h"
#include "solve/sampler.h"

namespace gapwise::internal {
namespace {

constexpr double kFirstRate = 0.5;
constexpr double kRaise = 1.05;
constexpr double kLargestRate = 1e6;  ///< so that nothing overflows where every rate is fine
constexpr int kHalvingsInFirstPass = 2;
constexpr int kHalvings = 5;

class ExponentiatedGradient final : public Solver {
 public:
  explicit ExponentiatedGradient(const RunContext& context)
      : context_(context),
        oracle_(context.team.leader()),
        state_(context.n(), context.d(), context.lambda),
        sampler_(context.options.sampling, context.n(), context.options.order),
        no_gaps_(context.n()),
        logits_(static_cast<std::size_t>(context.n())),
        rates_(static_cast<std::size_t>(context.n()), kFirstRate) {}

  bool step() override {
    start();
    const Index i = sampler_.next(context_.rng, no_gaps_);
    oracle_.score(i, state_.point().w(), theta_);
    oracle_.part_costs(i, costs_);
    double& rate = rates_[static_cast<std::size_t>(i)];
    const int most = k_ < context_.n() ? kHalvingsInFirstPass : kHalvings;
    for (int halvings = 0; !try_rate(i, rate) && halvings < most; ++halvings) rate *= 0.5;
    rate = std::min(kLargestRate, kRaise * rate);
    ++k_;
    return k_ % context_.n() == 0;
  }

  Measurement gap_pass() override {
    start();
    state_.rebuild(oracle_);
    GapPass pass;
    pass.seen = [&](Index i, const PartScores& theta) { return state_.block_violation(i, theta); };
    return certify(context_, state_.point().w(), dual(), pass);
  }

  double dual() const override { return has_started_ ? state_.point().dual() : kNoDual; }

  void result(std::vector<double>& w) const override {
    const Weights here = state_.point().w();
    w.assign(here.begin(), here.end());
  }

  void save(StateWriter& out) const override {
    out.count(k_);
    out.flag(has_started_);
    state_.save(out);
    for (const std::vector<double>& logits : logits_) out.weights(logits);
    out.weights(rates_);
    sampler_.save(out);
  }
  void load(StateReader& in) override {
    k_ = in.count();
    has_started_ = in.flag();
    state_.load(in);
    for (Index i = 0; has_started_ && i < context_.n(); ++i) {
      std::vector<double>& logits = logits_[static_cast<std::size_t>(i)];
      logits.resize(static_cast<std::size_t>(in.num_parts(i)));
      in.weights(logits);
    }
    in.weights(rates_);
    in.require(std::all_of(rates_.begin(), rates_.end(),
                           [](double rate) { return rate >= 0.0 && rate <= kLargestRate; }),
               "a step length that no run has");
    sampler_.load(in);
  }

 private:
  /// Every block at its uniform distribution.
  void start() {
    if (has_started_) return;
    for (Index i = 0; i < context_.n(); ++i) {
      oracle_.part_costs(i, costs_);
      logits_[static_cast<std::size_t>(i)].assign(costs_.values().size(), 0.0);
      const std::span<double> zeros = trial_.resize(costs_.values().size());
      std::fill(zeros.begin(), zeros.end(), 0.0);
      find_mean(i);
      state_.put(i, corner_.parts, corner_.loss);
    }
    state_.rebuild(oracle_);
    has_started_ = true;
  }

  /// The mean of block i under the trial logits.
  void find_mean(Index i) {
    oracle_.expect(i, trial_, corner_.parts);
    corner_.loss = -corner_.parts.dot(costs_.values());
  }

  /// Takes the step unless the dual falls. Without rounding its slope towards the trial is
  /// positive, because there is more weight where H_i is larger. Where it is not, the weights that
  /// move are too small to be seen yet; they will grow if the logits do.
  bool try_rate(Index i, double rate) {
    std::vector<double>& logits = logits_[static_cast<std::size_t>(i)];
    const std::span<double> trial = trial_.resize(logits.size());
    for (std::size_t r = 0; r < logits.size(); ++r) {
      trial[r] = logits[r] + rate * (theta_.values()[r] + costs_.values()[r]);
    }
    find_mean(i);
    state_.toward(oracle_, i, theta_, corner_, direction_);
    if (direction_.slope > 0.0 && direction_.gain(1.0) <= 0.0) return false;
    state_.move(oracle_, i, direction_, 1.0);
    std::copy(trial.begin(), trial.end(), logits.begin());
    return true;
  }

  RunContext context_;
  MeteredOracle& oracle_;
  DualState state_;
  Sampler sampler_;
  GapTracker no_gaps_;
  std::vector<std::vector<double>> logits_;  ///< of the parts of each block
  std::vector<double> rates_;
  Index k_ = 0;  ///< steps so far
  bool has_started_ = false;
  PartScores theta_;
  PartScores costs_;
  PartScores trial_;
  Corner corner_;
  Direction direction_;
};

}  // namespace

GAPWISE_SOLVER(exponentiated_gradient, ExponentiatedGradient)

}  // namespace gapwise::internal
