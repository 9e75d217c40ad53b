#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gapwise/problem.h"
#include "infer/graph/decoder.h"
#include "tasks/shared/factor_graphs/vocabulary.h"
#include "tasks/shared/feature_rows.h"
#include "tasks/shared/hamming_loss.h"

namespace gapwise::internal {

/// The features of variables, or of factors, one after the other.
struct UnitFeatures {
  /// A table of numbers, one for each (joint) state of its unit.
  struct Table {
    std::uint32_t attribute;
    std::size_t begin;  ///< in `values`
  };

  FeatureRows numbers;
  std::vector<Table> tables;
  std::vector<std::size_t> table_starts{0};  ///< of each unit
  std::vector<double> values;

  std::size_t size() const { return table_starts.size() - 1; }
  std::span<const Table> tables_of(std::size_t unit) const {
    return std::span(tables).subspan(table_starts[unit],
                                     table_starts[unit + 1] - table_starts[unit]);
  }
  void end_unit() {
    numbers.end_row();
    table_starts.push_back(tables.size());
  }
};

/// Factor graphs, numbers only. Variable v of graph i is unit variable_starts[i] + v of
/// `variables`, factor c unit factor_starts[i] + c of `factors`.
struct FactorGraphData {
  std::vector<std::shared_ptr<const FactorGraph>> graphs;  ///< those of equal shape share one
  std::vector<std::size_t> variable_starts{0};
  std::vector<std::size_t> factor_starts{0};
  UnitFeatures variables;
  UnitFeatures factors;
  std::vector<std::int32_t> kinds;  ///< of each variable
  std::vector<std::int32_t> truth;  ///< of each variable; -1: not known
  std::vector<double> costs;        ///< of a wrong state of each variable, >= 0

  Index size() const { return static_cast<Index>(graphs.size()); }
  std::size_t first_variable(Index i) const { return variable_starts[static_cast<std::size_t>(i)]; }
  std::size_t first_factor(Index i) const { return factor_starts[static_cast<std::size_t>(i)]; }
  const FactorGraph& graph(Index i) const { return *graphs[static_cast<std::size_t>(i)]; }
  std::span<const std::int32_t> truth_of(Index i) const {
    return std::span(truth).subspan(
        first_variable(i), variable_starts[static_cast<std::size_t>(i) + 1] - first_variable(i));
  }
};

using FactorGraphLoss = HammingLoss;

/// Part k of a graph is its k-th state, all variables one after the other; then come the joint
/// states of factors. InputError if the data have no graphs, or states that are not known.
std::unique_ptr<Problem> make_factor_graph_problem(std::shared_ptr<const FactorGraphData> data,
                                                   const GraphWeightLayout& layout,
                                                   FactorGraphLoss loss);

/// The scores of all parts of graph i at w: states, then joint states.
void score_graph(const FactorGraphData& data, const GraphWeightLayout& layout, Index i, Weights w,
                 std::span<double> out);

/// Labels graphs with given weights; one per thread.
class FactorGraphLabeller {
 public:
  FactorGraphLabeller(const GraphWeightLayout& layout, Weights w) : layout_(layout), w_(w) {}
  /// With scratch memory of its own.
  FactorGraphLabeller(const FactorGraphLabeller& other)
      : FactorGraphLabeller(other.layout_, other.w_) {}
  FactorGraphLabeller& operator=(const FactorGraphLabeller&) = delete;

  /// Writes good states of graph i; whether they are proven to be the best.
  bool label(const FactorGraphData& data, Index i, Assignment out);

 private:
  const GraphWeightLayout& layout_;
  Weights w_;
  std::vector<double> scores_;
  GraphDecoder decoder_;
  std::shared_ptr<const FactorGraph> graph_;  ///< of the last call
  std::unique_ptr<GraphPlan> plan_;
};

}  // namespace gapwise::internal
