#include "tasks/shared/relaxed_problem.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cmath>

#include "core/decorated_problem.h"
#include "core/forwarding_oracle.h"
#include "tasks/shared/graph_scorer.h"

namespace gapwise::internal {
namespace {

/// Sums of fractions that should be whole are, but for rounding.
constexpr double kRounding = 1e-12;

/// What all oracles share. Where the simplex method stood is kept for each block: a block is
/// decoded by one thread at a time, in the same order whatever their number.
struct Relaxation {
  Relaxation(const Problem& problem, RelaxationBy how)
      : by(how),
        graphs(*problem.factor_graphs()),
        plans(graphs, problem.num_blocks()),
        bases(static_cast<std::size_t>(problem.num_blocks())) {}

  RelaxationBy by;
  const FactorGraphs& graphs;
  GraphPlans plans;
  std::vector<LinearBasis> bases;
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
    const GraphScores scores = scorer_.score(shared_.graphs, i, theta, augment);
    const GraphResult found = relax(i, scores);
    set_corner(i, theta.values().size(), out);
    out.is_exact = found.is_exact;
    if (found.is_exact) return;
    const double truth = scorer_.truth_score(shared_.graphs, i, scores);
    out.upper_bound = found.upper_bound - truth;
    if (found.value >= truth) return;
    out.parts.clear();  // the truth is better
    out.loss = 0.0;
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
  /// The corner of beliefs_.
  void set_corner(Index i, std::size_t num_parts, Corner& out) {
    const FactorGraph& graph = shared_.graphs.graph(i);
    const auto truth = shared_.graphs.truth(i);
    out.set_truth();
    sums_.assign(num_parts, 0.0);
    add(graph.state_parts, beliefs_.states);
    add(graph.table_parts, beliefs_.joints);
    for (Index v = 0; v < graph.num_variables(); ++v) {
      const Index first = graph.state_starts[static_cast<std::size_t>(v)];
      const Index right = truth[static_cast<std::size_t>(v)];
      subtract_one(graph.state_parts[static_cast<std::size_t>(first + right)]);
      for (Index s = 0; s < graph.num_states(v); ++s) {
        const double belief = beliefs_.states[static_cast<std::size_t>(first + s)];
        if (s != right && belief > 0.0) out.loss += belief * shared_.graphs.cost(i, v, s);
      }
    }
    for (Index c = 0; c < graph.num_factors(); ++c) {
      subtract_one(
          graph.parts_of_factor(c)[static_cast<std::size_t>(joint_state(graph, c, truth))]);
    }
    for (double& sum : sums_) {
      if (std::fabs(sum) < kRounding) sum = 0.0;
    }
    out.parts.assign_negative(sums_);
  }
  void add(const std::vector<Index>& parts, const std::vector<double>& beliefs) {
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (parts[k] != FactorGraph::kNoPart) sums_[static_cast<std::size_t>(parts[k])] += beliefs[k];
    }
  }
  void subtract_one(Index part) {
    if (part != FactorGraph::kNoPart) sums_[static_cast<std::size_t>(part)] -= 1.0;
  }

  Relaxation& shared_;
  GraphScorer scorer_;
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
