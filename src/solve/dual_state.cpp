#include "solve/dual_state.h"

#include <algorithm>

#include "solve/oracle_team.h"

namespace gapwise::internal {

DualPoint::DualPoint(Index n, Index dimension, double lambda, NonnegativeSet nonnegative)
    : n_(static_cast<double>(n)),
      lambda_(lambda),
      nonnegative_(std::move(nonnegative)),
      v_(static_cast<std::size_t>(dimension), 0.0),
      w_(is_constrained() ? v_.size() : 0, 0.0),
      scratch_(w_.size(), 0.0) {}

void DualPoint::update_w() {
  if (!is_constrained()) return;
  w_ = v_;
  truncate(w_);
}

Ascent ascent(Weights w, Weights change, double ell_change, double lambda) {
  double inner = 0.0;
  double length = 0.0;
  for (std::size_t j = 0; j < change.size(); ++j) {
    inner += w[j] * change[j];
    length += change[j] * change[j];
  }
  Ascent line;
  line.slope = ell_change - lambda * inner;
  line.curvature = lambda * length;
  return line;
}

Ascent DualPoint::along(Weights change, double ell_change, double largest) const {
  Ascent line = ascent(w(), change, ell_change, lambda_);
  if (is_constrained()) nonnegative_.bend(v_, change, lambda_, largest, line);
  return line;
}

void DualPoint::shift(Weights change, double ell_change) {
  for (std::size_t j = 0; j < v_.size(); ++j) v_[j] += change[j];
  update_w();
  ell_ += ell_change;
  dual_ = ell_ - 0.5 * lambda_ * squared_norm(w());
}

void DualPoint::find_bends(Oracle& oracle, Index i, double largest, Direction& direction) {
  oracle.scatter(i, direction.parts, scale(), scratch_);
  nonnegative_.bend(v_, scratch_, lambda_, largest, direction);
  nonnegative_.clear(scratch_);  // nobody reads the others
}

void DualPoint::rebuild(Oracle& oracle, const std::function<const BlockState&(Index i)>& state_of) {
  std::fill(v_.begin(), v_.end(), 0.0);
  std::vector<double> losses;
  losses.reserve(static_cast<std::size_t>(n_));
  for (Index i = 0; i < static_cast<Index>(n_); ++i) {
    const BlockState& here = state_of(i);
    if (!here.parts.empty()) oracle.scatter(i, here.parts, scale(), v_);
    losses.push_back(here.loss);
  }
  update_w();
  ell_ = ordered_sum(losses) / n_;
  dual_ = ell_ - 0.5 * lambda_ * oracle.squared_length(w());
}

void DualPoint::save(StateWriter& out) const {
  out.weights(v_);
  out.f64(ell_);
  out.f64(dual_);
}

void DualPoint::load(StateReader& in) {
  in.weights(v_);
  update_w();
  ell_ = in.finite();
  dual_ = in.finite();
}

double DualState::block_violation(Index i, const PartScores& theta) const {
  return violation(block(i).loss, block(i).parts, theta);
}

void DualState::toward(Oracle& oracle, Index i, const PartScores& theta, const Corner& corner,
                       Direction& out) {
  const auto n = static_cast<double>(blocks_.size());
  const BlockState& here = block(i);
  subtract(corner.parts, here.parts, out.parts);
  out.loss = corner.loss - here.loss;
  out.slope = violation(out.loss, out.parts, theta) / n;
  // Nobody goes along a direction that does not rise, so its curvature is not worth computing.
  out.curvature = 0.0;
  out.bends.clear();
  if (out.slope <= 0.0) return;
  out.curvature = oracle.squared_norm(i, out.parts) * point_.scale() / n;
  point_.bend(oracle, i, 1.0, out);
}

void DualState::move(Oracle& oracle, Index i, const Direction& direction, double gamma) {
  BlockState& here = blocks_[static_cast<std::size_t>(i)];
  add_scaled(here.parts, gamma, direction.parts, scratch_);
  std::swap(here.parts, scratch_);
  here.loss += gamma * direction.loss;
  point_.apply(oracle, i, direction.parts, direction.loss, gamma, direction.gain(gamma));
}

void DualState::save(StateWriter& out) const {
  point_.save(out);
  for (const BlockState& here : blocks_) {
    out.parts(here.parts);
    out.small(here.loss);
  }
}

void DualState::load(StateReader& in) {
  point_.load(in);
  for (Index i = 0; i < num_blocks(); ++i) {
    BlockState& here = blocks_[static_cast<std::size_t>(i)];
    in.parts(i, here.parts);
    here.loss = in.small();
  }
}

}  // namespace gapwise::internal
