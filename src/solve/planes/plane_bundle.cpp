#include "solve/planes/plane_bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/sums.h"
#include "gapwise/errors.h"
#include "solve/oldest_unused.h"

namespace gapwise::internal {
namespace {

/// Planes that had no weight for so many new ones are forgotten, as in SVM-struct.
constexpr Index kPatience = 50;
/// Newton steps per solve, at the most; where signs settle, few are needed.
constexpr int kMostNewtonSteps = 100;

double dot_sparse(const std::vector<std::uint32_t>& ids, const std::vector<double>& values,
                  Weights dense) {
  double sum = 0.0;
  for (std::size_t j = 0; j < ids.size(); ++j) sum += values[j] * dense[ids[j]];
  return sum;
}

}  // namespace

PlaneBundle::PlaneBundle(Index dimension, double lambda, Index most, NonnegativeSet nonnegative)
    : lambda_(lambda), most_(static_cast<std::size_t>(most)), nonnegative_(std::move(nonnegative)) {
  if (dimension > static_cast<Index>(std::numeric_limits<std::uint32_t>::max())) {
    throw OptionError(fmt::format(
        "solvers that keep planes number weights with 32 bits, and there are {}; use another one",
        dimension));
  }
  w_.resize(static_cast<std::size_t>(dimension), 0.0);
  master_.append(0.0, std::vector<double>{0.0});
}

double PlaneBundle::model() const {
  if (!nonnegative_.is_empty()) {
    const std::vector<double> h = violations();
    return *std::max_element(h.begin(), h.end());
  }
  double highest = 0.0;
  for (int p = 0; p < master_.size(); ++p) highest = std::max(highest, master_.gradient(p));
  return highest;
}

void PlaneBundle::add(Weights a, double b, double tolerance) {
  ++now_;
  forget();
  make_room();
  Plane plane;
  plane.last_used = now_;
  const auto touched = static_cast<std::size_t>(
      std::count_if(a.begin(), a.end(), [](double x) { return x != 0.0; }));
  plane.ids.reserve(touched);
  plane.values.reserve(touched);
  for (std::size_t j = 0; j < a.size(); ++j) {
    if (a[j] == 0.0) continue;
    plane.ids.push_back(static_cast<std::uint32_t>(j));
    plane.values.push_back(a[j]);
  }
  std::vector<double> products{0.0};
  for (const Plane& other : planes_) {
    products.push_back(dot_sparse(other.ids, other.values, a) / lambda_);
  }
  products.push_back(dot_sparse(plane.ids, plane.values, a) / lambda_);
  planes_.push_back(std::move(plane));
  master_.append(b, products);
  if (nonnegative_.is_empty()) {
    master_.solve(tolerance);
  } else {
    solve_constrained(tolerance);
  }
  move_to_optimum();
}

std::vector<double> PlaneBundle::violations() const {
  std::vector<double> h{0.0};
  for (std::size_t k = 0; k < planes_.size(); ++k) {
    h.push_back(master_.linear(variable(k)) - dot_sparse(planes_[k].ids, planes_[k].values, w_));
  }
  return h;
}

void PlaneBundle::combine(std::span<const double> x, WeightVector& v) const {
  v.assign(w_.size(), 0.0);
  for (std::size_t k = 0; k < planes_.size(); ++k) {
    const double factor = x[k + 1] / lambda_;
    if (factor == 0.0) continue;
    const Plane& plane = planes_[k];
    for (std::size_t j = 0; j < plane.ids.size(); ++j) v[plane.ids[j]] += factor * plane.values[j];
  }
}

void PlaneBundle::move_to_optimum() {
  combine(master_.x(), w_);
  nonnegative_.truncate(w_, w_);
  double ell = 0.0;
  for (std::size_t k = 0; k < planes_.size(); ++k) {
    if (weight(k) == 0.0) continue;
    planes_[k].last_used = now_;
    ell += weight(k) * master_.linear(variable(k));
  }
  dual_ = ell - 0.5 * lambda_ * squared_norm(w_);
}

void PlaneBundle::solve_constrained(double tolerance) {
  for (int step = 0; step < kMostNewtonSteps && newton_step(tolerance); ++step) {
  }
}

/// False if there was nothing left to gain.
bool PlaneBundle::newton_step(double tolerance) {
  std::vector<double> x(master_.x().begin(), master_.x().end());
  combine(x, v_);
  w_ = v_;
  nonnegative_.truncate(w_, w_);
  const std::vector<double> h = violations();
  double lowest = *std::max_element(h.begin(), h.end());
  const double highest = lowest;
  for (std::size_t p = 0; p < x.size(); ++p) {
    if (x[p] > 0.0) lowest = std::min(lowest, h[p]);
  }
  if (highest - lowest <= tolerance) return false;

  SimplexQp for_signs = problem_for_signs(h);
  for_signs.put(x);
  for_signs.solve(0.5 * tolerance);
  std::vector<double> change;
  Ascent line;
  for (std::size_t p = 0; p < x.size(); ++p) {
    change.push_back(for_signs.x(static_cast<int>(p)) - x[p]);
    line.slope += change[p] * h[p];
  }
  WeightVector v_change;
  combine(change, v_change);
  line.curvature = lambda_ * squared_norm(v_change);
  nonnegative_.bend(v_, v_change, lambda_, 1.0, line);
  const double gamma = exact_line_search(line);
  if (!(line.gain(gamma) > 0.0)) return false;
  for (std::size_t p = 0; p < x.size(); ++p) x[p] = std::max(0.0, x[p] + gamma * change[p]);
  master_.put(x);
  return true;
}

SimplexQp PlaneBundle::problem_for_signs(const std::vector<double>& h) const {
  std::vector<std::uint32_t> truncated;
  nonnegative_.for_each([&](std::size_t j) {
    if (v_[j] < 0.0) truncated.push_back(static_cast<std::uint32_t>(j));
  });
  std::vector<std::vector<double>> rows(1, std::vector<double>(truncated.size(), 0.0));
  for (const Plane& plane : planes_) {
    std::vector<double>& row = rows.emplace_back(truncated.size(), 0.0);
    auto at = plane.ids.begin();
    for (std::size_t t = 0; t < truncated.size(); ++t) {
      at = std::lower_bound(at, plane.ids.end(), truncated[t]);
      if (at == plane.ids.end()) break;
      if (*at == truncated[t])
        row[t] = plane.values[static_cast<std::size_t>(at - plane.ids.begin())];
    }
  }
  const auto product = [&](int p, int q) {
    const std::vector<double>& a = rows[static_cast<std::size_t>(p)];
    const std::vector<double>& b = rows[static_cast<std::size_t>(q)];
    return master_.product(p, q) - std::inner_product(a.begin(), a.end(), b.begin(), 0.0) / lambda_;
  };
  SimplexQp problem;
  std::vector<double> products;
  for (int p = 0; p < master_.size(); ++p) {
    // The linear term that makes h the gradient at the x of now.
    double linear = h[static_cast<std::size_t>(p)];
    products.clear();
    for (int q = 0; q < master_.size(); ++q) {
      const double found = product(p, q);
      linear += found * master_.x(q);
      if (q <= p) products.push_back(found);
    }
    problem.append(linear, products);
  }
  return problem;
}

void PlaneBundle::forget() {
  std::vector<bool> kept(planes_.size());
  for (std::size_t k = 0; k < planes_.size(); ++k) {
    kept[k] = weight(k) > 0.0 || now_ - planes_[k].last_used <= kPatience;
  }
  drop(kept);
}

void PlaneBundle::make_room() {
  while (planes_.size() >= most_) {
    const auto kept = all_but_oldest_unused(
        planes_.size(), [this](std::size_t k) { return weight(k); },
        [this](std::size_t k) { return planes_[k].last_used; });
    if (kept) {
      drop(*kept);
    } else {
      merge_two_lightest();
    }
  }
}

void PlaneBundle::drop(const std::vector<bool>& kept) {
  if (std::find(kept.begin(), kept.end(), false) == kept.end()) return;
  std::vector<bool> kept_variables{true};
  kept_variables.insert(kept_variables.end(), kept.begin(), kept.end());
  master_.keep(kept_variables);
  std::size_t count = 0;
  for (std::size_t k = 0; k < planes_.size(); ++k) {
    if (!kept[k]) continue;
    if (count != k) planes_[count] = std::move(planes_[k]);
    ++count;
  }
  planes_.resize(count);
}

/// Their mean is as valid a plane as they are, and neither x nor w nor the dual changes.
void PlaneBundle::merge_two_lightest() {
  std::vector<std::size_t> order(planes_.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::partial_sort(order.begin(), order.begin() + 2, order.end(), [this](auto p, auto q) {
    return weight(p) != weight(q) ? weight(p) < weight(q) : p < q;
  });
  const std::size_t into = std::min(order[0], order[1]);
  const std::size_t gone = std::max(order[0], order[1]);
  const double share = weight(into) / (weight(into) + weight(gone));
  const Plane& a = planes_[into];
  const Plane& b = planes_[gone];
  Plane mixture;
  mixture.last_used = std::max(a.last_used, b.last_used);
  std::size_t p = 0;
  std::size_t q = 0;
  while (p < a.ids.size() || q < b.ids.size()) {
    const bool has_a = q == b.ids.size() || (p < a.ids.size() && a.ids[p] <= b.ids[q]);
    const bool has_b = p == a.ids.size() || (q < b.ids.size() && b.ids[q] <= a.ids[p]);
    mixture.ids.push_back(has_a ? a.ids[p] : b.ids[q]);
    mixture.values.push_back((has_a ? share * a.values[p] : 0.0) +
                             (has_b ? (1.0 - share) * b.values[q] : 0.0));
    p += has_a;
    q += has_b;
  }
  master_.merge(variable(into), variable(gone));
  planes_[into] = std::move(mixture);
  planes_.erase(planes_.begin() + static_cast<std::ptrdiff_t>(gone));
}

Index PlaneBundle::active() const {
  Index count = 0;
  for (std::size_t k = 0; k < planes_.size(); ++k) count += weight(k) > 0.0;
  return count;
}

std::size_t PlaneBundle::bytes() const {
  std::size_t sum = 0;
  for (const Plane& plane : planes_) {
    sum += plane.ids.size() * sizeof(std::uint32_t) + plane.values.size() * sizeof(double);
  }
  return sum;
}

void PlaneBundle::save(StateWriter& out) const {
  out.count(planes_.size());
  for (const Plane& plane : planes_) {
    out.ascending(std::vector<Index>(plane.ids.begin(), plane.ids.end()));
    out.raw(plane.values.data(), plane.values.size() * sizeof(double));
    out.count(plane.last_used);
  }
  master_.save(out);
  out.weights(w_);
  out.f64(dual_);
  out.count(now_);
}

void PlaneBundle::load(StateReader& in) {
  planes_.clear();
  const Index most = static_cast<Index>(most_);
  for (Index left = in.count_up_to(most); left > 0; --left) {
    Plane plane;
    const std::size_t size = in.size(1 + sizeof(double));
    for (const Index j : in.ascending(size, std::ssize(w_))) {
      plane.ids.push_back(static_cast<std::uint32_t>(j));
    }
    for (std::size_t k = 0; k < size; ++k) plane.values.push_back(in.finite());
    plane.last_used = in.count();
    planes_.push_back(std::move(plane));
  }
  master_.load(in);
  in.require(master_.size() == variable(planes_.size()), "planes and other weights than theirs");
  in.weights(w_);
  dual_ = in.finite();
  now_ = in.count();
}

}  // namespace gapwise::internal
