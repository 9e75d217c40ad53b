#include "solve/squared/squared_block_dual.h"

#include <limits>

namespace gapwise::internal {

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

double SquaredBlockDual::set(int p, double after) {
  const double moved = after - corners_->alpha(p);
  corners_->set_alpha(p, after);
  change_[static_cast<std::size_t>(p)] += moved;
  sum_ += moved;
  has_moved_ = true;
  return moved;
}

double SquaredBlockDual::update(int p) {
  const double slope = excess(p);
  const double before = corners_->alpha(p);
  if (slope == 0.0 || (slope < 0.0 && before == 0.0)) return 0.0;
  if (point_.is_constrained()) return update_constrained(p);
  const double curvature = product(p, p) * scale_ + 0.5;
  const double moved = set(p, std::max(0.0, before + slope / curvature));
  for (int q = 0; q < size(); ++q) {
    h_[static_cast<std::size_t>(q)] -= moved * scale_ * product(q, p);
  }
  return moved * (slope - 0.5 * moved * curvature) / n_;
}

double SquaredBlockDual::update_constrained(int p) {
  const double sign = excess(p) > 0.0 ? 1.0 : -1.0;
  const double largest = sign > 0.0 ? std::numeric_limits<double>::infinity() : corners_->alpha(p);
  unit_.assign(h_.size(), 0.0);
  unit_[static_cast<std::size_t>(p)] = sign;
  corners_->combine(unit_, line_.parts, line_.loss);
  line_.slope = sign * excess(p) / n_;
  line_.curvature = (product(p, p) * scale_ + 0.5) / n_;
  point_.bend(*oracle_, i_, largest, line_);
  const double gamma = exact_line_search(line_, largest);
  if (gamma == 0.0) return 0.0;
  const double gain = line_.gain(gamma);
  const double before = sum_;
  set(p, gamma == largest ? 0.0 : corners_->alpha(p) + sign * gamma);
  // The square of s makes ell no line.
  line_.parts.scale(gamma);
  line_.loss = gamma * line_.loss - 0.25 * (sum_ * sum_ - before * before);
  point_.apply(*oracle_, i_, line_.parts, line_.loss, 1.0, gain);
  corners_->score(*oracle_, i_, point_.w(), scores_);
  corners_->violations(scores_, h_);
  return gain;
}

void SquaredBlockDual::finish(double gain, Parts& parts, double& loss) {
  corners_->combine(change_, parts, loss);
  loss -= 0.25 * (sum_ * sum_ - start_sum_ * start_sum_);
  if (!point_.is_constrained()) point_.apply(*oracle_, i_, parts, loss, 1.0, gain);
}

}  // namespace gapwise::internal
