#include "infer/graph/elimination.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/stop.h"

namespace gapwise::internal {

/// Plays the elimination through without scores.
class Elimination::Builder {
 public:
  Builder(const FactorGraph& graph, Index most_cells, Elimination& out)
      : graph_(graph), most_cells_(static_cast<double>(most_cells)), out_(out) {
    const auto variables = static_cast<std::size_t>(graph.num_variables());
    for (Index v = 0; v < graph.num_variables(); ++v)
      out.num_states_.push_back(graph.num_states(v));
    tables_of_.resize(variables);
    neighbours_.resize(variables);
    for (Index c = 0; c < graph.num_factors(); ++c) {
      const auto scope = graph.scope(c);
      add_table({{scope.begin(), scope.end()},
                 true,
                 graph.table_starts[static_cast<std::size_t>(c)],
                 false});
      meet({scope.begin(), scope.end()});
    }
    for (std::vector<Index>& list : neighbours_) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }

  /// False if there are too many cells.
  bool run() {
    for (Index v = 0; v < graph_.num_variables(); ++v) queue_.emplace(cells_of(v), v);
    double sum = 0.0;
    while (!queue_.empty()) {
      const auto [cells, v] = *queue_.begin();
      sum += cells;
      if (sum > most_cells_) return false;
      queue_.erase(queue_.begin());
      take_out(v);
    }
    return true;
  }

 private:
  struct Table {
    std::vector<Index> scope;
    bool is_factor;
    Index begin;
    bool is_used;
  };

  void add_table(Table table) {
    for (const Index v : table.scope) at(tables_of_, v).push_back(tables_.size());
    tables_.push_back(std::move(table));
  }
  void meet(const std::vector<Index>& variables) {
    for (const Index u : variables) {
      for (const Index v : variables) {
        if (u != v) at(neighbours_, u).push_back(v);
      }
    }
  }

  /// The joint states of v and its neighbours.
  double cells_of(Index v) const {
    auto cells = static_cast<double>(graph_.num_states(v));
    for (const Index u : at(neighbours_, v)) cells *= static_cast<double>(graph_.num_states(u));
    return cells;
  }

  void take_out(Index v) {
    Step step;
    step.variable = v;
    step.others = std::exchange(at(neighbours_, v), {});
    step.begin = out_.num_messages_;
    for (const Index u : step.others) step.cells *= graph_.num_states(u);
    for (const std::size_t k : at(tables_of_, v)) {
      if (std::exchange(tables_[k].is_used, true)) continue;
      step.inputs.push_back(input_of(tables_[k], step));
    }
    out_.num_cells_ += step.cells * graph_.num_states(v);
    out_.num_messages_ += step.cells;
    for (const Index u : step.others) reconnect(u, step);
    if (!step.others.empty()) add_table({step.others, false, step.begin, false});
    out_.steps_.push_back(std::move(step));
  }

  /// All that met the variable of the step now meet each other.
  void reconnect(Index u, const Step& step) {
    queue_.erase({cells_of(u), u});
    std::vector<Index>& list = at(neighbours_, u);
    merged_.clear();
    std::set_union(list.begin(), list.end(), step.others.begin(), step.others.end(),
                   std::back_inserter(merged_));
    std::erase_if(merged_, [&](Index other) { return other == u || other == step.variable; });
    list = merged_;
    queue_.emplace(cells_of(u), u);
  }

  Input input_of(const Table& table, const Step& step) const {
    Input input{table.is_factor, table.begin, std::vector<Index>(step.others.size() + 1, 0)};
    Index stride = 1;
    for (std::size_t k = table.scope.size(); k-- > 0;) {
      const Index u = table.scope[k];
      const auto place = u == step.variable
                             ? step.others.end()
                             : std::lower_bound(step.others.begin(), step.others.end(), u);
      input.strides[static_cast<std::size_t>(place - step.others.begin())] = stride;
      stride *= graph_.num_states(u);
    }
    return input;
  }

  template <class T>
  static T& at(std::vector<T>& of, Index k) {
    return of[static_cast<std::size_t>(k)];
  }
  template <class T>
  static const T& at(const std::vector<T>& of, Index k) {
    return of[static_cast<std::size_t>(k)];
  }

  const FactorGraph& graph_;
  double most_cells_;
  Elimination& out_;
  std::vector<Table> tables_;
  std::vector<std::vector<std::size_t>> tables_of_;  ///< of each variable
  std::vector<std::vector<Index>> neighbours_;       ///< ascending
  std::set<std::pair<double, Index>> queue_;         ///< cells and variable
  std::vector<Index> merged_;
};

Elimination::Elimination(const FactorGraph& graph, Index most_cells) {
  is_complete_ = Builder(graph, most_cells, *this).run();
  if (!is_complete_) steps_.clear();
}

/// scratch.sums = the scores of the states of the step's variable beside each cell.
void Elimination::sum_inputs(const Step& step, const GraphScores& scores, Scratch& scratch) const {
  const auto own = scores.of_variable(step.variable);
  const std::size_t states = own.size();
  const auto cells = static_cast<std::size_t>(step.cells);
  scratch.sums.resize(cells * states);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    std::copy(own.begin(), own.end(), scratch.sums.data() + cell * states);
  }
  for (const Input& input : step.inputs) {
    const double* values =
        (input.is_factor ? scores.joints.data() : scratch.messages.data()) + input.begin;
    const Index stride = input.strides.back();
    scratch.digits.assign(step.others.size(), 0);
    for (std::size_t cell = 0; cell < cells; ++cell) {
      double* sums = scratch.sums.data() + cell * states;
      for (std::size_t s = 0; s < states; ++s) sums[s] += values[static_cast<Index>(s) * stride];
      for (std::size_t k = step.others.size(); k-- > 0;) {  // the next cell
        const Index size = num_states_[static_cast<std::size_t>(step.others[k])];
        values += input.strides[k];
        if (++scratch.digits[k] < size) break;
        values -= size * input.strides[k];
        scratch.digits[k] = 0;
      }
    }
  }
}

void Elimination::maximize(const GraphScores& scores, Scratch& scratch, Assignment out) const {
  scratch.messages.resize(static_cast<std::size_t>(num_messages_));
  scratch.best.resize(static_cast<std::size_t>(num_messages_));
  for (const Step& step : steps_) {
    give_up_if_asked();
    sum_inputs(step, scores, scratch);
    const auto states =
        static_cast<std::ptrdiff_t>(num_states_[static_cast<std::size_t>(step.variable)]);
    const double* sums = scratch.sums.data();
    for (Index cell = 0; cell < step.cells; ++cell, sums += states) {
      const auto place = static_cast<std::size_t>(step.begin + cell);
      const double* best = std::max_element(sums, sums + states);
      scratch.messages[place] = *best;
      scratch.best[place] = static_cast<std::int32_t>(best - sums);
    }
  }
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    Index cell = 0;
    for (const Index u : step->others) {
      cell = cell * num_states_[static_cast<std::size_t>(u)] + out[static_cast<std::size_t>(u)];
    }
    out[static_cast<std::size_t>(step->variable)] =
        scratch.best[static_cast<std::size_t>(step->begin + cell)];
  }
}

}  // namespace gapwise::internal
