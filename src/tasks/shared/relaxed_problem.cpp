#include "tasks/shared/relaxed_problem.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cmath>
#include <optional>

#include "core/decorated_problem.h"
#include "core/forwarding_oracle.h"
#include "tasks/shared/graph_scorer.h"

namespace gapwise::internal {
namespace {

/// Sums of fractions that should be whole are, but for rounding.
constexpr double kRounding = 1e-12;

/// What all oracles share. What is kept of a block is changed when it is decoded, by one thread at
/// a time and in the same order whatever their number.
struct Relaxation {
  Relaxation(const Problem& problem, RelaxationBy how)
      : by(how),
        graphs(*problem.factor_graphs()),
        plans(graphs, problem.num_blocks()),
        bases(static_cast<std::size_t>(problem.num_blocks())),
        truths(static_cast<std::size_t>(problem.num_blocks())) {}

  RelaxationBy by;
  const FactorGraphs& graphs;
  GraphPlans plans;
  std::vector<LinearBasis> bases;  ///< where the simplex method stood, for each block
  /// The parts of the true output of each block, once asked.
  std::vector<std::optional<std::vector<Index>>> truths;
};

class RelaxedOracle final : public ForwardingOracle {
 public:
  RelaxedOracle(std::unique_ptr<Oracle> inner, Relaxation& shared)
      : ForwardingOracle(std::move(inner)), shared_(shared) {}

  void argmax(Index i, Weights w, PartScores& theta, Corner& out) override {
    score(i, w, theta);
    decode(i, theta, Augment::kLoss, out);
  }

  void decode(Index i, const PartScores& theta, Augment augment, Corner& out) override {
    const GraphPlan& plan = shared_.plans[i];
    start_corner(i, theta.values().size(), out);
    if (shared_.by == RelaxationBy::kStructure && plan.is_binary_pairs()) {
      pairs_.solve(plan, scorer_.score_states(shared_.graphs, i, theta, augment), theta.values());
      take_pairs(plan);
    } else {
      const GraphScores scores = scorer_.score(shared_.graphs, i, theta, augment);
      const GraphResult found = relax(i, scores);
      take_beliefs(plan);
      const double truth = score_of(scores, shared_.graphs.truth(i));
      out.is_exact = found.is_exact;
      if (!found.is_exact) out.upper_bound = found.upper_bound - truth;
      if (!found.is_exact && found.value < truth) return;  // the truth is better
    }
    finish_corner(i, out);
  }

  bool has_expectations() const override { return false; }
  bool has_projection() const override { return false; }
  bool has_recognition() const override { return false; }

