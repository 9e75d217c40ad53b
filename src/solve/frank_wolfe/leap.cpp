#include "solve/frank_wolfe/leap.h"

#include <algorithm>

#include "solve/frank_wolfe/corner_states.h"

namespace gapwise::internal {
namespace {

/// No step along a pass is longer than so many times the pass.
constexpr double kLongest = 50.0;

}  // namespace

void Leap::mark(Weights v, double ell) {
  v_mark_.assign(v.begin(), v.end());
  ell_mark_ = ell;
  stretch_ = 1.0;
}

void Leap::mark(const DualPoint& point, std::vector<CornerSet>& corners) {
  mark(point.v(), point.ell());
  for (CornerSet& set : corners) set.mark_alpha();
}

template <class Point>
bool Leap::make(Point&& point, AlphaTable& table, const Add& add) {
  const Weights v = point.v();
  change_.resize(v.size());
  for (std::size_t j = 0; j < v.size(); ++j) change_[j] = v[j] - v_mark_[j];
  ell_change_ = point.ell() - ell_mark_;
  const double gamma = exact_line_search(point.along(change_, ell_change_, kLongest), kLongest);
  for (double& x : change_) x *= gamma;
  ell_change_ *= gamma;

  // Blocks in which a weight would turn negative go to the nearest that they can.
  table.aim(gamma);
  double cut_loss = 0.0;
  for (const Index i : table.blocks()) {
    if (table.clip(i, cut_)) cut_loss += add(i, cut_, change_);
  }
  ell_change_ += cut_loss / point.n();
  const double rest = exact_line_search(point.along(change_, ell_change_, 1.0));
  for (double& x : change_) x *= rest;
  ell_change_ *= rest;

  v_mark_.assign(v.begin(), v.end());
  ell_mark_ = point.ell();
  table.advance(rest);
  stretch_ *= std::max(1.0, gamma * rest);
  if (rest == 0.0 || gamma == 0.0) return false;
  point.shift(change_, ell_change_);
  return true;
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

template bool Leap::make(RecordPoint&&, AlphaTable&, const Add&);

void Leap::save(StateWriter& out) const {
  out.count(v_mark_.size());
  out.weights(v_mark_);
  out.f64(ell_mark_);
  out.f64(stretch_);
}

void Leap::load(StateReader& in) {
  v_mark_.resize(static_cast<std::size_t>(in.count_up_to(in.problem().dimension())));
  in.weights(v_mark_);
  ell_mark_ = in.finite();
  stretch_ = in.finite();
}

}  // namespace gapwise::internal
