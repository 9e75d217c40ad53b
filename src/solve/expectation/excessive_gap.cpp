// Excessive gap reduction for the structural SVM, [ZSV11] with the schedule of Nesterov's second
// method; primal and dual as in bcfw.cpp. The primal is smoothed by the entropy of each block,
//   J_mu(w) = lambda/2 |w|^2 + mu sum_i log mean_y exp(H_i(y; w) / (n mu)),
// and (w_k, alpha_k) keep J_mu(w_k) <= D(alpha_k) while mu falls like 1/k^2. Hence
//   P(w_k) - D(alpha_k) <= mu_k sum_i log |Y_i|.
// Every distribution is a mixture of Gibbs distributions whose logits are linear in w, so two
// passes of expectations per iteration and the sums w(alpha), ell(alpha) are all there is.
//
// mu starts at a Lipschitz constant of the gradient of D in the norm (sum_i |alpha_i|_1^2)^(1/2).
// Where changes of alpha_i sum to 0, |sum_y delta(y) psi_i(y)| <= r_i |delta|_1 with r_i half the
// diameter of the block, so sum_i r_i^2 / (lambda n^2) is one, and at most R^2 / (lambda n).

#include "solve/certificate.h"
#include "solve/expectation/mean_pass.h"
#include "solve/fields.h"

namespace gapwise::internal {
namespace {

class ExcessiveGap final : public Solver {
 public:
  explicit ExcessiveGap(const RunContext& context)
      : context_(context),
        pass_(context),
        w_(static_cast<std::size_t>(context.d()), 0.0),
        scaled_(w_.size()),
        alpha_(context.d()),
        other_(context.d()),
        beta_(context.d()) {}

  bool step() override {
    if (k_ == 0) {
      start();
    } else {
      iterate();
    }
    return true;
  }

  Measurement gap_pass() override { return certify(context_, w_, dual()); }
  double estimated_gap() const override {
    return k_ == 0 ? std::numeric_limits<double>::infinity() : mu_ * log_outputs_;
  }

  double dual() const override { return alpha_.dual(context_.lambda); }
  void result(std::vector<double>& w) const override { w = w_; }

  void save(StateWriter& out) const override { fields(*this, FieldWriter(out)); }
  void load(StateReader& in) override {
    fields(*this, FieldReader(in));
    in.require(k_ == 0 || mu_ > 0.0, "a smoothing that no run has");
  }

 private:
  template <class Self>
  static void fields(Self& self, auto&& each) {
    each(self.k_, std::span(self.w_), self.alpha_, self.mu_, self.log_outputs_);
  }
  double n() const { return static_cast<double>(context_.n()); }

  /// alpha_0 uniform, w_1 = w(alpha_0), alpha_1 one step from it.
  void start() {
    const double radius = pass_.total_radius() / n();
    mu_ = radius * radius / context_.lambda;
    // Where all outputs look alike any mu will do.
    if (!(mu_ > 0.0)) mu_ = 1.0;
    log_outputs_ = pass_.gibbs(w_, 0.0, alpha_);
    w_ = alpha_.w;
    tempered(1.0 / (n() * mu_), alpha_);
    k_ = 1;
  }

  /// The softmax of H(w_k) times `factor`.
  void tempered(double factor, MeanPoint& out) {
    for (std::size_t j = 0; j < w_.size(); ++j) scaled_[j] = factor * w_[j];
    pass_.gibbs(scaled_, factor, out);
  }

  void iterate() {
    const double tau = 2.0 / (static_cast<double>(k_) + 3.0);
    const double factor = 1.0 / (n() * mu_);
    tempered(factor, other_);  // alpha hat, the smoothed maximiser at w_k
    beta_ = alpha_;
    beta_.blend(tau, other_);
    // alpha tilde: from alpha hat along H at w(beta).
    const double along = tau / ((1.0 - tau) * mu_ * n());
    for (std::size_t j = 0; j < w_.size(); ++j) {
      scaled_[j] = factor * w_[j] + along * beta_.w[j];
    }
    pass_.gibbs(scaled_, factor + along, other_);
    for (std::size_t j = 0; j < w_.size(); ++j) w_[j] += tau * (beta_.w[j] - w_[j]);
    alpha_.blend(tau, other_);
    mu_ *= 1.0 - tau;
    ++k_;
  }

  RunContext context_;
  MeanPass pass_;
  std::vector<double> w_;
  std::vector<double> scaled_;
  MeanPoint alpha_;
  MeanPoint other_;
  MeanPoint beta_;
  double mu_ = 0.0;
  double log_outputs_ = 0.0;  ///< sum_i log |Y_i|
  Index k_ = 0;               ///< of w_k; 0 before the start
};

}  // namespace

GAPWISE_SOLVER(excessive_gap, ExcessiveGap)

}  // namespace gapwise::internal
