#include "solve/frank_wolfe/block_dual.h"

#include <algorithm>

namespace gapwise::internal {

void BlockDual::start(Oracle& oracle, Index i, CornerSet& corners, std::span<const double> scores) {
  oracle_ = &oracle;
  i_ = i;
  corners_ = &corners;
  corners.violations(scores, h_);
  change_.assign(h_.size(), 0.0);
  has_moved_ = has_moved_point_ = false;
}

void BlockDual::finish(double gain, Parts& parts, double& loss) {
  corners_->combine(change_, parts, loss);
  if (!has_moved_point_) point_.apply(*oracle_, i_, parts, loss, 1.0, gain);
}

int BlockDual::best() const {
  return static_cast<int>(std::max_element(h_.begin(), h_.end()) - h_.begin());
}

int BlockDual::worst() const {
  int lowest = -1;
  for (int p = 0; p < corners_->size(); ++p) {
    if (corners_->alpha(p) > 0.0 && (lowest < 0 || violation(p) < violation(lowest))) lowest = p;
  }
  return lowest;
}

double BlockDual::mean_violation() const {
  double sum = 0.0;
  for (int p = 0; p < corners_->size(); ++p) {
    if (corners_->alpha(p) != 0.0) sum += corners_->alpha(p) * violation(p);
  }
  return sum;
}

void BlockDual::find_parts(int s, int a) {
  line_alpha_.resize(h_.size());
  for (int p = 0; p < corners_->size(); ++p) {
    const double to = s == kBlock ? corners_->alpha(p) : p == s ? 1.0 : 0.0;
    const double from = a == kBlock ? corners_->alpha(p) : p == a ? 1.0 : 0.0;
    line_alpha_[static_cast<std::size_t>(p)] = to - from;
  }
  corners_->combine(line_alpha_, line_.parts, line_.loss);
}

BlockDual::Move BlockDual::search(int s, int a, double slope, double curvature, double largest) {
  line_.slope = slope;
  line_.curvature = curvature;
  if (point_.is_constrained()) {
    find_parts(s, a);
    point_.bend(*oracle_, i_, largest, line_);
  }
  const double gamma = exact_line_search(line_, largest);
  return {gamma, line_.gain(gamma), gamma == largest};
}

BlockDual::Move BlockDual::pair(int s, int a) {
  const double norm = product(s, s) - 2.0 * product(s, a) + product(a, a);
  return search(s, a, pairwise_gap(s, a), std::max(0.0, norm) * scale_ / n_, corners_->alpha(a));
}

double BlockDual::product_with_block(int p) {
  double sum = 0.0;
  for (int q = 0; q < corners_->size(); ++q) {
    if (corners_->alpha(q) != 0.0) sum += corners_->alpha(q) * product(p, q);
  }
  return sum;
}

double BlockDual::curvature_toward(int s) {
  double block_norm = 0.0;
  for (int p = 0; p < corners_->size(); ++p) {
    if (corners_->alpha(p) != 0.0) block_norm += corners_->alpha(p) * product_with_block(p);
  }
  const double norm = product(s, s) - 2.0 * product_with_block(s) + block_norm;
  return std::max(0.0, norm) * scale_ / n_;
}

BlockDual::Move BlockDual::toward(int s) {
  return search(s, kBlock, gap(s), curvature_toward(s), 1.0);
}

BlockDual::Move BlockDual::from(int a) {
  // Not 1 - alpha_a: rounding could leave that positive where nothing else carries weight.
  double others = 0.0;
  for (int p = 0; p < corners_->size(); ++p) {
    if (p != a) others += corners_->alpha(p);
  }
  const double largest = others > 0.0 ? corners_->alpha(a) / others : 0.0;
  return search(kBlock, a, -gap(a), curvature_toward(a), largest);
}

void BlockDual::shift(int p, double amount) {
  corners_->set_alpha(p, corners_->alpha(p) + amount);
  change_[static_cast<std::size_t>(p)] += amount;
  has_moved_ = true;
}

void BlockDual::follow_pair(int s, int a, const Move& move) {
  shift(s, move.gamma);
  shift(a, -move.gamma);
  if (move.is_longest) corners_->set_alpha(a, 0.0);  // a drop step, without a remainder
}

void BlockDual::update_violations(int s, int a, const Move& move) {
  if (point_.is_constrained()) {
    point_.apply(*oracle_, i_, line_.parts, line_.loss, move.gamma, move.gain);
    has_moved_point_ = true;
    corners_->score(*oracle_, i_, point_.w(), scores_);
    return corners_->violations(scores_, h_);
  }
  for (int p = 0; p < corners_->size(); ++p) {
    h_[static_cast<std::size_t>(p)] -= move.gamma * scale_ * (product(p, s) - product(p, a));
  }
}

void BlockDual::follow_toward(int s, double gamma) {
  with_block_.resize(h_.size());
  for (int p = 0; p < corners_->size(); ++p) {
    with_block_[static_cast<std::size_t>(p)] = product(p, s) - product_with_block(p);
  }
  for (std::size_t p = 0; p < h_.size(); ++p) h_[p] -= gamma * scale_ * with_block_[p];
  for (int p = 0; p < corners_->size(); ++p) {
    const double alpha = corners_->alpha(p);
    if (alpha != 0.0) shift(p, -gamma * alpha);
    if (gamma == 1.0) corners_->set_alpha(p, 0.0);
  }
  shift(s, gamma);
}

void BlockDual::follow_from(int a, double gamma, bool drops) {
  follow_toward(a, -gamma);
  if (drops) corners_->set_alpha(a, 0.0);
}

double BlockDual::frank_wolfe_step(int s) {
  const Move move = toward(s);
  if (move.gamma == 0.0) return 0.0;
  follow_toward(s, move.gamma);
  return move.gain;
}

double BlockDual::fixed_step(int s, double gamma) {
  toward(s);  // for its line
  follow_toward(s, gamma);
  return line_.gain(gamma);
}

double BlockDual::pairwise_step(int s, int a) {
  if (s == a) return 0.0;
  const Move move = pair(s, a);
  if (move.gamma == 0.0) return 0.0;
  follow_pair(s, a, move);
  return move.gain;
}

double BlockDual::away_step(int a) {
  const Move move = from(a);
  if (move.gamma == 0.0) return 0.0;
  follow_from(a, move.gamma, move.is_longest);
  return move.gain;
}

double BlockDual::frank_wolfe_or_away_step(int s, int a) {
  return toward(s).gain >= from(a).gain ? frank_wolfe_step(s) : away_step(a);
}

int BlockDual::best_partner(int s) {
  int partner = -1;
  double most_gained = 0.0;
  for (int a = 0; a < corners_->size(); ++a) {
    if (a == s || corners_->alpha(a) == 0.0) continue;
    const double gain = pair(s, a).gain;
    if (gain > most_gained) {
      partner = a;
      most_gained = gain;
    }
  }
  return partner;
}

double BlockDual::corrective_steps(int most, double tolerance, Partner partner) {
  double gained = 0.0;
  for (int step = 0; step < most; ++step) {
    const int s = best();
    if (pairwise_gap(s, worst()) <= tolerance) break;
    const int a = partner == Partner::kBest ? best_partner(s) : worst();
    if (a < 0) break;
    const Move move = pair(s, a);
    if (move.gain <= 0.0) break;
    follow_pair(s, a, move);
    update_violations(s, a, move);
    gained += move.gain;
  }
  return gained;
}

}  // namespace gapwise::internal
