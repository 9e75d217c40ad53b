#include "infer/graph/pair_relaxation.h"

#include <algorithm>

namespace gapwise::internal {

GraphResult PairRelaxation::run(const GraphPlan& plan, const GraphScores& scores, Beliefs& out) {
  load(scores);
  decide_plain(plan);
  decide_rest(plan.graph());
  write(scores, out);
  const double value = score_of(scores, out);
  return {value, value, true};
}

/// A table (00, 01, 10, 11) is a constant, what each variable adds and what both add together.
void PairRelaxation::load(const GraphScores& scores) {
  const FactorGraph& graph = scores.graph;
  singles_.resize(static_cast<std::size_t>(graph.num_variables()));
  pairs_.resize(static_cast<std::size_t>(graph.num_factors()));
  for (std::size_t v = 0; v < singles_.size(); ++v) {
    singles_[v] = scores.states[2 * v + 1] - scores.states[2 * v];
  }
  for (std::size_t c = 0; c < pairs_.size(); ++c) {
    const double* table = scores.joints.data() + 4 * c;
    singles_[static_cast<std::size_t>(graph.scopes[2 * c])] += table[2] - table[0];
    singles_[static_cast<std::size_t>(graph.scopes[2 * c + 1])] += table[1] - table[0];
    pairs_[c] = table[0] + table[3] - table[1] - table[2];
  }
  least_ = most_ = singles_;
  for (std::size_t c = 0; c < pairs_.size(); ++c) {
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
  for (const Index c : plan.factors_of(static_cast<Index>(v))) {
    const auto scope = plan.graph().scope(c);
    const auto u = static_cast<std::size_t>(scope[static_cast<std::size_t>(scope[0]) == v ? 1 : 0]);
    if (decisions_[u] != Decision::kOpen) continue;
    const double pair = pairs_[static_cast<std::size_t>(c)];
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
void PairRelaxation::write(const GraphScores& scores, Beliefs& out) const {
  const FactorGraph& graph = scores.graph;
  out.states.resize(scores.states.size());
  out.joints.resize(scores.joints.size());
  const auto on = [&](std::size_t v) {
    return decisions_[v] == Decision::kOpen ? 0.5 : decisions_[v] == Decision::kOn ? 1.0 : 0.0;
  };
  for (std::size_t v = 0; v < singles_.size(); ++v) {
    out.states[2 * v + 1] = on(v);
    out.states[2 * v] = 1.0 - on(v);
  }
  for (std::size_t c = 0; c < pairs_.size(); ++c) {
    const double a = on(static_cast<std::size_t>(graph.scopes[2 * c]));
    const double b = on(static_cast<std::size_t>(graph.scopes[2 * c + 1]));
    const double both = pairs_[c] > 0.0 ? std::min(a, b) : std::max(0.0, a + b - 1.0);
    double* table = out.joints.data() + 4 * c;
    table[0] = 1.0 - a - b + both;
    table[1] = b - both;
    table[2] = a - both;
    table[3] = both;
  }
}

}  // namespace gapwise::internal
