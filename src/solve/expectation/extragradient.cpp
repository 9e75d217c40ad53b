// Dual extragradient for the structural SVM, [TLJ06]: the saddle point of
//   lambda/2 |w|^2 + 1/n sum_i <B_i' w + c_i, z_i - m(y_i)>,   least in w, largest in z,
// with z_i in the convex hull of the outputs of block i and w in the ball that must hold the
// optimum, |w|^2 <= 2 P(0) / lambda. With the operator Gamma(w, z) = (lambda (w - w(z)), -(B_i' w +
// c_i) / n for each i) and s = 0 at first, an iteration is
//   v = Prox(s),   u = Prox_v(-Gamma(v)),   s -= Gamma(u).
// The paper returns the mean of the u; here the last one is the answer unless --average says
// otherwise, because it was better wherever we looked. s_z is the sum of the -Gamma_z(u), which is
// linear in w: it is kept as the sum of the w_u and their number, not by block.
//
// Prox maximises <s, x> - 1/eta (rho/2 |w|^2 + sum_i d(z_i)). With expectations, d is the negative
// entropy, the z are means of Gibbs distributions and steps add up in their logits; with
// projections, d(z) = |z - m(y_i)|^2 / 2. eta = 1 / Lambda for the Lipschitz constant Lambda <=
// lambda / rho + F / (n sqrt(rho)) of Gamma, where F is a norm of all B_i side by side; rho makes
// both halves of the domain equally large.

#include <cmath>

#include "solve/averager.h"
#include "solve/certificate.h"
#include "solve/expectation/mean_pass.h"

namespace gapwise::internal {
namespace {

class Extragradient final : public Solver {
 public:
  explicit Extragradient(const RunContext& context)
      : context_(context),
        pass_(context),
        has_projection_(context.team.leader().has_projection()),
        slope_(static_cast<std::size_t>(context.d()), 0.0),
        sum_(slope_),
        u_(slope_),
        v_(slope_),
        scratch_(slope_),
        z_u_(context.d()),
        z_v_(context.d()),
        blocks_(has_projection_ ? static_cast<std::size_t>(context.n()) : 0),
        w_average_(context.options.average, 1, context.d()),
        z_average_(context.options.average, 1, context.d()) {}

  bool step() override {
    if (k_ == 0) choose_step();
    for (std::size_t j = 0; j < v_.size(); ++j) v_[j] = eta_ / rho_ * slope_[j];
    into_ball(v_);
    predict();
    correct();
    for (std::size_t j = 0; j < slope_.size(); ++j) {
      slope_[j] -= context_.lambda * (u_[j] - z_u_.w[j]);
      sum_[j] += u_[j];
    }
    ++k_;
    return true;
  }

  Measurement gap_pass() override {
    std::vector<double> w;
    result(w);
    std::vector<double> w_of_z;
    double ell = 0.0;
    z_average_.average(z_u_.w, z_u_.ell, w_of_z, ell);
    return certify(context_, w, ell - 0.5 * context_.lambda * squared_norm(w_of_z));
  }

  double dual() const override { return z_u_.dual(context_.lambda); }
  void result(std::vector<double>& w) const override {
    double none = 0.0;
    w_average_.average(u_, 0.0, w, none);
  }

  void save(StateWriter& out) const override {
    out.count(k_);
    for (const double x : {eta_, rho_, ball_}) out.f64(x);
    for (const std::vector<double>* values : {&slope_, &sum_, &u_}) out.weights(*values);
    z_u_.save(out);
    w_average_.save(out);
    z_average_.save(out);
  }
  void load(StateReader& in) override {
    k_ = in.count();
    for (double* x : {&eta_, &rho_, &ball_}) *x = in.finite();
    in.require(k_ == 0 || (eta_ > 0.0 && rho_ > 0.0 && ball_ >= 0.0), "a step that no run has");
    for (std::vector<double>* values : {&slope_, &sum_, &u_}) in.weights(*values);
    z_u_.load(in);
    w_average_.load(in);
    z_average_.load(in);
  }

 private:
  double n() const { return static_cast<double>(context_.n()); }
  Parts& block(Index i) { return blocks_[static_cast<std::size_t>(i)]; }

  void into_ball(std::vector<double>& w) const {
    const double squared = squared_norm(w);
    if (squared <= ball_) return;
    const double factor = std::sqrt(ball_ / squared);
    for (double& x : w) x *= factor;
  }

  void choose_step();
  double operator_norm();
  void predict();
  void correct();

