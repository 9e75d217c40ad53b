#include "solve/factorwise/beliefs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gapwise/errors.h"

namespace gapwise::internal {

void add_marginals(std::span<const double> table, const Axis& axis, std::span<double> out) {
  const auto stride = static_cast<std::size_t>(axis.stride);
  for (std::size_t at = 0; at < table.size();) {
    for (double& sum : out) {
      for (std::size_t end = at + stride; at < end; ++at) sum += table[at];
    }
  }
}

void find_max_marginals(std::span<const double> table, const Axis& axis, std::span<double> out) {
  const auto stride = static_cast<std::size_t>(axis.stride);
  std::fill(out.begin(), out.end(), -std::numeric_limits<double>::infinity());
  for (std::size_t at = 0; at < table.size();) {
    for (double& best : out) {
      for (const std::size_t end = at + stride; at < end; ++at) best = std::max(best, table[at]);
    }
  }
}

void add_message(std::span<const double> message, double scale, const Axis& axis,
                 std::span<double> table) {
  const auto stride = static_cast<std::size_t>(axis.stride);
  for (std::size_t at = 0; at < table.size();) {
    for (const double x : message) {
      const double added = scale * x;
      for (std::size_t end = at + stride; at < end; ++at) table[at] += added;
    }
  }
}

double BlockBeliefs::squared_residual() const {
  double sum = 0.0;
  for_each_axis([&](const Region& factor, const Axis& axis) {
    const std::span<const double> marginal = marginals(factor, axis);
    const std::span<const double> belief = beliefs_of_variable(axis);
    for (std::size_t s = 0; s < marginal.size(); ++s) {
      const double r = marginal[s] - belief[s];
      sum += r * r;
    }
  });
  return sum;
}

double BlockBeliefs::multiplied_residual() const {
  double sum = 0.0;
  for_each_axis([&](const Region& factor, const Axis& axis) {
    const std::span<const double> marginal = marginals(factor, axis);
    const std::span<const double> belief = beliefs_of_variable(axis);
    const std::span<const double> multiplier = multipliers(factor, axis);
    for (std::size_t s = 0; s < marginal.size(); ++s) {
      sum += multiplier[s] * (marginal[s] - belief[s]);
    }
  });
  return sum;
}

void BlockBeliefs::raise_multipliers(double step) const {
  for_each_axis([&](const Region& factor, const Axis& axis) {
    const std::span<const double> marginal = marginals(factor, axis);
    const std::span<const double> belief = beliefs_of_variable(axis);
    const std::span<double> multiplier = multipliers(factor, axis);
    const std::span<double> total = multiplier_sums(layout_->region(axis.variable));
    for (std::size_t s = 0; s < marginal.size(); ++s) {
      const double change = step * (marginal[s] - belief[s]);
      multiplier[s] += change;
      total[s] += change;
    }
  });
}

void BlockBeliefs::add_up_multipliers() const {
  for (const Region& region : layout_->regions()) {
    if (!region.is_factor()) std::fill_n(multiplier_sums(region).begin(), region.size, 0.0);
  }
  for_each_axis([&](const Region& factor, const Axis& axis) {
    const std::span<double> total = multiplier_sums(layout_->region(axis.variable));
    const std::span<const double> multiplier = multipliers(factor, axis);
    for (std::size_t s = 0; s < total.size(); ++s) total[s] += multiplier[s];
  });
}

void BlockBeliefs::rebuild() const {
  for (const Region& region : layout_->regions()) {
    if (!region.is_factor()) std::fill_n(sums(region).begin(), region.size, 0.0);
  }
  for_each_axis([&](const Region& factor, const Axis& axis) {
    const std::span<double> marginal = marginals(factor, axis);
    std::fill(marginal.begin(), marginal.end(), 0.0);
    add_marginals(beliefs(factor), axis, marginal);
    const std::span<double> sum = sums_of_variable(axis);
    for (std::size_t s = 0; s < marginal.size(); ++s) sum[s] += marginal[s];
  });
  add_up_multipliers();
}

Beliefs::Beliefs(const Problem& problem) : graphs_(*problem.factor_graphs()) {
  std::vector<const GraphLayout*> layouts;
  std::size_t size = 0;
  for (Index i = 0; i < problem.num_blocks(); ++i) {
    const FactorGraph& graph = graphs_.graph(i);
    auto found = layouts_.find(&graph);
    if (found == layouts_.end()) found = layouts_.emplace(&graph, GraphLayout(graph, i)).first;
    layouts.push_back(&found->second);
    is_forest_ = is_forest_ && found->second.is_forest();
    num_messages_ += found->second.num_messages();
    size += static_cast<std::size_t>(found->second.record_size());
  }
  records_.assign(size, 0.0);
  double* record = records_.data();
  for (const GraphLayout* layout : layouts) {
    blocks_.emplace_back(*layout, record);
    record += layout->record_size();
  }
  for (Index i = 0; i < problem.num_blocks(); ++i) begin_at_truth(i);
}

void Beliefs::begin_at_truth(Index i) {
  const BlockBeliefs block = (*this)[i];
  const std::span<const std::int32_t> truth = graphs_.truth(i);
  const GraphLayout& layout = block.layout();
  if (std::ssize(truth) != layout.num_variables()) {
    throw OracleError(fmt::format("example {} has {} true states for {} variables", i, truth.size(),
                                  layout.num_variables()));
  }
  for (Index v = 0; v < layout.num_variables(); ++v) {
    const Region& variable = layout.region(v);
    const std::int32_t state = truth[static_cast<std::size_t>(v)];
    if (state < 0 || state >= variable.size) {
      throw OracleError(fmt::format("the true state {} of variable {} in example {} is none of {}",
                                    state, v, i, variable.size));
    }
    const std::span<double> costs = block.costs(variable);
    for (Index s = 0; s < variable.size; ++s) {
      const double cost = graphs_.cost(i, v, s);
      if (!(cost >= 0.0) || !std::isfinite(cost) || (s == state && cost > 0.0)) {
        throw OracleError(
            fmt::format("state {} of variable {} in example {} costs {}; costs are finite and "
                        ">= 0, and the true state costs 0",
                        s, v, i, cost));
      }
      costs[static_cast<std::size_t>(s)] = cost;
    }
  }
  for (Index a = 0; a < std::ssize(layout.regions()); ++a) {
    block.beliefs(layout.region(a))[static_cast<std::size_t>(layout.state_at(a, truth))] = 1.0;
  }
  block.rebuild();
}

void Beliefs::save(StateWriter& out) const {
  out.weights(records_);
}

void Beliefs::load(StateReader& in) {
  const std::vector<double> fresh = records_;
  in.weights(records_);
  for (Index i = 0; i < num_blocks(); ++i) {
    const BlockBeliefs block = (*this)[i];
    for (const Region& region : block.layout().regions()) {
      double sum = 0.0;
      for (const double belief : block.beliefs(region)) {
        in.require(belief >= 0.0, "a belief below 0");
        sum += belief;
      }
      in.require(std::abs(sum - 1.0) <= kMostDrift, "beliefs that do not add up to 1");
      if (region.is_factor()) continue;
      const std::span<double> costs = block.costs(region);
      std::copy_n(fresh.data() + (costs.data() - records_.data()), costs.size(), costs.begin());
    }
  }
}

}  // namespace gapwise::internal
