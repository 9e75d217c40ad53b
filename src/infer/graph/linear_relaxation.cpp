#include "infer/graph/linear_relaxation.h"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/stop.h"

namespace gapwise::internal {
namespace {

/// Beliefs are multiples of 1 over this, the least common multiple of 1 to 16, or nearly none is.
constexpr double kDenominator = 720720.0;
/// Of the simplex method, for scores of at most 1.
constexpr double kTolerance = 1e-9;
/// Rounding of sums of beliefs.
constexpr double kRounding = 1e-12;
/// A bound that is no further from a value, as a part of all that was added up, proves it.
constexpr double kProof = 1e-9;

double largest_of(std::span<const double> values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::fabs(value));
  return largest;
}

}  // namespace

struct LinearRelaxation::Program {
  explicit Program(const FactorGraph& of);

  /// The row that says that the joint states of factor c add up to state s of the variable at
  /// `place` of its scope; -1 if the others of that variable say so already.
  int row(Index c, std::size_t place, Index s) const {
    const Index v = graph.scope(c)[place];
    if (place > 0 && s + 1 == graph.num_states(v)) return -1;
    return first_rows[static_cast<std::size_t>(graph.scope_starts[static_cast<std::size_t>(c)]) +
                      place] +
           static_cast<int>(s);
  }
  /// visit(row) for the rows of joint state y of factor c.
  template <class Visit>
  void for_each_row(Index c, Index y, Visit visit) const {
    const auto scope = graph.scope(c);
    for (std::size_t place = scope.size(); place-- > 0;) {
      const Index states = graph.num_states(scope[place]);
      const int at = row(c, place, y % states);
      y /= states;
      if (at >= 0) visit(at);
    }
  }
  void load();
  double bound(const GraphScores& scores, double scale, const GraphPlan& plan) const;
  bool take_solution(const GraphScores& scores, Beliefs& out) const;

  const FactorGraph& graph;
  std::vector<int> first_rows;  ///< for each entry of graph.scopes
  int num_rows = 0;
  ClpSimplex simplex;
};

LinearRelaxation::Program::Program(const FactorGraph& of) : graph(of) {
  num_rows = static_cast<int>(graph.num_variables());
  for (Index c = 0; c < graph.num_factors(); ++c) {
    bool is_first = true;
    for (const Index v : graph.scope(c)) {
      first_rows.push_back(num_rows);
      num_rows += static_cast<int>(graph.num_states(v)) - (is_first ? 0 : 1);
      is_first = false;
    }
  }
  load();
}

void LinearRelaxation::Program::load() {
  std::vector<CoinBigIndex> starts{0};
  std::vector<int> rows;
  std::vector<double> values;
  const auto add = [&](int row, double value) {
    rows.push_back(row);
    values.push_back(value);
  };
  std::vector<std::vector<std::pair<Index, std::size_t>>> places(
      static_cast<std::size_t>(graph.num_variables()));
  for (Index c = 0; c < graph.num_factors(); ++c) {
    for (std::size_t place = 0; place < graph.scope(c).size(); ++place) {
      places[static_cast<std::size_t>(graph.scope(c)[place])].emplace_back(c, place);
    }
  }
  for (Index v = 0; v < graph.num_variables(); ++v) {
    for (Index s = 0; s < graph.num_states(v); ++s) {
      add(static_cast<int>(v), 1.0);
      for (const auto& [c, place] : places[static_cast<std::size_t>(v)]) {
        if (row(c, place, s) >= 0) add(row(c, place, s), -1.0);
      }
      starts.push_back(static_cast<CoinBigIndex>(rows.size()));
    }
  }
  for (Index c = 0; c < graph.num_factors(); ++c) {
    for (Index y = 0; y < std::ssize(graph.parts_of_factor(c)); ++y) {
      for_each_row(c, y, [&](int at) { add(at, 1.0); });
      starts.push_back(static_cast<CoinBigIndex>(rows.size()));
    }
  }
  const auto columns = starts.size() - 1;
  const std::vector<double> lower(columns, 0.0);
  const std::vector<double> upper(columns, 1.0);
  std::vector<double> sums(static_cast<std::size_t>(num_rows), 0.0);
  std::fill_n(sums.begin(), graph.num_variables(), 1.0);
  simplex.setLogLevel(0);
  simplex.scaling(0);  // all entries are 1 or -1
  simplex.setPrimalTolerance(kTolerance);
  simplex.setDualTolerance(kTolerance);
  simplex.loadProblem(static_cast<int>(columns), num_rows, starts.data(), rows.data(),
                      values.data(), lower.data(), upper.data(), lower.data(), sums.data(),
                      sums.data());
}

