#include "solve/dual_state.h"

#include <algorithm>

#include "solve/oracle_team.h"

namespace gapwise {
namespace {

/// Curvatures below this are zero but for rounding: the dual is linear along the direction.
constexpr double kFlat = 1e-300;

}  // namespace

double exact_line_search(const Direction& direction, double largest) {
  if (direction.slope <= 0.0) return 0.0;
  if (direction.curvature <= kFlat || direction.slope >= largest * direction.curvature) {
    return largest;
  }
  return direction.slope / direction.curvature;
}

void DualPoint::rebuild(Oracle& oracle, const std::function<const BlockState&(Index i)>& state_of) {
  std::fill(w_.begin(), w_.end(), 0.0);
  std::vector<double> losses;
  losses.reserve(static_cast<std::size_t>(n_));
  for (Index i = 0; i < static_cast<Index>(n_); ++i) {
    const BlockState& here = state_of(i);
    if (!here.parts.empty()) oracle.scatter(i, here.parts, scale(), w_);
    losses.push_back(here.loss);
  }
  ell_ = ordered_sum(losses) / n_;
  dual_ = ell_ - 0.5 * lambda_ * oracle.squared_length(w_);
}

void DualPoint::save(ByteWriter& out) const {
  out.f64s(w_);
  out.f64(ell_);
  out.f64(dual_);
}

void DualPoint::load(ByteReader& in) {
  in.f64s(w_);
  ell_ = in.f64();
  dual_ = in.f64();
}

double DualState::block_violation(Index i, const PartScores& theta) const {
  return violation(block(i).loss, block(i).parts, theta);
}

void DualState::toward(Oracle& oracle, Index i, const PartScores& theta, const Corner& corner,
                       Direction& out) const {
  const auto n = static_cast<double>(blocks_.size());
  const BlockState& here = block(i);
  subtract(corner.parts, here.parts, out.parts);
  out.loss = corner.loss - here.loss;
  out.slope = violation(out.loss, out.parts, theta) / n;
  // Nobody goes along a direction that does not rise, so its curvature is not worth computing.
  out.curvature = out.slope > 0.0 ? oracle.squared_norm(i, out.parts) * point_.scale() / n : 0.0;
}

void DualState::move(Oracle& oracle, Index i, const Direction& direction, double gamma) {
  BlockState& here = blocks_[static_cast<std::size_t>(i)];
  add_scaled(here.parts, gamma, direction.parts, scratch_);
  std::swap(here.parts, scratch_);
  here.loss += gamma * direction.loss;
  point_.apply(oracle, i, direction.parts, direction.loss, gamma, direction.gain(gamma));
}

void DualState::save(ByteWriter& out) const {
  point_.save(out);
  for (const BlockState& here : blocks_) {
    save_parts(here.parts, out);
    out.f64(here.loss);
  }
}

void DualState::load(ByteReader& in) {
  point_.load(in);
  for (BlockState& here : blocks_) {
    load_parts(in, here.parts);
    here.loss = in.f64();
  }
}

void save_parts(const Parts& parts, ByteWriter& out) {
  out.u64(parts.size());
  for (const Part& part : parts) {
    out.i64(part.id);
    out.f64(part.value);
  }
}

void load_parts(ByteReader& in, Parts& parts) {
  parts.clear();
  for (std::size_t left = in.count(sizeof(Index) + sizeof(double)); left > 0; --left) {
    const Index id = in.i64();
    parts.append(id, in.f64());
  }
}

}  // namespace gapwise
