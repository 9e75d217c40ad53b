#include "solve/squared_block_dual.h"

namespace gapwise {

double squared_block_gap(const CornerSet& corners, std::span<const double> h, double largest) {
  const double mismatch = largest - 0.5 * corners.sum_of_alpha();
  double sum = mismatch * mismatch;
  for (int p = 0; p < corners.size(); ++p) {
    sum += corners.alpha(p) * (largest - h[static_cast<std::size_t>(p)]);
  }
  return sum;
}

void SquaredBlockDual::start(Oracle& oracle, Index i, CornerSet& corners,
                             std::span<const double> scores) {
  oracle_ = &oracle;
  i_ = i;
  corners_ = &corners;
  corners.violations(scores, h_);
  change_.assign(h_.size(), 0.0);
  start_sum_ = sum_ = corners.sum_of_alpha();
  has_moved_ = false;
}

double SquaredBlockDual::update(int p) {
  const double slope = excess(p);
  const double before = corners_->alpha(p);
  if (slope == 0.0 || (slope < 0.0 && before == 0.0)) return 0.0;
  const double curvature = product(p, p) * scale_ + 0.5;
  const double after = std::max(0.0, before + slope / curvature);
  const double moved = after - before;
  corners_->set_alpha(p, after);
  change_[static_cast<std::size_t>(p)] += moved;
  sum_ += moved;
  for (int q = 0; q < size(); ++q) {
    h_[static_cast<std::size_t>(q)] -= moved * scale_ * product(q, p);
  }
  has_moved_ = true;
  return moved * (slope - 0.5 * moved * curvature) / n_;
}

void SquaredBlockDual::total_move(Parts& parts, double& loss) const {
  corners_->combine(change_, parts, loss);
  loss -= 0.25 * (sum_ * sum_ - start_sum_ * start_sum_);
}

}  // namespace gapwise