/// Whatever numbers take the place of the multipliers: moving scores by them from factors to their
/// variables changes no score of an assignment, and each is then at most the sum of the maxima.
double LinearRelaxation::Program::bound(const GraphScores& scores, double scale,
                                        const GraphPlan& plan) const {
  const double* multipliers = simplex.dualRowSolution();
  double sum = 0.0;
  for (Index c = 0; c < graph.num_factors(); ++c) {
    const auto table = scores.of_factor(c);
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t y = 0; y < table.size(); ++y) {
      double moved = table[y];
      for_each_row(c, static_cast<Index>(y), [&](int at) { moved += scale * multipliers[at]; });
      best = std::max(best, moved);
    }
    sum += best;
  }
  for (Index v = 0; v < graph.num_variables(); ++v) {
    const auto states = scores.of_variable(v);
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t s = 0; s < states.size(); ++s) {
      double moved = states[s];
      for (const Index c : plan.factors_of(v)) {
        const auto scope = graph.scope(c);
        const auto place =
            static_cast<std::size_t>(std::find(scope.begin(), scope.end(), v) - scope.begin());
        const int at = row(c, place, static_cast<Index>(s));
        if (at >= 0) moved -= scale * multipliers[at];
      }
      best = std::max(best, moved);
    }
    sum += best;
  }
  return sum;
}

/// False if the solution is none even after rounding to fractions.
bool LinearRelaxation::Program::take_solution(const GraphScores& scores, Beliefs& out) const {
  const double* solution = simplex.primalColumnSolution();
  const auto take = [&](std::size_t count, std::vector<double>& to) {
    to.resize(count);
    for (double& belief : to) belief = std::round(*solution++ * kDenominator) / kDenominator;
  };
  take(scores.states.size(), out.states);
  take(scores.joints.size(), out.joints);
  const auto is_negative = [](double belief) { return belief < 0.0; };
  return std::none_of(out.states.begin(), out.states.end(), is_negative) &&
         std::none_of(out.joints.begin(), out.joints.end(), is_negative) &&
         inconsistency(graph, out) <= kRounding;
}

LinearRelaxation::LinearRelaxation() = default;
LinearRelaxation::~LinearRelaxation() = default;
LinearRelaxation::LinearRelaxation(LinearRelaxation&&) noexcept = default;
LinearRelaxation& LinearRelaxation::operator=(LinearRelaxation&&) noexcept = default;

GraphResult LinearRelaxation::run(const GraphPlan& plan, const GraphScores& scores,
                                  LinearBasis& basis, Beliefs& out) {
  give_up_if_asked();
  if (!program_ || &program_->graph != &plan.graph()) {
    program_ = std::make_unique<Program>(plan.graph());
  }
  ClpSimplex& simplex = program_->simplex;
  const double largest = std::max(largest_of(scores.states), largest_of(scores.joints));
  const double scale = largest > 0.0 ? largest : 1.0;
  double* costs = simplex.objective();
  for (const double score : scores.states) *costs++ = -score / scale;
  for (const double score : scores.joints) *costs++ = -score / scale;
  const std::size_t size =
      scores.states.size() + scores.joints.size() + static_cast<std::size_t>(program_->num_rows);
  if (basis.size() == size) {
    simplex.copyinStatus(basis.data());
    simplex.primal();
  } else {
    simplex.allSlackBasis(true);
    simplex.dual();
    if (!simplex.isProvenOptimal()) simplex.primal();
  }
  basis.assign(simplex.statusArray(), simplex.statusArray() + size);

  if (!program_->take_solution(scores, out)) {
    std::vector<std::int32_t> nearest(static_cast<std::size_t>(plan.graph().num_variables()));
    round_beliefs(plan.graph(), out, nearest);
    set_beliefs(plan.graph(), nearest, out);
  }
  const double value = score_of(scores, out);
  const double bound = program_->bound(scores, scale, plan);
  double sizes = 0.0;
  for (const double score : scores.states) sizes += std::fabs(score);
  for (const double score : scores.joints) sizes += std::fabs(score);
  const bool is_proven = bound - value <= kProof * sizes;
  return {value, is_proven ? value : bound, is_proven};
}

}  // namespace gapwise::internal
