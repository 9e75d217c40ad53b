#include "infer/graph/decoder.h"

#include <algorithm>
#include <cmath>

#include "core/stop.h"

namespace gapwise::internal {
namespace {

/// A bound that is no further from a value, as a part of it, proves that the value is the largest.
constexpr double kProof = 1e-9;

constexpr int kMostSweeps = 200;     // of messages
constexpr int kSweepsAtOnce = 5;     // between two looks at what they lead to
constexpr double kLeastGain = 1e-5;  // of such sweeps, as a part of the gap

bool proves(double bound, double value) {
  return bound - value <= kProof * (1.0 + std::abs(value));
}

bool is_integral(const Beliefs& beliefs) {
  return std::all_of(beliefs.states.begin(), beliefs.states.end(),
                     [](double belief) { return belief == 0.0 || belief == 1.0; });
}

}  // namespace

GraphResult GraphDecoder::relax(const GraphPlan& plan, const GraphScores& scores,
                                LinearBasis& basis, Beliefs& out) {
  if (plan.is_forest() && plan.elimination().is_complete()) {
    assignment_.resize(static_cast<std::size_t>(plan.graph().num_variables()));
    plan.elimination().maximize(scores, elimination_, assignment_);
    set_beliefs(plan.graph(), assignment_, out);
    const double value = score_of(scores, assignment_);
    return {value, value, true};
  }
  if (plan.is_binary_pairs()) return pairs_.run(plan, scores, out);
  return linear_.run(plan, scores, basis, out);
}

GraphResult GraphDecoder::maximize(const GraphPlan& plan, const GraphScores& scores,
                                   LinearBasis& basis, Assignment out) {
  if (plan.elimination().is_complete()) {
    plan.elimination().maximize(scores, elimination_, out);
    const double value = score_of(scores, out);
    return {value, value, true};
  }
  const Index cells = plan.graph().table_starts.back();
  if (cells > kMostSimplexCells && !plan.is_binary_pairs()) return pass_messages(plan, scores, out);
  const GraphResult relaxed = relax(plan, scores, basis, beliefs_);
  round_beliefs(plan.graph(), beliefs_, out);
  if (relaxed.is_exact && is_integral(beliefs_)) {
    const double value = score_of(scores, out);
    return {value, value, true};
  }
  double value = climb(plan, scores, out);
  beliefs_.states.assign(scores.states.begin(), scores.states.end());
  assignment_.resize(out.size());
  round_beliefs(plan.graph(), beliefs_, assignment_);  // each variable on its own
  const double other = climb(plan, scores, assignment_);
  if (other > value) {
    value = other;
    std::copy(assignment_.begin(), assignment_.end(), out.begin());
  }
  const bool is_proven = proves(relaxed.upper_bound, value);
  return {value, is_proven ? value : relaxed.upper_bound, is_proven};
}

GraphResult GraphDecoder::pass_messages(const GraphPlan& plan, const GraphScores& scores,
                                        Assignment out) {
  double value = -INFINITY;
  const auto round = [&](std::span<const double> states) {
    beliefs_.states.assign(states.begin(), states.end());
    assignment_.resize(out.size());
    round_beliefs(plan.graph(), beliefs_, assignment_);
    const double found = climb(plan, scores, assignment_);
    if (found <= value) return;
    value = found;
    std::copy(assignment_.begin(), assignment_.end(), out.begin());
  };
  messages_.start(plan, scores);
  round(scores.states);  // each variable on its own
  double bound = INFINITY;
  for (int sweeps = 0; sweeps < kMostSweeps; sweeps += kSweepsAtOnce) {
    const double before = bound;
    for (int k = 0; k < kSweepsAtOnce; ++k) {
      give_up_if_asked();
      bound = std::min(bound, messages_.sweep(plan, scores));
    }
    round(messages_.states());
    const bool is_stuck = sweeps > 0 && before - bound <= kLeastGain * (before - value);
    if (is_stuck || proves(bound, value)) break;
  }
  const bool is_proven = proves(bound, value);
  return {value, is_proven ? value : bound, is_proven};
}

double GraphDecoder::climb(const GraphPlan& plan, const GraphScores& scores, Assignment out) {
  bool has_changed = true;
  while (has_changed) {
    give_up_if_asked();
    has_changed = false;
    for (Index v = 0; v < plan.graph().num_variables(); ++v) {
      add_neighbours(plan, scores, out, v);
      std::int32_t& state = out[static_cast<std::size_t>(v)];
      const auto best = std::max_element(sums_.begin(), sums_.end());
      // More than rounding, so that it ends.
      const double now = sums_[static_cast<std::size_t>(state)];
      if (*best <= now + kProof * (1.0 + std::abs(now))) continue;
      state = static_cast<std::int32_t>(best - sums_.begin());
      has_changed = true;
    }
  }
  return score_of(scores, out);
}

/// sums_ = what each state of v adds, given the others.
void GraphDecoder::add_neighbours(const GraphPlan& plan, const GraphScores& scores,
                                  std::span<const std::int32_t> assignment, Index v) {
  const auto own = scores.of_variable(v);
  sums_.assign(own.begin(), own.end());
  for (const Index c : plan.factors_of(v)) {
    Index place = 0;
    Index stride = 1;
    for (const Index u : plan.graph().scope(c)) {
      const Index states = plan.graph().num_states(u);
      place *= states;
      if (u == v) {
        stride = 1;
      } else {
        place += assignment[static_cast<std::size_t>(u)];
        stride *= states;
      }
    }
    const double* table = scores.of_factor(c).data() + place;
    for (std::size_t s = 0; s < sums_.size(); ++s)
      sums_[s] += table[static_cast<Index>(s) * stride];
  }
}

}  // namespace gapwise::internal
