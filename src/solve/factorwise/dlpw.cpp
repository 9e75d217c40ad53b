// Dual-decomposed learning of weights, [MSJG10], and its smoothed form, [HU10]: both minimise the
// bound of the relaxed primal by messages,
//   g(w, delta) = lambda/2 |w|^2 + 1/n sum_i [ sum_v max_s (theta_v + cost + sum_c delta_cv)
//                 + sum_c max_y (theta_c - sum_v delta_cv) - score of the truth ],
// docs/design/factorwise.md. A visit of an example makes its messages better, one factor after the
// other (dlpw) or one variable after the other (smooth-dlpw, in which sigma log sum exp takes the
// place of each maximum), and then takes a stochastic subgradient step of the weights, whose length
// is that of Pegasos, 1 / (lambda k) at visit k.
//
// Neither has a dual of its own. What regions chose when visited, on average and with weights that
// grow as the visits do, are beliefs; rounded, they bound the optimum from below as those of other
// factorwise solvers do. Where a factor has several best states, it takes the one that its
// variables agree with best, without which such averages need not come to agree. The weights that
// are measured are the average of the iterates with the same weights.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solve/factorwise/factorwise_solver.h"
#include "solve/factorwise/soft_maximum.h"
#include "solve/factorwise/star_sweep.h"
#include "solve/online/scaled_iterate.h"

namespace gapwise::internal {
namespace {

class Dlpw : public FactorwiseSolver {
 public:
  explicit Dlpw(const RunContext& with)
      : FactorwiseSolver(with),
        beliefs_(with.problem),
        w_(Average::kWeighted, with.n(), with.d(), with.nonnegative()),
        visits_of_(static_cast<std::size_t>(with.n()), 0.0) {}

  void save(StateWriter& out) const override { fields(*this, FieldWriter(out)); }
  void load(StateReader& in) override { fields(*this, FieldReader(in)); }

 protected:
  template <class Self>
  static void fields(Self& self, auto&& each) {
    shared_fields(self, each);
    each(self.beliefs_, self.w_, std::span(self.visits_of_));
  }

  const Beliefs& beliefs() const { return beliefs_; }
  Standpoint here() const override { return {beliefs_, mean_w_}; }
  void end_pass() override {}

  /// Makes the messages better.
  virtual void tighten(std::span<const double> theta, const BlockBeliefs& block) {
    messages_.tighten(theta, block);
  }
  /// What region a, whose scores are given, would believe at the messages of now. Variables come
  /// before factors.
  virtual void choose(const GraphLayout& layout, Index a, std::span<const double> scores,
                      std::span<double> out) {
    std::fill(out.begin(), out.end(), 0.0);
    const Region& region = layout.region(a);
    const std::size_t state =
        region.is_factor() ? agreeing(layout, region, scores) : argmax(scores);
    if (!region.is_factor()) states_[static_cast<std::size_t>(a)] = state;
    out[state] = 1.0;
  }

 private:
  void remove_drift(MeteredOracle&) override {
    for (Index i = 0; i < beliefs_.num_blocks(); ++i) beliefs_[i].rebuild();
    w_.result(mean_w_);
  }
  void iterate(std::vector<double>& w) const override { w_.result(w); }

  double visit(MeteredOracle& oracle, Index i) override {
    oracle.count([&] {
      find_scores(oracle, i);
      tighten(theta_, beliefs_[i]);
      move_beliefs(i);
      const double length = 1.0 / (context().lambda * static_cast<double>(visits() + 1));
      w_.set_scale(length);
      w_.add(oracle, i, chosen_.parts, length);
    });
    w_.end_step();
    return 0.0;  // nobody asks: examples do not come by their gaps
  }

  void find_scores(Oracle& oracle, Index i) {
    oracle.score(i, w_.direction(), answer_);
    const std::span<const double> values = answer_.values();
    theta_.assign(values.begin(), values.begin() + beliefs_[i].layout().end_part());
    for (double& x : theta_) x *= w_.scale();
    theta_.push_back(0.0);
  }

