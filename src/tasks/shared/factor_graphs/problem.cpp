#include "tasks/shared/factor_graphs/problem.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>

#include "gapwise/errors.h"
#include "tasks/shared/graph_scorer.h"
#include "tasks/shared/row_sums.h"

namespace gapwise::internal {
namespace {

/// Adds the scores of (joint) states of a unit: of `first` and those behind it.
void add_scores(const UnitFeatures& features, const std::vector<Index>& offsets, std::size_t unit,
                Weights w, std::span<double> out, std::size_t first = 0) {
  for_each_feature(features.numbers.row(unit), [&](std::size_t a, double x) {
    const double* weights = w.data() + offsets[a] + first;
    for (std::size_t s = 0; s < out.size(); ++s) out[s] += x * weights[s];
  });
  for (const UnitFeatures::Table& table : features.tables_of(unit)) {
    const double weight = w[static_cast<std::size_t>(offsets[table.attribute])];
    const double* values = features.values.data() + table.begin + first;
    for (std::size_t s = 0; s < out.size(); ++s) out[s] += weight * values[s];
  }
}

/// What is computed once for all oracles.
class Graphs final : public FactorGraphs {
 public:
  Graphs(std::shared_ptr<const FactorGraphData> data, FactorGraphLoss loss)
      : data_(std::move(data)), costs_(data_->costs) {
    if (loss == FactorGraphLoss::kHamming) return;
    for (Index i = 0; i < data_->size(); ++i) normalize(i);
  }

  const FactorGraphData& data() const { return *data_; }
  const FactorGraph& graph(Index i) const override { return data_->graph(i); }
  std::span<const std::int32_t> truth(Index i) const override { return data_->truth_of(i); }
  double cost(Index i, Index v, Index s) const override {
    const std::size_t at = data_->first_variable(i) + static_cast<std::size_t>(v);
    return data_->truth[at] == s ? 0.0 : costs_[at];
  }

 private:
  /// Makes the costs of graph i add up to 1.
  void normalize(Index i) {
    const auto begin = costs_.begin() + static_cast<std::ptrdiff_t>(data_->first_variable(i));
    const auto end = begin + std::ssize(data_->truth_of(i));
    double sum = 0.0;
    for (auto cost = begin; cost != end; ++cost) sum += *cost;
    for (auto cost = begin; cost != end && sum > 0.0; ++cost) *cost /= sum;
  }

  std::shared_ptr<const FactorGraphData> data_;
  std::vector<double> costs_;  ///< of a wrong state of each variable
};

struct Shared {
  Shared(Graphs of, const GraphWeightLayout& weights)
      : graphs(std::move(of)),
        layout(weights),
        plans(graphs, graphs.data().size()),
        bases(static_cast<std::size_t>(graphs.data().size())) {}

  Graphs graphs;
  GraphWeightLayout layout;
  GraphPlans plans;
  mutable std::vector<LinearBasis> bases;  ///< of each block, which one thread decodes at a time
};

class FactorGraphOracle final : public Oracle {
 public:
  explicit FactorGraphOracle(const Shared& shared)
      : shared_(shared),
        data_(shared.graphs.data()),
        sums_(static_cast<std::size_t>(shared.layout.dimension())) {}

  void score(Index i, Weights w, PartScores& theta) override {
    const FactorGraph& graph = data_.graph(i);
    score_graph(data_, shared_.layout, i, w,
                theta.resize(graph.state_parts.size() + graph.table_parts.size()));
  }

  void decode(Index i, const PartScores& theta, Augment augment, Corner& out) override {
    const GraphScores scores = scorer_.score(shared_.graphs, i, theta, augment);
    const auto truth = data_.truth_of(i);
    states_.resize(truth.size());
    const GraphResult found = decoder_.maximize(
        shared_.plans[i], scores, shared_.bases[static_cast<std::size_t>(i)], states_);
    const double truth_score = score_of(scores, truth);
    if (!found.is_exact && found.value < truth_score && augment == Augment::kLoss) {
      std::copy(truth.begin(), truth.end(), states_.begin());
    }
    set_corner(i, out);
    out.is_exact = found.is_exact;
    if (!found.is_exact) out.upper_bound = found.upper_bound - truth_score;
  }

