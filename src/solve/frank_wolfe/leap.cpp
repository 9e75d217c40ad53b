#include "solve/frank_wolfe/leap.h"

#include <algorithm>

#include "solve/frank_wolfe/corner_states.h"

namespace gapwise::internal {
namespace {

/// No step along a pass is longer than so many times the pass.
constexpr double kLongest = 50.0;
/// Weights below this are what rounding left of zero.
constexpr double kNoWeight = 1e-15;

/// Where a step of gamma leads the weights of one block; returns whether some had to be clipped.
bool aim(std::span<const double> alpha, const double* marked, double gamma, double* target) {
  bool is_clipped = false;
  double before = 0.0;
  double after = 0.0;
  for (std::size_t p = 0; p < alpha.size(); ++p) {
    const double aimed = alpha[p] + gamma * (alpha[p] - marked[p]);
    is_clipped = is_clipped || aimed < 0.0;
    target[p] = std::max(0.0, aimed);
    before += alpha[p];
    after += target[p];
  }
  if (!is_clipped) return false;
  // Back to the old sum, not to 1: otherwise w would drift away from the weights.
  for (std::size_t p = 0; p < alpha.size(); ++p) target[p] *= before / after;
  return true;
}

}  // namespace

void Leap::mark(const DualPoint& point) {
  v_mark_.assign(point.v().begin(), point.v().end());
  ell_mark_ = point.ell();
  stretch_ = 1.0;
}

void Leap::mark(const DualPoint& point, std::vector<CornerSet>& corners) {
  mark(point);
  for (CornerSet& set : corners) set.mark_alpha();
}

bool Leap::make(Oracle& oracle, DualPoint& point, std::vector<CornerSet>& corners) {
  if (is_stretched()) {
    rebuild_from_corners(oracle, corners, point);
    mark(point, corners);
    return false;
  }
  of_sets_.fill(corners);
  BlockState cut;
  const auto add = [&](Index i, std::span<const double> amounts, MutableWeights change) {
    corners[static_cast<std::size_t>(i)].combine(amounts, cut.parts, cut.loss);
    oracle.scatter(i, cut.parts, point.scale(), change);
    return cut.loss;
  };
  const bool has_moved = make(point, of_sets_, add);
  of_sets_.write(corners);
  return has_moved;
}

bool Leap::make(DualPoint& point, AlphaTable& table, const Add& add) {
  const Weights v = point.v();
  change_.resize(v.size());
  for (std::size_t j = 0; j < v.size(); ++j) change_[j] = v[j] - v_mark_[j];
  ell_change_ = point.ell() - ell_mark_;
  const double gamma = exact_line_search(point.along(change_, ell_change_, kLongest), kLongest);
  for (double& x : change_) x *= gamma;
  ell_change_ *= gamma;

  // Blocks in which a weight would turn negative go to the nearest that they can.
  double cut_loss = 0.0;
  for (const Index i : table.blocks()) {
    const std::span<const double> alpha(table.alpha(i), table.lanes(i));
    const double* const marked = table.marked(i);
    target_.resize(alpha.size());
    if (!aim(alpha, marked, gamma, target_.data())) continue;
    for (std::size_t p = 0; p < alpha.size(); ++p) {
      target_[p] -= alpha[p] + gamma * (alpha[p] - marked[p]);
    }
    cut_loss += add(i, target_, change_);
  }
  ell_change_ += cut_loss / point.n();
  const double rest = exact_line_search(point.along(change_, ell_change_, 1.0));
  for (double& x : change_) x *= rest;
  ell_change_ *= rest;

  v_mark_.assign(v.begin(), v.end());
  ell_mark_ = point.ell();
  for (const Index i : table.blocks()) {
    const std::span<double> alpha(table.alpha(i), table.lanes(i));
    double* const marked = table.marked(i);
    target_.resize(alpha.size());
    aim(alpha, marked, gamma, target_.data());
    for (std::size_t p = 0; p < alpha.size(); ++p) {
      const double after = alpha[p] + rest * (target_[p] - alpha[p]);
      marked[p] = alpha[p];
      alpha[p] = after > kNoWeight ? after : 0.0;
    }
  }
  stretch_ *= std::max(1.0, gamma * rest);
  if (rest == 0.0 || gamma == 0.0) return false;
  point.shift(change_, ell_change_);
  return true;
}

}  // namespace gapwise::internal
