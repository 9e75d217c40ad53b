#include "infer/graph/message_passing.h"

#include <algorithm>
#include <cmath>

namespace gapwise::internal {
namespace {

/// An axis of a table: entry y has state y / stride % states.
struct Axis {
  std::size_t states;
  std::size_t stride;
};

/// visit(first, last, state) for runs of entries that have the same state, in order.
template <class Visit>
void for_each_run(std::size_t cells, const Axis& axis, Visit visit) {
  std::size_t state = 0;
  for (std::size_t first = 0; first < cells; first += axis.stride) {
    visit(first, first + axis.stride, state);
    state = state + 1 == axis.states ? 0 : state + 1;
  }
}

void add_message(std::span<const double> message, double sign, const Axis& axis,
                 std::span<double> table) {
  if (axis.stride == 1) {  // the last axis: whole rows
    for (std::size_t first = 0; first < table.size(); first += axis.states) {
      for (std::size_t s = 0; s < axis.states; ++s) table[first + s] += sign * message[s];
    }
    return;
  }
  for_each_run(table.size(), axis, [&](std::size_t first, std::size_t last, std::size_t state) {
    const double x = sign * message[state];
    for (std::size_t y = first; y < last; ++y) table[y] += x;
  });
}

/// best[s] = the largest entry with state s.
void find_max_marginals(std::span<const double> table, const Axis& axis, std::span<double> best) {
  std::fill(best.begin(), best.end(), -INFINITY);
  if (axis.stride == 1) {
    for (std::size_t first = 0; first < table.size(); first += axis.states) {
      for (std::size_t s = 0; s < axis.states; ++s) {
        best[s] = std::max(best[s], table[first + s]);
      }
    }
    return;
  }
  for_each_run(table.size(), axis, [&](std::size_t first, std::size_t last, std::size_t state) {
    double most = best[state];
    for (std::size_t y = first; y < last; ++y) most = std::max(most, table[y]);
    best[state] = most;
  });
}

/// visit(v, axis, offset of its message among those of the factor) for the variables of factor c.
template <class Visit>
void for_each_axis(const FactorGraph& graph, Index c, Visit visit) {
  std::size_t stride = graph.parts_of_factor(c).size();
  std::size_t offset = 0;
  for (const Index v : graph.scope(c)) {
    const auto states = static_cast<std::size_t>(graph.num_states(v));
    stride /= states;
    visit(v, Axis{states, stride}, offset);
    offset += states;
  }
}

}  // namespace

void MessagePassing::start(const GraphPlan& plan, const GraphScores& scores) {
  const FactorGraph& graph = plan.graph();
  own_.assign(scores.states.begin(), scores.states.end());
  message_starts_.assign(1, 0);
  for (Index c = 0; c < graph.num_factors(); ++c) {
    std::size_t size = 0;
    for (const Index v : graph.scope(c)) size += static_cast<std::size_t>(graph.num_states(v));
    message_starts_.push_back(message_starts_.back() + size);
  }
  messages_.assign(message_starts_.back(), 0.0);
}

double MessagePassing::sweep(const GraphPlan& plan, const GraphScores& scores) {
  const Index factors = plan.graph().num_factors();
  for (Index c = 0; c < factors; ++c) tighten(plan, scores, c);
  for (Index c = factors - 1; c >= 0; --c) tighten(plan, scores, c);
  return bound(plan, scores);
}

void MessagePassing::tighten(const GraphPlan& plan, const GraphScores& scores, Index c) {
  const FactorGraph& graph = plan.graph();
  const auto joints = scores.of_factor(c);
  table_.assign(joints.begin(), joints.end());
  double* const messages = messages_.data() + message_starts_[static_cast<std::size_t>(c)];
  for_each_axis(graph, c, [&](Index v, const Axis& axis, std::size_t offset) {
    const std::span<double> own = states_of(graph, v);
    for (std::size_t s = 0; s < axis.states; ++s) own[s] -= messages[offset + s];
    add_message(own, 1.0, axis, table_);
  });
  const double share = 1.0 / static_cast<double>(graph.scope(c).size());
  for_each_axis(graph, c, [&](Index v, const Axis& axis, std::size_t offset) {
    const std::span<double> own = states_of(graph, v);
    best_.resize(axis.states);
    find_max_marginals(table_, axis, best_);
    for (std::size_t s = 0; s < axis.states; ++s) {
      messages[offset + s] = share * best_[s] - own[s];
      own[s] = share * best_[s];
    }
  });
}

/// Sums are made anew, so that rounding does not add up over sweeps.
double MessagePassing::bound(const GraphPlan& plan, const GraphScores& scores) {
  const FactorGraph& graph = plan.graph();
  own_.assign(scores.states.begin(), scores.states.end());
  double sum = 0.0;
  for (Index c = 0; c < graph.num_factors(); ++c) {
    const auto joints = scores.of_factor(c);
    table_.assign(joints.begin(), joints.end());
    const double* const messages = messages_.data() + message_starts_[static_cast<std::size_t>(c)];
    for_each_axis(graph, c, [&](Index v, const Axis& axis, std::size_t offset) {
      const std::span<const double> message(messages + offset, axis.states);
      const std::span<double> own = states_of(graph, v);
      for (std::size_t s = 0; s < axis.states; ++s) own[s] += message[s];
      add_message(message, -1.0, axis, table_);
    });
    sum += *std::max_element(table_.begin(), table_.end());
  }
  for (Index v = 0; v < graph.num_variables(); ++v) {
    const std::span<const double> own = states_of(graph, v);
    sum += *std::max_element(own.begin(), own.end());
  }
  return sum;
}

}  // namespace gapwise::internal