  void score_some(Index i, Weights w, std::span<const Index> ids, std::span<double> out) override {
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t k = 0; k < ids.size();) {
      const Place at = place_of(i, ids[k]);
      std::size_t count = 1;  // neighbours in the same unit
      while (count < at.states_left && k + count < ids.size() &&
             ids[k + count] == ids[k] + static_cast<Index>(count)) {
        ++count;
      }
      add_scores(*at.features, *at.offsets, at.unit, w, out.subspan(k, count), at.cell);
      k += count;
    }
  }
  bool describe(Index i, std::span<const Index> ids, PartRows& out) override {
    for (std::size_t k = 0; k < ids.size(); ++k) {
      out.begin_row();
      for_each_weight(i, ids[k],
                      [&](std::size_t j, double x) { out.add_feature(static_cast<Index>(j), x); });
      out.add_part(k);
    }
    return true;
  }
  void scatter(Index i, const Parts& v, double scale, MutableWeights w) override {
    for (const Part& part : v) {
      const double factor = scale * part.value;
      for_each_weight(i, part.id, [&](std::size_t j, double x) { w[j] += factor * x; });
    }
  }
  double squared_norm(Index i, const Parts& v) override {
    scatter(i, v, 1.0, sums_);
    double sum = 0.0;
    for (const Part& part : v) {
      for_each_weight(i, part.id, [&](std::size_t j, double) {
        sum += sums_[j] * sums_[j];
        sums_[j] = 0.0;
      });
    }
    return sum;
  }
  double inner_product(Index i, const Parts& u, const Parts& v) override {
    scatter(i, u, 1.0, sums_);
    double sum = 0.0;
    for (const Part& part : v) {
      for_each_weight(i, part.id,
                      [&](std::size_t j, double x) { sum += part.value * x * sums_[j]; });
    }
    for (const Part& part : u) {
      for_each_weight(i, part.id, [&](std::size_t j, double) { sums_[j] = 0.0; });
    }
    return sum;
  }

  bool has_recognition() const override { return true; }
  bool recognize(Index i, const Parts& parts, Corner& out) override {
    const FactorGraph& graph = data_.graph(i);
    const auto truth = data_.truth_of(i);
    states_.assign(truth.begin(), truth.end());
    for (const Part& part : parts) {
      if (part.id < 0 || part.id >= graph.state_starts.back() || part.value >= 0.0) continue;
      const auto v = unit_of(graph.state_starts, part.id);
      states_[v] = static_cast<std::int32_t>(part.id - graph.state_starts[v]);
    }
    set_corner(i, out);
    return out.parts == parts;
  }

 private:
  /// The unit whose range of `starts` has `place`.
  static std::size_t unit_of(const std::vector<Index>& starts, Index place) {
    return static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), place) -
                                    starts.begin() - 1);
  }

  /// Where a part of block i is.
  struct Place {
    const UnitFeatures* features;
    const std::vector<Index>* offsets;
    std::size_t unit;
    std::size_t cell;         ///< its (joint) state
    std::size_t states_left;  ///< of the unit, from this one on
  };
  Place place_of(Index i, Index id) const {
    const FactorGraph& graph = data_.graph(i);
    const Index states = graph.state_starts.back();
    const bool is_state = id < states;
    const Index place = is_state ? id : id - states;
    const std::vector<Index>& starts = is_state ? graph.state_starts : graph.table_starts;
    const std::size_t local = unit_of(starts, place);
    return {is_state ? &data_.variables : &data_.factors,
            is_state ? &shared_.layout.variables : &shared_.layout.factors,
            local + (is_state ? data_.first_variable(i) : data_.first_factor(i)),
            static_cast<std::size_t>(place - starts[local]),
            static_cast<std::size_t>(starts[local + 1] - place)};
  }

  /// visit(j, x) for the column of B_i that belongs to a part.
  template <class Visit>
  void for_each_weight(Index i, Index id, Visit visit) const {
    const Place at = place_of(i, id);
    for_each_feature(at.features->numbers.row(at.unit), [&](std::size_t a, double x) {
      visit(static_cast<std::size_t>((*at.offsets)[a]) + at.cell, x);
    });
    for (const UnitFeatures::Table& table : at.features->tables_of(at.unit)) {
      visit(static_cast<std::size_t>((*at.offsets)[table.attribute]),
            at.features->values[table.begin + at.cell]);
    }
  }

  /// The corner of states_.
  void set_corner(Index i, Corner& out) {
    const FactorGraph& graph = data_.graph(i);
    const auto truth = data_.truth_of(i);
    out.set_truth();
    const auto differ = [&](Index first, Index right, Index found) {
      if (right == found) return;
      out.parts.append(first + std::min(right, found), right < found ? 1.0 : -1.0);
      out.parts.append(first + std::max(right, found), right < found ? -1.0 : 1.0);
    };
    for (std::size_t v = 0; v < truth.size(); ++v) {
      differ(graph.state_starts[v], truth[v], states_[v]);
      out.loss += shared_.graphs.cost(i, static_cast<Index>(v), states_[v]);
    }
    for (Index c = 0; c < graph.num_factors(); ++c) {
      differ(graph.state_starts.back() + graph.table_starts[static_cast<std::size_t>(c)],
             joint_state(graph, c, truth), joint_state(graph, c, states_));
    }
  }

  const Shared& shared_;
  const FactorGraphData& data_;
  std::vector<double> sums_;  ///< zero between calls
  std::vector<std::int32_t> states_;
  GraphScorer scorer_;
  GraphDecoder decoder_;
};