  /// Every region chooses, and its beliefs go there.
  void move_beliefs(Index i) {
    const BlockBeliefs block = beliefs_[i];
    const GraphLayout& layout = block.layout();
    double& visits = visits_of_[static_cast<std::size_t>(i)];
    visits += 1.0;
    const double rate = 2.0 / (visits + 1.0);
    choices_.resize(static_cast<std::size_t>(layout.record_size()));
    states_.resize(static_cast<std::size_t>(layout.num_variables()));
    StopPoll poll;
    for (Index a = 0; a < std::ssize(layout.regions()); ++a) {
      const Region& region = layout.region(a);
      poll.spend(static_cast<std::size_t>(region.size));
      const std::span<double> choice = choice_of(region);
      choose(layout, a, scores_.at(theta_, block, region, 0.0), choice);
      const std::span<double> belief = block.beliefs(region);
      for (std::size_t s = 0; s < belief.size(); ++s) belief[s] += rate * (choice[s] - belief[s]);
    }
    beliefs_.describe(
        i, [this](const Region& region) { return choice_of(region); }, by_part_, chosen_);
  }

  std::span<double> choice_of(const Region& region) {
    return {choices_.data() + region.record, static_cast<std::size_t>(region.size)};
  }

  /// Of the best joint states, the one that most variables chose.
  std::size_t agreeing(const GraphLayout& layout, const Region& factor,
                       std::span<const double> scores) const {
    constexpr double kTie = 1e-9;
    std::size_t best = argmax(scores);
    const double enough = scores[best] - kTie * (1.0 + std::abs(scores[best]));
    Index most = -1;
    for (std::size_t y = 0; y < scores.size(); ++y) {
      if (scores[y] < enough) continue;
      Index agree = 0;
      for (const Axis& axis : layout.axes(factor)) {
        if (states_[static_cast<std::size_t>(axis.variable)] == on_axis(y, axis)) ++agree;
      }
      if (agree > most) best = y;
      most = std::max(most, agree);
    }
    return best;
  }

  Beliefs beliefs_;
  ScaledIterate w_;
  std::vector<double> visits_of_;  ///< by block
  std::vector<double> mean_w_;     ///< when it was last measured
  MessageSweep messages_;
  RegionScores scores_;
  PartScores answer_;
  std::vector<double> theta_;    ///< by part, and a 0 for states that have none
  std::vector<double> choices_;  ///< records as those of the block, of which only beliefs are used
  std::vector<std::size_t> states_;  ///< that variables chose
  std::vector<double> by_part_;
  BlockState chosen_;
};

class SmoothDlpw final : public Dlpw {
 public:
  explicit SmoothDlpw(const RunContext& with)
      : Dlpw(with),
        is_fixed_(with.options.smoothing.has_value()),
        first_(with.options.smoothing.value_or(largest_cost())),
        sigma_(first_) {}

  std::string decision() const override { return fmt::format("sigma {:.3g}", sigma_); }
  std::optional<double> soft_gap() const override { return certificate().soft_gap(); }
  std::optional<double> soft_primal() const override { return certificate().soft_primal(); }

  void save(StateWriter& out) const override {
    Dlpw::save(out);
    FieldWriter{out}(sigma_);
  }
  void load(StateReader& in) override {
    Dlpw::load(in);
    FieldReader{in}(sigma_);
    in.require(sigma_ > 0.0, "a smoothing that no run has");
  }

 private:
  Standpoint here() const override {
    Standpoint stands = Dlpw::here();
    stands.smoothing = sigma_;
    return stands;
  }
  void end_pass() override {
    if (is_fixed_) return;
    const double passes = static_cast<double>(visits()) / static_cast<double>(context().n());
    sigma_ = first_ / std::sqrt(1.0 + passes);
  }

  void tighten(std::span<const double> theta, const BlockBeliefs& block) override {
    messages_.tighten(theta, block, sigma_);
  }
  void choose(const GraphLayout&, Index, std::span<const double> scores,
              std::span<double> out) override {
    soft_argmax(scores, sigma_, out);
  }

  double largest_cost() const {
    double largest = 0.0;
    for (Index i = 0; i < beliefs().num_blocks(); ++i) {
      const BlockBeliefs block = beliefs()[i];
      for (const Region& region : block.layout().regions()) {
        if (region.is_factor()) continue;
        for (const double cost : block.costs(region)) largest = std::max(largest, cost);
      }
    }
    return largest > 0.0 ? largest : 1.0;
  }

  StarSweep messages_;
  bool is_fixed_;
  double first_;
  double sigma_;
};

}  // namespace

GAPWISE_SOLVER(dlpw, Dlpw)
GAPWISE_SOLVER(smooth_dlpw, SmoothDlpw)

}  // namespace gapwise::internal