  RunContext context_;
  MeanPass pass_;
  bool has_projection_;
  std::vector<double> slope_;  ///< s_w
  std::vector<double> sum_;    ///< of all w_u; with k_ it stands for s_z
  std::vector<double> u_;      ///< w_u
  std::vector<double> v_;      ///< w_v
  std::vector<double> scratch_;
  MeanPoint z_u_;
  MeanPoint z_v_;
  std::vector<Parts> blocks_;  ///< z_v by block, where projections start from
  Averager w_average_;
  Averager z_average_;
  double eta_ = 0.0;
  double rho_ = 0.0;
  double ball_ = 0.0;  ///< the largest |w|^2
  Index k_ = 0;        ///< iterations so far
};

/// z_v, from the sum of all gradients so far.
void Extragradient::predict() {
  const double step = eta_ / n();
  const auto k = static_cast<double>(k_);
  if (has_projection_) {
    const Parts truth;
    pass_.project(
        {[&](Index) -> const Parts& { return truth; }, [&](Index i) { return &block(i); }}, step,
        sum_, k, z_v_);
    return;
  }
  for (std::size_t j = 0; j < sum_.size(); ++j) scratch_[j] = step * sum_[j];
  pass_.gibbs(scratch_, step * k, z_v_);
}

/// u, from v and the gradient at v.
void Extragradient::correct() {
  const double step = eta_ / n();
  const MeanPoint before = z_u_;
  if (has_projection_) {
    pass_.project(
        {[&](Index i) -> const Parts& { return block(i); }, [](Index) { return nullptr; }}, step,
        v_, 1.0, z_u_);
  } else {
    for (std::size_t j = 0; j < sum_.size(); ++j) scratch_[j] = step * (sum_[j] + v_[j]);
    pass_.gibbs(scratch_, step * (static_cast<double>(k_) + 1.0), z_u_);
  }
  for (std::size_t j = 0; j < sum_.size(); ++j) scratch_[j] = z_u_.w[j] - before.w[j];
  z_average_.add(scratch_, z_u_.ell - before.ell);

  scratch_ = u_;
  for (std::size_t j = 0; j < u_.size(); ++j) {
    u_[j] = v_[j] - eta_ / rho_ * context_.lambda * (v_[j] - z_v_.w[j]);
  }
  into_ball(u_);
  for (std::size_t j = 0; j < u_.size(); ++j) scratch_[j] = u_[j] - scratch_[j];
  w_average_.add(scratch_, 0.0);
}

/// The sizes of both halves of the domain, and the step that goes with them.
void Extragradient::choose_step() {
  std::vector<double> losses(static_cast<std::size_t>(context_.n()));
  std::vector<double> distances(losses.size());
  const std::vector<double> zero(u_.size(), 0.0);
  OracleTeam::Visit visit;
  visit.look = [](Index, const PartScores&, const Corner&, OracleTeam::Facts&) {};
  visit.take = [&](std::size_t, Index i, const Corner& corner, const OracleTeam::Facts&) {
    losses[static_cast<std::size_t>(i)] = corner.loss;
    distances[static_cast<std::size_t>(i)] = 0.5 * corner.parts.dot(corner.parts);
  };
  context_.team.visit_all(zero, visit);
  ball_ = 2.0 * ordered_sum(losses) / (n() * context_.lambda);
  const double size = has_projection_ ? ordered_sum(distances) : pass_.gibbs(zero, 0.0, z_v_);
  rho_ = ball_ > 0.0 && size > 0.0 ? 2.0 * size / ball_ : 1.0;
  const double norm = has_projection_ ? operator_norm() : pass_.total_radius();
  eta_ = 1.0 / (context_.lambda / rho_ + norm / (n() * std::sqrt(rho_)));
}

/// The norm of w -> (B_1' w, ..., B_n' w), by power iteration, which comes from below.
double Extragradient::operator_norm() {
  constexpr int kIterations = 50;
  constexpr double kMargin = 1.05;
  Rng rng(context_.options.seed);
  std::vector<double> w(u_.size());
  for (double& x : w) x = rng.uniform() - 0.5;
  PartScores theta;
  Parts parts;
  double norm = 0.0;
  for (int k = 0; k < kIterations; ++k) {
    const double length = std::sqrt(squared_norm(w));
    norm = std::sqrt(length);
    if (!(length > 0.0)) break;
    std::vector<double> image(w.size(), 0.0);
    for (Index i = 0; i < context_.n(); ++i) {
      context_.team.leader().score(i, w, theta);
      parts.assign_negative(theta.values());
      context_.team.leader().scatter(i, parts, -1.0 / length, image);
    }
    std::swap(w, image);
  }
  return kMargin * norm;
}

}  // namespace

GAPWISE_SOLVER(extragradient, Extragradient)

}  // namespace gapwise::internal
