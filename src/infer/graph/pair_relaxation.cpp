#include "infer/graph/pair_relaxation.h"

#include <algorithm>

namespace gapwise::internal {

GraphResult PairRelaxation::run(const GraphPlan& plan, const GraphScores& scores, Beliefs& out) {
  load(scores);
  decide_all(plan);
  write(scores, out);
  const double value = score_of(scores, out);
  return {value, value, true};
}

void PairRelaxation::solve(const GraphPlan& plan, std::span<const double> states,
                           std::span<const double> part_scores) {
  load(plan, states, part_scores);
  decide_all(plan);
}

void PairRelaxation::decide_all(const GraphPlan& plan) {
  bound_singles(plan.graph());
  decide_plain(plan);
  decide_rest(plan.graph());
}

void PairRelaxation::load_singles(std::span<const double> states) {
  singles_.resize(states.size() / 2);
  for (std::size_t v = 0; v < singles_.size(); ++v) singles_[v] = states[2 * v + 1] - states[2 * v];
}

/// A table (00, 01, 10, 11) is a constant, what each variable adds and what both add together.
void PairRelaxation::load(const GraphScores& scores) {
  const FactorGraph& graph = scores.graph;
  load_singles(scores.states);
  pairs_.resize(static_cast<std::size_t>(graph.num_factors()));
  for (std::size_t c = 0; c < pairs_.size(); ++c) {
    const double* table = scores.joints.data() + 4 * c;
    singles_[static_cast<std::size_t>(graph.scopes[2 * c])] += table[2] - table[0];
    singles_[static_cast<std::size_t>(graph.scopes[2 * c + 1])] += table[1] - table[0];
    pairs_[c] = table[0] + table[3] - table[1] - table[2];
  }
}

/// The same entry by entry.
void PairRelaxation::load(const GraphPlan& plan, std::span<const double> states,
                          std::span<const double> part_scores) {
  const FactorGraph& graph = plan.graph();
  load_singles(states);
  pairs_.assign(static_cast<std::size_t>(graph.num_factors()), 0.0);
  for (const auto& [c, place, part] : plan.scored_joints()) {
    const double score = part_scores[static_cast<std::size_t>(part)];
    if (place == 3) {
      pairs_[c] += score;
      continue;
    }
    double& a = singles_[static_cast<std::size_t>(graph.scopes[2 * c])];
    double& b = singles_[static_cast<std::size_t>(graph.scopes[2 * c + 1])];
    pairs_[c] += place == 0 ? score : -score;
    if (place == 0) {
      a -= score;
      b -= score;
    } else {
      (place == 1 ? b : a) += score;
    }
  }
}

/// What each variable adds at the least and at the most.
void PairRelaxation::bound_singles(const FactorGraph& graph) {
  least_ = most_ = singles_;
  for (std::size_t c = 0; c < pairs_.size(); ++c) {
    if (pairs_[c] == 0.0) continue;
    std::vector<double>& bounds = pairs_[c] < 0.0 ? least_ : most_;
    for (const std::size_t k : {2 * c, 2 * c + 1}) {
      bounds[static_cast<std::size_t>(graph.scopes[k])] += pairs_[c];
    }
  }
}

void PairRelaxation::decide_plain(const GraphPlan& plan) {
  decisions_.assign(singles_.size(), Decision::kOpen);
  waiting_.clear();
  for (std::size_t v = 0; v < singles_.size(); ++v) {
    if (decide(v)) waiting_.push_back(v);
  }
  while (!waiting_.empty()) {
    const std::size_t v = waiting_.back();
    waiting_.pop_back();
    pass_on(plan, v);
  }
}

/// Decides v if whatever is open does not matter; whether it did.
bool PairRelaxation::decide(std::size_t v) {
  if (decisions_[v] != Decision::kOpen || (least_[v] <= 0.0 && most_[v] > 0.0)) return false;
  decisions_[v] = least_[v] > 0.0 ? Decision::kOn : Decision::kOff;
  return true;
}

/// Tells the open neighbours of v that it is decided.
void PairRelaxation::pass_on(const GraphPlan& plan, std::size_t v) {
  const bool is_on = decisions_[v] == Decision::kOn;
  for (const auto& [u, c] : plan.neighbours_of(static_cast<Index>(v))) {
    if (decisions_[u] != Decision::kOpen) continue;
    const double pair = pairs_[c];
    if (is_on) {
      singles_[u] += pair;
      (pair < 0.0 ? most_ : least_)[u] += pair;
    } else {
      (pair < 0.0 ? least_ : most_)[u] -= pair;
    }
    if (decide(u)) waiting_.push_back(u);
  }
}

/// By a maximum flow; what stays open is one half.
void PairRelaxation::decide_rest(const FactorGraph& graph) {
  numbers_.resize(singles_.size());
  terms_.singles.clear();
  terms_.pairs.clear();
  for (std::size_t v = 0; v < singles_.size(); ++v) {
    if (decisions_[v] != Decision::kOpen) continue;
    numbers_[v] = static_cast<std::uint32_t>(terms_.singles.size());
    terms_.singles.push_back(singles_[v]);
  }
  if (terms_.singles.empty()) return;
  for (std::size_t c = 0; c < pairs_.size(); ++c) {
    const auto a = static_cast<std::size_t>(graph.scopes[2 * c]);
    const auto b = static_cast<std::size_t>(graph.scopes[2 * c + 1]);
    if (decisions_[a] != Decision::kOpen || decisions_[b] != Decision::kOpen) continue;
    if (pairs_[c] != 0.0) terms_.pairs.push_back({numbers_[a], numbers_[b], pairs_[c]});
  }
  std::stable_sort(terms_.pairs.begin(), terms_.pairs.end(),
                   [](const auto& one, const auto& other) { return one.a < other.a; });
  roof_.run(terms_);
  for (std::size_t v = 0; v < singles_.size(); ++v) {
    if (decisions_[v] == Decision::kOpen) decisions_[v] = roof_.decisions()[numbers_[v]];
  }
}

/// Both are on as often as they can be if that adds something, and else as seldom.
double PairRelaxation::joint_belief(const FactorGraph& graph, std::size_t c,
                                    std::size_t place) const {
  const double a = belief(static_cast<std::size_t>(graph.scopes[2 * c]));
  const double b = belief(static_cast<std::size_t>(graph.scopes[2 * c + 1]));
  const double both = pairs_[c] > 0.0 ? std::min(a, b) : std::max(0.0, a + b - 1.0);
  switch (place) {
    case 0:
      return 1.0 - a - b + both;
    case 1:
      return b - both;
    case 2:
      return a - both;
    default:
      return both;
  }
}

void PairRelaxation::write(const GraphScores& scores, Beliefs& out) const {
  out.states.resize(scores.states.size());
  out.joints.resize(scores.joints.size());
  for (std::size_t v = 0; v < singles_.size(); ++v) {
    out.states[2 * v + 1] = belief(v);
    out.states[2 * v] = 1.0 - belief(v);
  }
  for (std::size_t k = 0; k < out.joints.size(); ++k) {
    out.joints[k] = joint_belief(scores.graph, k / 4, k % 4);
  }
}

}  // namespace gapwise::internal
