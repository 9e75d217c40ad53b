// What CornerBcfw tells of itself: certificates, results, checkpoints.

#include <algorithm>

#include "solve/average_measure.h"
#include "solve/frank_wolfe/corner_bcfw.h"
#include "solve/frank_wolfe/corner_states.h"

namespace gapwise::internal {

std::string CornerBcfw::decision() const {
  if (!plan_.leaps) return {};
  return std::string(started_from_gap_ ? "probe" : "exact pass") + ", " +
         std::to_string(schedule_.passes()) + " cached passes, " + std::to_string(leaps_) +
         " leaps";
}

Measurement CornerBcfw::gap_pass() {
  const std::vector<BlockState> states = rebuild_from_corners(oracle_, corners_, point_);
  if (plan_.probes) return measure_probe();
  if (averager_.is_on()) return measure_average(context_, averager_, point_);
  MeanViolation mean(context_.n());
  std::vector<double> gaps(corners_.size());
  context_.team.visit_all(point_.w(), [&](Index i, const PartScores& theta, const Corner& corner) {
    const double known = corner.is_exact ? 0.0 : corners(i).best_violation(theta);
    const double found = mean.record(i, theta, corner, known);
    const BlockState& state = states[static_cast<std::size_t>(i)];
    gaps[static_cast<std::size_t>(i)] = found - violation(state.loss, state.parts, theta);
    remember_if_room(i, corner);
  });
  mean.finish();
  for (Index i = 0; i < context_.n(); ++i) {
    const double gap = gaps[static_cast<std::size_t>(i)] / static_cast<double>(context_.n());
    gaps_.record(i, std::max(0.0, gap));
  }
  last_total_gap_ = gaps_.estimate();
  shrinks_below_ = plan_.shrinking * last_total_gap_ / static_cast<double>(context_.n());
  counted_cost_ += static_cast<double>(context_.n()) * context_.problem.oracle_cost();
  const double primal = 0.5 * context_.lambda * squared_norm(point_.w()) + mean.value;
  return {primal, point_.dual(), mean.is_bound};
}

/// Finds corners for the next round and a primal at once.
Measurement CornerBcfw::measure_probe() {
  rounds_.begin(Round::kProbe, now());
  probe_.choose(point_, pass_);
  MeanViolation mean(context_.n());
  context_.team.visit_all(probe_.at(), [&](Index i, const PartScores& theta, const Corner& corner) {
    mean.record(i, theta, corner, corner.is_exact ? 0.0 : corners(i).best_violation(theta));
    remember_if_room(i, corner);
  });
  mean.finish();
  counted_cost_ += static_cast<double>(context_.n()) * context_.problem.oracle_cost();
  probe_.record(0.5 * context_.lambda * squared_norm(probe_.at()) + mean.value, mean.is_bound);
  has_fresh_corners_ = true;
  if (cached_left_ > 0) leap_.mark(point_, corners_);  // the sets have changed
  return {probe_.primal(), point_.dual(), probe_.is_bound()};
}

void CornerBcfw::result(std::vector<double>& w) const {
  if (probe_.has_answer()) {
    w.assign(probe_.w().begin(), probe_.w().end());
  } else if (plan_.probes) {
    w.assign(point_.w().begin(), point_.w().end());
  } else {
    average_at(point_, averager_, w);
  }
}

void CornerBcfw::save(ByteWriter& out) const {
  point_.save(out);
  for (const CornerSet& set : corners_) set.save(out);
  sampler_.save(out);
  gaps_.save(out);
  averager_.save(out);
  out.i64(visits_);
  out.i64(pass_);
  out.i64(cached_steps_);
  out.i64(cached_left_);
  schedule_.save(out);
  out.i64s(cached_order_);
  out.f64s(local_gaps_);
  out.u8(has_fresh_corners_);
  out.u8(started_from_gap_);
  out.i64(leaps_);
  leap_.save(out);
  probe_.save(out);
  rounds_.save(out);
  for (const double x : {counted_cost_, work_since_leap_, work_since_average_, local_gap_sum_,
                         mean_local_gap_, last_total_gap_, shrinks_below_}) {
    out.f64(x);
  }
}

void CornerBcfw::load(ByteReader& in) {
  point_.load(in);
  for (CornerSet& set : corners_) {
    set.load(in);
    if (set.size() == 0) in.fail("holds a block without corners; it is damaged");
  }
  sampler_.load(in);
  gaps_.load(in);
  averager_.load(in);
  visits_ = in.i64();
  pass_ = static_cast<std::int32_t>(in.i64());
  cached_steps_ = in.i64();
  cached_left_ = in.i64();
  schedule_.load(in);
  cached_order_ = in.i64s();
  in.f64s(local_gaps_);
  has_fresh_corners_ = in.u8() != 0;
  started_from_gap_ = in.u8() != 0;
  leaps_ = in.i64();
  leap_.load(in);
  probe_.load(in);
  rounds_.load(in);
  for (double* x : {&counted_cost_, &work_since_leap_, &work_since_average_, &local_gap_sum_,
                    &mean_local_gap_, &last_total_gap_, &shrinks_below_}) {
    *x = in.f64();
  }
  const auto is_block = [this](Index i) { return i >= 0 && i < context_.n(); };
  if (cached_left_ < 0 || cached_left_ > std::ssize(cached_order_) ||
      !std::all_of(cached_order_.begin(), cached_order_.end(), is_block)) {
    in.fail("holds a visiting order that does not fit the data; it is damaged");
  }
}

}  // namespace gapwise::internal
