#include "solve/planes/simplex_qp.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/frank_wolfe/line_search.h"

namespace gapwise::internal {
namespace {

/// What is added to the diagonal of a face, relative to its largest entry: enough to factor a
/// singular matrix, too little to spoil the direction, which the line search makes good.
constexpr double kRidge = 1e-12;

/// Steps per coordinate after which a solve is content with what it has.
constexpr int kStepsPerCoordinate = 20;

std::size_t triangle(std::size_t rows) {
  return rows * (rows + 1) / 2;
}

/// Solves (L L') p = h in place, where L is left in the lower triangle of `m`; pivots are at least
/// `floor`. Written out because faces are nearly singular, where Eigen's LLT gives up at the first
/// pivot that is not positive, and because they are small: Eigen 3.4 is slower up to 40 rows (2.6
/// against 1.9 us at 20) and faster from 80 on (0.30 against 0.98 ms at 200). On handwritten words
/// with lambda = 0.01 all of this is 0.15 % of a run of one-slack and 0.02 % of one of bmrm.
void solve_symmetric(std::vector<double>& m, std::size_t size, double floor, double* p) {
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t i = j; i < size; ++i) {
      double sum = m[i * size + j];
      for (std::size_t k = 0; k < j; ++k) sum -= m[i * size + k] * m[j * size + k];
      m[i * size + j] = i == j ? std::sqrt(std::max(sum, floor)) : sum / m[j * size + j];
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k < i; ++k) p[i] -= m[i * size + k] * p[k];
    p[i] /= m[i * size + i];
  }
  for (std::size_t i = size; i-- > 0;) {
    for (std::size_t k = i + 1; k < size; ++k) p[i] -= m[k * size + i] * p[k];
    p[i] /= m[i * size + i];
  }
}

}  // namespace

std::size_t SimplexQp::slot(int p, int q) {
  return triangle(at(std::max(p, q))) + at(std::min(p, q));
}

double SimplexQp::value() const {
  double sum = 0.0;
  for (int p = 0; p < size(); ++p) sum += 0.5 * x(p) * (linear(p) + gradient(p));
  return sum;
}

void SimplexQp::append(double b, std::span<const double> products) {
  b_.push_back(b);
  x_.push_back(b_.size() == 1 ? 1.0 : 0.0);
  q_.insert(q_.end(), products.begin(), products.end());
  gradient_.push_back(b);
  for (int q = 0; q < size(); ++q) gradient_.back() -= product(size() - 1, q) * x(q);
}

void SimplexQp::keep(const std::vector<bool>& kept) {
  SimplexQp smaller;
  std::vector<int> survivors;
  for (int p = 0; p < size(); ++p) {
    if (!kept[at(p)]) continue;
    survivors.push_back(p);
    smaller.b_.push_back(linear(p));
    smaller.x_.push_back(x(p));
    smaller.gradient_.push_back(gradient(p));
    for (const int q : survivors) smaller.q_.push_back(product(p, q));
  }
  *this = std::move(smaller);
}

void SimplexQp::put(std::span<const double> x) {
  std::copy(x.begin(), x.end(), x_.begin());
  refresh();
}

void SimplexQp::merge(int p, int q) {
  const double total = x(p) + x(q);
  const double share = total > 0.0 ? x(p) / total : 0.5;
  const auto mix = [share](double mine, double other) {
    return share * mine + (1.0 - share) * other;
  };
  const double diagonal = mix(mix(product(p, p), product(p, q)), mix(product(p, q), product(q, q)));
  for (int r = 0; r < size(); ++r) {
    if (r != p) q_[slot(p, r)] = mix(product(p, r), product(q, r));
  }
  q_[slot(p, p)] = diagonal;
  b_[at(p)] = mix(linear(p), linear(q));
  gradient_[at(p)] = mix(gradient(p), gradient(q));
  x_[at(p)] = total;
  x_[at(q)] = 0.0;
  std::vector<bool> kept(x_.size(), true);
  kept[at(q)] = false;
  keep(kept);
}

void SimplexQp::refresh() {
  double sum = 0.0;
  for (const double x : x_) sum += x;
  for (double& x : x_) x /= sum;
  for (int p = 0; p < size(); ++p) {
    gradient_[at(p)] = linear(p);
    for (int q = 0; q < size(); ++q) {
      if (x(q) > 0.0) gradient_[at(p)] -= product(p, q) * x(q);
    }
  }
}

int SimplexQp::best() const {
  return static_cast<int>(std::max_element(gradient_.begin(), gradient_.end()) - gradient_.begin());
}

double SimplexQp::spread(int s) const {
  double smallest = gradient(s);
  for (int p = 0; p < size(); ++p) {
    if (x(p) > 0.0) smallest = std::min(smallest, gradient(p));
  }
  return gradient(s) - smallest;
}

