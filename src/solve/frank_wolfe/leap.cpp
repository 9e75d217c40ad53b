#include "solve/frank_wolfe/leap.h"

#include <algorithm>

#include "solve/frank_wolfe/corner_states.h"

namespace gapwise::internal {
namespace {

/// No step along a pass is longer than so many times the pass.
constexpr double kLongest = 50.0;
/// Weights below this are what rounding left of zero.
constexpr double kNoWeight = 1e-15;

}  // namespace

void Leap::mark(const DualPoint& point, std::vector<CornerSet>& corners) {
  v_mark_.assign(point.v().begin(), point.v().end());
  ell_mark_ = point.ell();
  stretch_ = 1.0;
  for (CornerSet& set : corners) set.mark_alpha();
}

double Leap::longest_step(const CornerSet& set, double gamma) const {
  for (int p = 0; p < set.size(); ++p) {
    const double change = set.alpha(p) - set.marked_alpha(p);
    if (change < 0.0) gamma = std::min(gamma, set.alpha(p) / -change);
  }
  return gamma;
}

bool Leap::make(Oracle& oracle, DualPoint& point, std::vector<CornerSet>& corners) {
  if (stretch_ > kMostStretch) {
    rebuild_from_corners(oracle, corners, point);
    mark(point, corners);
    return false;
  }
  const Weights v = point.v();
  const auto n = static_cast<double>(corners.size());
  change_.resize(v.size());
  for (std::size_t j = 0; j < v.size(); ++j) change_[j] = v[j] - v_mark_[j];
  ell_change_ = point.ell() - ell_mark_;
  const double gamma = exact_line_search(point.along(change_, ell_change_, kLongest), kLongest);
  for (double& x : change_) x *= gamma;
  ell_change_ *= gamma;

  // Blocks in which a weight would turn negative go only as far as they can.
  steps_.resize(corners.size());
  std::vector<double> weights;
  BlockState cut;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const CornerSet& set = corners[i];
    steps_[i] = longest_step(set, gamma);
    if (steps_[i] == gamma) continue;
    weights.clear();
    for (int p = 0; p < set.size(); ++p) {
      weights.push_back((steps_[i] - gamma) * (set.alpha(p) - set.marked_alpha(p)));
    }
    set.combine(weights, cut.parts, cut.loss);
    oracle.scatter(static_cast<Index>(i), cut.parts, point.scale(), change_);
    ell_change_ += cut.loss / n;
  }
  const double rest = exact_line_search(point.along(change_, ell_change_, 1.0));
  for (double& x : change_) x *= rest;
  ell_change_ *= rest;

  v_mark_.assign(v.begin(), v.end());
  ell_mark_ = point.ell();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    CornerSet& set = corners[i];
    for (int p = 0; p < set.size(); ++p) {
      const double before = set.alpha(p);
      const double after = before + rest * steps_[i] * (before - set.marked_alpha(p));
      set.mark_alpha(p);
      set.set_alpha(p, after > kNoWeight ? after : 0.0);
    }
  }
  stretch_ *= std::max(1.0, gamma * rest);
  if (rest == 0.0 || gamma == 0.0) return false;
  point.shift(change_, ell_change_);
  return true;
}

}  // namespace gapwise::internal