class FactorGraphProblem final : public Problem {
 public:
  FactorGraphProblem(std::shared_ptr<const FactorGraphData> data, const GraphWeightLayout& layout,
                     FactorGraphLoss loss)
      : loss_(loss), shared_(Graphs(std::move(data), loss), layout) {}

  Index num_blocks() const override { return data().size(); }
  Index dimension() const override { return shared_.layout.dimension(); }
  std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<FactorGraphOracle>(shared_);
  }
  std::vector<WeightGroup> weight_groups() const override {
    const Index factors = shared_.layout.factors.front();
    std::vector<WeightGroup> groups{{"variables", 0, factors}};
    if (factors < dimension()) groups.push_back({"factors", factors, dimension()});
    groups.push_back({"all", 0, dimension()});
    return groups;
  }
  double oracle_cost() const override {
    double cells = 0.0;
    for (Index i = 0; i < num_blocks(); ++i) {
      const Elimination& elimination = shared_.plans[i].elimination();
      cells += elimination.is_complete()
                   ? static_cast<double>(elimination.num_cells())
                   : kSimplexCost * static_cast<double>(data().graph(i).table_parts.size());
    }
    return cells / static_cast<double>(num_blocks());
  }
  const FactorGraphs* factor_graphs() const override { return &shared_.graphs; }
  std::uint64_t fingerprint() const override;

 private:
  /// A relaxation passes over every joint state many times.
  static constexpr double kSimplexCost = 100.0;

  const FactorGraphData& data() const { return shared_.graphs.data(); }

  FactorGraphLoss loss_;
  Shared shared_;
};

std::uint64_t FactorGraphProblem::fingerprint() const {
  std::uint64_t hash = static_cast<std::uint64_t>(loss_);
  const auto mix = [&](const auto& values) {
    hash = XXH3_64bits_withSeed(values.data(), values.size() * sizeof values[0], hash);
  };
  const FactorGraphData& all = data();
  mix(shared_.layout.variables);
  mix(shared_.layout.factors);
  mix(all.variable_starts);
  mix(all.factor_starts);
  mix(all.truth);
  mix(all.costs);
  for (const auto& graph : all.graphs) {
    mix(graph->state_starts);
    mix(graph->scope_starts);
    mix(graph->scopes);
  }
  for (const UnitFeatures* features : {&all.variables, &all.factors}) {
    features->numbers.hash_into(hash);
    for (const UnitFeatures::Table& table : features->tables) {
      mix(std::array<std::uint64_t, 2>{table.attribute, table.begin});
    }
    mix(features->table_starts);
    mix(features->values);
  }
  return hash;
}

}  // namespace

void score_graph(const FactorGraphData& data, const GraphWeightLayout& layout, Index i, Weights w,
                 std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  const FactorGraph& graph = data.graph(i);
  for (Index v = 0; v < graph.num_variables(); ++v) {
    const auto states = static_cast<std::size_t>(graph.num_states(v));
    add_scores(data.variables, layout.variables,
               data.first_variable(i) + static_cast<std::size_t>(v), w, out.first(states));
    out = out.subspan(states);
  }
  for (Index c = 0; c < graph.num_factors(); ++c) {
    const std::size_t cells = graph.parts_of_factor(c).size();
    add_scores(data.factors, layout.factors, data.first_factor(i) + static_cast<std::size_t>(c), w,
               out.first(cells));
    out = out.subspan(cells);
  }
}

std::unique_ptr<Problem> make_factor_graph_problem(std::shared_ptr<const FactorGraphData> data,
                                                   const GraphWeightLayout& layout,
                                                   FactorGraphLoss loss) {
  if (data->size() < 1) throw InputError("there are no graphs to train on");
  if (std::any_of(data->truth.begin(), data->truth.end(), [](auto state) { return state < 0; })) {
    throw InputError("a variable has no state; training needs one for each");
  }
  return std::make_unique<FactorGraphProblem>(std::move(data), layout, loss);
}

bool FactorGraphLabeller::label(const FactorGraphData& data, Index i, Assignment out) {
  const auto& graph = data.graphs[static_cast<std::size_t>(i)];
  if (graph_ != graph) {
    plan_ = std::make_unique<GraphPlan>(*graph);
    decoder_ = {};  // knows the last graph by its address
    graph_ = graph;
  }
  scores_.resize(graph->state_parts.size() + graph->table_parts.size());
  score_graph(data, layout_, i, w_, scores_);
  const std::span<const double> scores(scores_);
  LinearBasis basis;
  return decoder_
      .maximize(*plan_,
                {*graph, scores.first(graph->state_parts.size()),
                 scores.subspan(graph->state_parts.size())},
                basis, out)
      .is_exact;
}

}  // namespace gapwise::internal
