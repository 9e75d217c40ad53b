#include "solve/expectation/mean_pass.h"

#include <algorithm>
#include <cmath>

namespace gapwise::internal {
namespace {

/// Blocks whose means are kept at the same time.
constexpr Index kChunk = 256;

/// out = factor * (theta + cost_weight * costs).
void combine(const PartScores& theta, const PartScores& costs, double cost_weight, double factor,
             PartScores& out) {
  const std::span<const double> scores = theta.values();
  const std::span<const double> prices = costs.values();
  const std::span<double> sums = out.resize(scores.size());
  for (std::size_t r = 0; r < sums.size(); ++r) {
    sums[r] = factor * (scores[r] + cost_weight * prices[r]);
  }
}

}  // namespace

void MeanPoint::save(StateWriter& out) const {
  out.weights(w);
  out.f64(ell);
}

void MeanPoint::load(StateReader& in) {
  in.weights(w);
  ell = in.finite();
}

double MeanPass::gibbs(Weights w, double cost_weight, MeanPoint& out) {
  return run(
      [&](Index i, MeteredOracle& oracle, Slot& slot, Mean& mean) {
        oracle.score(i, w, slot.theta);
        combine(slot.theta, slot.costs, cost_weight, 1.0, slot.logits);
        mean.log_sum = oracle.expect(i, slot.logits, mean.parts);
      },
      out);
}

void MeanPass::project(const Projection& blocks, double step, Weights w, double cost_weight,
                       MeanPoint& out) {
  run(
      [&](Index i, MeteredOracle& oracle, Slot& slot, Mean& mean) {
        oracle.score(i, w, slot.theta);
        combine(slot.theta, slot.costs, cost_weight, step, slot.logits);
        oracle.project(i, blocks.from(i), slot.logits, mean.parts);
        if (Parts* kept = blocks.keep(i)) *kept = mean.parts;
      },
      out);
}

double MeanPass::run(const Find& find, MeanPoint& out) {
  const auto n = static_cast<double>(context_.n());
  std::fill(out.w.begin(), out.w.end(), 0.0);
  means_.resize(static_cast<std::size_t>(std::min(kChunk, context_.n())));
  std::vector<double> losses;
  std::vector<double> log_sums;
  for (Index begin = 0; begin < context_.n(); begin += kChunk) {
    const Index end = std::min(begin + kChunk, context_.n());
    context_.team.for_each(begin, end, [&](Index i, MeteredOracle& oracle, std::size_t slot) {
      Mean& mean = means_[static_cast<std::size_t>(i - begin)];
      PartScores& costs = slots_[slot].costs;
      oracle.part_costs(i, costs);
      find(i, oracle, slots_[slot], mean);
      mean.loss = -mean.parts.dot(costs.values());
    });
    for (Index i = begin; i < end; ++i) {
      const Mean& mean = means_[static_cast<std::size_t>(i - begin)];
      context_.team.leader().scatter(i, mean.parts, 1.0 / (context_.lambda * n), out.w);
      losses.push_back(mean.loss);
      log_sums.push_back(mean.log_sum);
    }
  }
  out.ell = ordered_sum(losses) / n;
  return ordered_sum(log_sums);
}

double MeanPass::total_radius() {
  std::vector<double> squares(static_cast<std::size_t>(context_.n()));
  context_.team.for_each(0, context_.n(), [&](Index i, MeteredOracle& oracle, std::size_t) {
    const double radius = oracle.radius(i);
    squares[static_cast<std::size_t>(i)] = radius * radius;
  });
  return std::sqrt(ordered_sum(squares));
}

}  // namespace gapwise::internal
