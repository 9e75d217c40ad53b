#include "solve/factorwise/relaxed_certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/sums.h"
#include "solve/certificate.h"
#include "solve/factorwise/soft_maximum.h"
#include "solve/fields.h"

namespace gapwise::internal {
namespace {

/// Of the rounded beliefs of all regions.
double entropy(const GraphLayout& layout, const Rounding& rounded) {
  double sum = 0.0;
  for (const Region& region : layout.regions()) {
    for (const double x : rounded.beliefs(region)) {
      if (x > 0.0) sum -= x * std::log(x);
    }
  }
  return sum;
}

}  // namespace

RelaxedCertificate::RelaxedCertificate(const RunContext& context)
    : context_(context),
      workers_(context.team.size()),
      rounded_(context.n(), context.d(), context.lambda, context.nonnegative()),
      soft_gaps_(static_cast<std::size_t>(context.n()), 0.0) {}

Measurement RelaxedCertificate::measure(const Standpoint& here) {
  constexpr Index kBlocksPerThread = 64;  // held in memory at once
  const Index chunk = kBlocksPerThread * static_cast<Index>(workers_.size());
  const auto n = static_cast<double>(context_.n());
  std::vector<Found> found(static_cast<std::size_t>(std::min(chunk, context_.n())));
  std::vector<double> bounds;
  std::vector<double> soft_bounds;
  std::vector<double> entropies;
  double rounding = 0.0;
  rounded_.rebuild(context_.team.leader(), [&](Index i) -> const BlockState& {
    const Index from = i - i % chunk;
    if (i == from) {
      context_.team.for_each(from, std::min(from + chunk, context_.n()),
                             [&](Index k, MeteredOracle& oracle, std::size_t slot) {
                               oracle.count([&] {
                                 look_at(here, k, oracle, workers_[slot],
                                         found[static_cast<std::size_t>(k - from)]);
                               });
                             });
    }
    const Found& block = found[static_cast<std::size_t>(i - from)];
    bounds.push_back(block.bound);
    soft_bounds.push_back(block.soft_bound);
    soft_gaps_[static_cast<std::size_t>(i)] = block.soft_gap / n;
    entropies.push_back(block.entropy);
    rounding += block.rounding / n;
    return block.rounded;
  });
  const double length = 0.5 * context_.lambda * context_.team.leader().squared_length(here.w);
  soft_primal_ = length + ordered_sum(soft_bounds) / n + here.penalty;
  soft_gap_ = here.smoothing > 0.0 ? std::max(0.0, soft_primal_ - rounded_.dual() -
                                                       here.smoothing * ordered_sum(entropies) / n)
                                   : ordered_sum(soft_gaps_);
  last_primal_ = length + ordered_sum(bounds) / n + rounding;
  last_dual_ = rounded_.dual() - rounding;
  dual_ = std::max(dual_, last_dual_);
  if (best_w_.empty() || last_primal_ < primal_) {
    primal_ = last_primal_;
    best_w_.assign(here.w.begin(), here.w.end());
  }
  return paired(context_, best_w_, {primal_, dual_, true}, dual_);
}

void RelaxedCertificate::look_at(const Standpoint& here, Index i, Oracle& oracle, Worker& worker,
                                 Found& found) const {
  const BlockBeliefs block = here.beliefs[i];
  oracle.score(i, here.w, worker.answer);
  const std::span<const double> theta = worker.answer.values();
  worker.theta.assign(theta.begin(), theta.begin() + block.layout().end_part());
  worker.theta.push_back(0.0);
  const double truth = truth_score(here.beliefs, i, worker.theta);
  const Bound softened = bound(block, here.price, here.smoothing, worker);
  const Bound multiplied = bound(block, 0.0, 0.0, worker);
  found.soft_gap = softened.gap;
  found.soft_bound = (here.smoothing > 0.0 ? softened.smoothed : softened.value) - truth;
  const bool is_softened_better = softened.value < multiplied.value;
  const BlockBeliefs better = tightened(block, is_softened_better ? here.price : 0.0, worker);
  const Bound tight = bound(better, 0.0, 0.0, worker);
  found.bound = std::max(0.0, std::min({softened.value, multiplied.value, tight.value}) - truth);
  found.rounding = std::max(rounding_of(block, worker.theta, here.price),
                            rounding_of(better, worker.theta, 0.0));
  worker.rounding.round(block);
  found.entropy = here.smoothing > 0.0 ? entropy(block.layout(), worker.rounding) : 0.0;
  here.beliefs.describe(
      i, [&worker](const Region& region) { return worker.rounding.beliefs(region); },
      worker.by_part, found.rounded);
}

/// The block with messages m + price * r that were made better; valid until the next call.
BlockBeliefs RelaxedCertificate::tightened(const BlockBeliefs& block, double price,
                                           Worker& worker) const {
  constexpr int kSweeps = 3;
  const std::span<const double> record = block.record();
  worker.record.assign(record.begin(), record.end());
  const BlockBeliefs better(block.layout(), worker.record.data());
  better.raise_multipliers(price);
  for (int sweep = 0; sweep < kSweeps; ++sweep) worker.messages.tighten(worker.theta, better);
  return better;
}

/// The sum over the regions of their largest scores, and of their gaps.
RelaxedCertificate::Bound RelaxedCertificate::bound(const BlockBeliefs& block, double price,
                                                    double smoothing, Worker& worker) const {
  Bound sum;
  for (const Region& region : block.layout().regions()) {
    const std::span<const double> scores = worker.scores.at(worker.theta, block, region, price);
    const std::span<const double> beliefs = block.beliefs(region);
    const double best = scores[argmax(scores)];
    double mean = 0.0;
    for (std::size_t s = 0; s < scores.size(); ++s) mean += scores[s] * beliefs[s];
    sum.value += best;
    sum.gap += std::max(0.0, best - mean);
    if (smoothing > 0.0) sum.smoothed += soft_maximum(scores, smoothing);
  }
  return sum;
}

double RelaxedCertificate::truth_score(const Beliefs& beliefs, Index i,
                                       std::span<const double> theta) const {
  const GraphLayout& layout = beliefs[i].layout();
  double sum = 0.0;
  for (Index a = 0; a < std::ssize(layout.regions()); ++a) {
    const Region& region = layout.region(a);
    const auto state = static_cast<std::size_t>(beliefs.truth(i, a));
    sum += theta[static_cast<std::size_t>(layout.slots(region)[state])];
  }
  return sum;
}

/// How far rounding may move the bounds of a block. The scores of a region are sums of a score, a
/// cost and a message for each axis, or for each factor of a variable; the marginals of rounded
/// beliefs agree up to a unit for each entry of a table. None of these numbers exceeds the largest
/// score, cost and message of the block together.
double RelaxedCertificate::rounding_of(const BlockBeliefs& block, std::span<const double> theta,
                                       double price) const {
  double score = 0.0;
  for (const double x : theta) score = std::max(score, std::abs(x));
  double cost = 0.0;
  double message = 0.0;
  double terms = 0.0;
  for (const Region& region : block.layout().regions()) {
    const double sums = static_cast<double>(region.num_axes) + region.degree + 4.0;
    terms += sums * sums + static_cast<double>(region.size);
    if (region.is_factor()) {
      for (const Axis& axis : block.layout().axes(region)) {
        for (const double x : block.multipliers(region, axis)) {
          message = std::max(message, std::abs(x));
        }
      }
    } else {
      for (const double x : block.costs(region)) cost = std::max(cost, x);
    }
  }
  return std::numeric_limits<double>::epsilon() * terms * (score + cost + message + price);
}

void RelaxedCertificate::save(StateWriter& out) const {
  out.f64(dual_);
  out.f64(primal_);
  out.weights_if_any(best_w_);
  out.f64(soft_gap_);
  out.f64(soft_primal_);
  out.weights(soft_gaps_);
}

void RelaxedCertificate::load(StateReader& in) {
  dual_ = in.finite();
  primal_ = in.finite();
  in.weights_if_any(best_w_);
  soft_gap_ = in.finite();
  soft_primal_ = in.finite();
  in.weights(soft_gaps_);
}

}  // namespace gapwise::internal