 private:
  /// beliefs_ = a best point.
  GraphResult relax(Index i, const GraphScores& scores) {
    LinearBasis& basis = shared_.bases[static_cast<std::size_t>(i)];
    if (shared_.by == RelaxationBy::kStructure) {
      return decoder_.relax(shared_.plans[i], scores, basis, beliefs_);
    }
    if (shared_.by == RelaxationBy::kColdSimplex) basis.clear();
    return simplex_.run(shared_.plans[i], scores, basis, beliefs_);
  }
  /// out = the truth, and sums_ what there is less.
  void start_corner(Index i, std::size_t num_parts, Corner& out) {
    out.set_truth();
    sums_.assign(num_parts, 0.0);
    for (const Index part : truth_parts(i)) sums_[static_cast<std::size_t>(part)] -= 1.0;
  }
  const std::vector<Index>& truth_parts(Index i) {
    std::optional<std::vector<Index>>& known = shared_.truths[static_cast<std::size_t>(i)];
    if (known) return *known;
    std::vector<Index>& parts = known.emplace();
    const FactorGraph& graph = shared_.graphs.graph(i);
    const auto truth = shared_.graphs.truth(i);
    const auto add = [&](Index part) {
      if (part != FactorGraph::kNoPart) parts.push_back(part);
    };
    for (std::size_t v = 0; v < truth.size(); ++v) {
      add(graph.parts_of_variable(static_cast<Index>(v))[static_cast<std::size_t>(truth[v])]);
    }
    for (Index c = 0; c < graph.num_factors(); ++c) {
      add(graph.parts_of_factor(c)[static_cast<std::size_t>(joint_state(graph, c, truth))]);
    }
    return parts;
  }
  void add(Index part, double belief) {
    if (part != FactorGraph::kNoPart) sums_[static_cast<std::size_t>(part)] += belief;
  }
  /// Adds what pairs_ found, and leaves the beliefs of states in beliefs_.
  void take_pairs(const GraphPlan& plan) {
    const FactorGraph& graph = plan.graph();
    beliefs_.states.resize(graph.state_parts.size());
    for (std::size_t v = 0; 2 * v < beliefs_.states.size(); ++v) {
      beliefs_.states[2 * v + 1] = pairs_.belief(v);
      beliefs_.states[2 * v] = 1.0 - pairs_.belief(v);
    }
    take_states(graph);
    for (const auto& [c, place, part] : plan.scored_joints()) {
      add(part, pairs_.joint_belief(graph, c, place));
    }
  }
  void take_beliefs(const GraphPlan& plan) {
    const FactorGraph& graph = plan.graph();
    take_states(graph);
    for (const auto& [c, place, part] : plan.scored_joints()) {
      const auto first = static_cast<std::size_t>(graph.table_starts[c]);
      add(part, beliefs_.joints[first + place]);
    }
  }
  void take_states(const FactorGraph& graph) {
    for (std::size_t k = 0; k < graph.state_parts.size(); ++k) {
      add(graph.state_parts[k], beliefs_.states[k]);
    }
  }
  /// The loss of beliefs_, and the parts of sums_.
  void finish_corner(Index i, Corner& out) {
    const FactorGraph& graph = shared_.graphs.graph(i);
    const auto truth = shared_.graphs.truth(i);
    for (std::size_t v = 0; v < truth.size(); ++v) {
      const Index first = graph.state_starts[v];
      for (Index s = 0; s < graph.num_states(static_cast<Index>(v)); ++s) {
        const double belief = beliefs_.states[static_cast<std::size_t>(first + s)];
        if (s == truth[v] || belief == 0.0) continue;
        out.loss += belief * shared_.graphs.cost(i, static_cast<Index>(v), s);
      }
    }
    for (double& sum : sums_) {
      if (std::fabs(sum) < kRounding) sum = 0.0;
    }
    out.parts.assign_negative(sums_);
  }

  Relaxation& shared_;
  GraphScorer scorer_;
  PairRelaxation pairs_;
  GraphDecoder decoder_;
  LinearRelaxation simplex_;
  Beliefs beliefs_;
  std::vector<double> sums_;  ///< by part: what there is more of than in the truth
};

class RelaxedProblem final : public DecoratedProblem {
 public:
  /// Keeps `owned`, if there is one; it is `exact` then.
  RelaxedProblem(const Problem& exact, RelaxationBy by, std::unique_ptr<Problem> owned)
      : DecoratedProblem(exact,
                         [shared = std::make_shared<Relaxation>(exact, by)](auto inner) {
                           return std::make_unique<RelaxedOracle>(std::move(inner), *shared);
                         }),
        owned_(std::move(owned)) {}

  bool is_relaxed() const override { return true; }
  std::uint64_t fingerprint() const override {
    const std::uint64_t inner = DecoratedProblem::fingerprint();
    return XXH3_64bits_withSeed(&inner, sizeof inner, /*seed=*/1);
  }

 private:
  std::unique_ptr<Problem> owned_;
};

}  // namespace

std::unique_ptr<Problem> make_relaxed_problem(std::unique_ptr<Problem> exact) {
  const Problem& problem = *exact;
  return std::make_unique<RelaxedProblem>(problem, RelaxationBy::kStructure, std::move(exact));
}

std::unique_ptr<Problem> make_relaxed_view(const Problem& exact, RelaxationBy by) {
  return std::make_unique<RelaxedProblem>(exact, by, nullptr);
}

}  // namespace gapwise::internal