void SimplexQp::solve(double tolerance) {
  refresh();
  for (int step = kStepsPerCoordinate * (size() + 1); step > 0; --step) {
    const int s = best();
    if (spread(s) <= tolerance) return;
    const bool gained = (x(s) > 0.0 && face_step()) || pair_step(s);
    if (!gained) return;
  }
}

bool SimplexQp::pair_step(int s) {
  int partner = -1;
  double most_gained = 0.0;
  double best_gamma = 0.0;
  for (int a = 0; a < size(); ++a) {
    if (a == s || x(a) == 0.0) continue;
    const double norm = product(s, s) - 2.0 * product(s, a) + product(a, a);
    const Ascent line{gradient(s) - gradient(a), std::max(0.0, norm), {}};
    const double gamma = exact_line_search(line, x(a));
    if (line.gain(gamma) > most_gained) {
      partner = a;
      most_gained = line.gain(gamma);
      best_gamma = gamma;
    }
  }
  if (partner < 0) return false;
  face_ = {s, partner};
  direction_ = {1.0, -1.0};
  follow(best_gamma);
  return true;
}

/// With r the last of the face and p_r = -(sum of the others), the best p over the face's plane
/// solves M p = h for M_jk = Q_jk - Q_jr - Q_rk + Q_rr and h_j = gradient_j - gradient_r.
void SimplexQp::find_face_direction() {
  face_.clear();
  for (int p = 0; p < size(); ++p) {
    if (x(p) > 0.0) face_.push_back(p);
  }
  const auto heaviest =
      std::max_element(face_.begin(), face_.end(), [this](int p, int q) { return x(p) < x(q); });
  std::swap(*heaviest, face_.back());
  const std::size_t size = face_.size() - 1;
  const int r = face_.back();
  direction_.resize(face_.size());
  factor_.resize(size * size);
  double largest = 0.0;
  for (std::size_t j = 0; j < size; ++j) {
    direction_[j] = gradient(face_[j]) - gradient(r);
    for (std::size_t k = 0; k <= j; ++k) {
      factor_[j * size + k] =
          product(face_[j], face_[k]) - product(face_[j], r) - product(face_[k], r) + product(r, r);
    }
    largest = std::max(largest, factor_[j * size + j]);
  }
  const double ridge = std::max(kRidge * largest, std::numeric_limits<double>::min());
  for (std::size_t j = 0; j < size; ++j) factor_[j * size + j] += ridge;
  solve_symmetric(factor_, size, ridge, direction_.data());
  direction_.back() = 0.0;
  for (std::size_t j = 0; j < size; ++j) direction_.back() -= direction_[j];
}

bool SimplexQp::face_step() {
  find_face_direction();
  Ascent line;
  double largest = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < face_.size(); ++j) {
    const double p = direction_[j];
    line.slope += gradient(face_[j]) * p;
    if (p < 0.0) largest = std::min(largest, x(face_[j]) / -p);
    for (std::size_t k = 0; k < face_.size(); ++k) {
      line.curvature += p * direction_[k] * product(face_[j], face_[k]);
    }
  }
  line.curvature = std::max(0.0, line.curvature);
  if (!std::isfinite(line.slope) || !std::isfinite(largest)) return false;
  const double gamma = exact_line_search(line, largest);
  if (!(line.gain(gamma) > 0.0)) return false;
  follow(gamma);
  return true;
}

/// Goes along direction_ over face_; a coordinate that stops the step becomes exactly 0.
void SimplexQp::follow(double gamma) {
  for (std::size_t j = 0; j < face_.size(); ++j) {
    double& here = x_[at(face_[j])];
    const bool is_used_up = direction_[j] < 0.0 && here / -direction_[j] <= gamma;
    here = is_used_up ? 0.0 : here + gamma * direction_[j];
  }
  for (int p = 0; p < size(); ++p) {
    double change = 0.0;
    for (std::size_t j = 0; j < face_.size(); ++j) change += direction_[j] * product(p, face_[j]);
    gradient_[at(p)] -= gamma * change;
  }
}

void SimplexQp::save(StateWriter& out) const {
  for (const std::vector<double>* values : {&b_, &x_, &gradient_, &q_}) out.f64s(*values);
}

void SimplexQp::load(StateReader& in) {
  constexpr double kMostDrift = 1e-6;
  for (std::vector<double>* values : {&b_, &x_, &gradient_, &q_}) *values = in.finite_values();
  in.require(
      x_.size() == b_.size() && gradient_.size() == b_.size() && q_.size() == triangle(b_.size()),
      "a quadratic problem whose sizes do not fit");
  double sum = 0.0;
  for (const double x : x_) {
    in.require(x >= -kMostDrift, "a plane with a negative weight");
    sum += x;
  }
  in.require(x_.empty() || std::abs(sum - 1.0) <= kMostDrift,
             "planes whose weights do not sum to 1");
}

}  // namespace gapwise::internal
