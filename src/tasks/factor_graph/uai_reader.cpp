#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/fields.h"
#include "tasks/factor_graph/reader.h"

namespace gapwise::internal {
namespace {

/// Potentials below this count as this: their logarithms must be finite.
constexpr double kLeastPotential = 1e-30;
constexpr const char* kPotential = "potential";
constexpr const char* kBias = "bias";

/// The fields of a file one by one, wherever its lines end.
class FieldStream {
 public:
  explicit FieldStream(LineReader& lines) : lines_(lines) {}

  /// Whether there is one more; looks, takes nothing.
  bool has_next() {
    if (next_ < fields_.size()) return true;
    next_ = 0;
    return next_fields(lines_, fields_);
  }
  std::string_view peek() { return has_next() ? fields_[next_] : std::string_view(); }
  /// The next one, which is `what`.
  std::string_view take(std::string_view what) {
    if (!has_next()) lines_.fail(fmt::format("the file ends where {} should be", what));
    return fields_[next_++];
  }
  Index take_number(std::string_view what, Index low, Index high) {
    const std::string_view text = take(what);
    Index number = 0;
    if (!parse_index(text, number) || number < low || number > high) {
      lines_.fail(fmt::format("'{}' where {} should be, a whole number from {} to {}", text, what,
                              low, high));
    }
    return number;
  }

 private:
  LineReader& lines_;
  std::vector<std::string_view> fields_;
  std::size_t next_ = 0;
};

/// A network is MARKOV or BAYES, the number of variables, the states of each; the number of
/// factors, the variables of each, with their number before them; and the table of each, with the
/// number of its entries before it. Then may come MPE, the number of variables and the right state
/// of each. Logarithms of tables are features.
class UaiReader final : public FactorGraphReader {
 public:
  UaiReader(const FactorGraphPlan& plan, GraphVocabulary& names)
      : FactorGraphReader(plan, names), fields_(lines()) {}

  bool read(FactorGraphBatch& into) override {
    while (fields_.has_next()) {
      const bool is_wanted = start();
      read_network(into.data, is_wanted);
      if (!is_wanted) continue;
      end_graph(into.data);
      return true;
    }
    return false;
  }

 private:
  const char* form() const override {
    return "expected networks of format UAI, which begin with MARKOV or BAYES, and behind each "
           "MPE, the number of its variables and their right states";
  }

  void read_network(FactorGraphData& into, bool is_wanted) {
    const std::string_view head = fields_.take("MARKOV");
    if (head != "MARKOV" && head != "BAYES") {
      lines().fail(fmt::format("'{}' where a network should begin; {}", head, form()));
    }
    read_sizes();
    read_scopes();
    tables_.assign(sizes_.size(), {});
    std::vector<std::vector<double>> joint;
    for (const std::vector<Index>& scope : scopes_) {
      std::vector<double> table = read_table(scope);
      if (scope.size() == 1) {
        tables_[static_cast<std::size_t>(scope.front())] = std::move(table);
      } else {
        joint.push_back(std::move(table));
      }
    }
    if (is_wanted) add_variables(into);
    read_truth(into, is_wanted);
    if (is_wanted) add_factors(joint, into);
  }

  void read_sizes() {
    const Index variables = fields_.take_number("the number of variables", 1, kMostNumber);
    sizes_.clear();
    for (Index v = 0; v < variables; ++v) {
      sizes_.push_back(fields_.take_number(fmt::format("the number of states of variable {}", v), 1,
                                           kMostStates));
      add_variable(kind_of(sizes_.back()), -1, 1.0, nullptr);
    }
  }

  void read_scopes() {
    const Index factors = fields_.take_number("the number of factors", 0, kMostNumber);
    scopes_.clear();
    for (Index c = 0; c < factors; ++c) {
      const Index arity = fields_.take_number(
          fmt::format("the number of variables of factor {}", c), 1, std::ssize(sizes_));
      std::vector<Index> scope;
      for (Index k = 0; k < arity; ++k) {
        const Index v = fields_.take_number(fmt::format("a variable of factor {}", c), 0,
                                            std::ssize(sizes_) - 1);
        if (std::find(scope.begin(), scope.end(), v) != scope.end()) {
          lines().fail(fmt::format(
              "variable {} is twice in factor {}; a factor joins different ones", v, c));
        }
        scope.push_back(v);
      }
      count_cells(count_joint_states(scope));
      std::vector<Index> sorted = scope;
      std::sort(sorted.begin(), sorted.end());
      if (is_repeated(0, sorted)) {
        lines().fail(fmt::format(
            "factor {} joins the same variables as one before; multiply their tables", c));
      }
      scopes_.push_back(std::move(scope));
    }
  }

  /// Logarithms.
  std::vector<double> read_table(const std::vector<Index>& scope) {
    const Index cells = count_joint_states(scope);
    const Index entries = fields_.take_number("the number of entries of a table", 0, kMostNumber);
    if (entries != cells) {
      lines().fail(fmt::format(
          "a table of {} entries; its factor has {} joint states, and needs one for each", entries,
          cells));
    }
    std::vector<double> table;
    for (Index k = 0; k < cells; ++k) {
      const std::string_view text = fields_.take("an entry of a table");
      double value = 0.0;
      if (parse_value(text, value) != ValueText::kGood || value < 0.0) {
        lines().fail(fmt::format("'{}' is no potential; expected a number from 0 to {}", text,
                                 kLargestValue));
      }
      table.push_back(std::log(std::max(value, kLeastPotential)));
    }
    return table;
  }

  /// The kind of variables of so many states; -1 if the model has none.
  std::int32_t kind_of(Index states) {
    VariableKinds& kinds = names().variables;
    const std::string name = fmt::format("states{}", states);
    std::uint32_t kind = kinds.names.find(name);
    if (kind == Alphabet::kUnknown) {
      if (!plan().learns) {
        lines().fail(
            fmt::format("a variable of {} states; the model has no such variables", states));
      }
      kind = kinds.names.add(name);
      kinds.states.emplace_back();
      for (Index s = 0; s < states; ++s) kinds.states.back().add(fmt::to_string(s));
    }
    if (kinds.num_states(static_cast<std::int32_t>(kind)) != states) {
      lines().fail(fmt::format("the model has other states of its variables '{}'", name));
    }
    return static_cast<std::int32_t>(kind);
  }

  /// Adds a feature if it is new to a training set or known to a model.
  template <class Add>
  void with_attribute(KindAttributes& attributes, std::string_view kind, std::string_view name,
                      bool is_table, Index cells, Add add) {
    const std::uint32_t a = plan().learns ? attributes.add(kind, name, is_table, cells)
                                          : attributes.find(kind, name, is_table);
    if (a != Alphabet::kUnknown) add(a);
  }
  void add_unit(KindAttributes& attributes, std::string_view kind, Index cells,
                const std::vector<double>& table, UnitFeatures& into) {
    with_attribute(attributes, kind, kBias, false, cells,
                   [&](std::uint32_t a) { into.numbers.add(a); });
    if (!table.empty()) {
      with_attribute(attributes, kind, kPotential, true, cells, [&](std::uint32_t a) {
        into.tables.push_back({a, into.values.size()});
        into.values.insert(into.values.end(), table.begin(), table.end());
      });
    }
    into.end_unit();
  }

  void add_variables(FactorGraphData& into) {
    for (std::size_t v = 0; v < sizes_.size(); ++v) {
      const std::int32_t kind = kind_of(sizes_[v]);
      add_unit(names().variable_attributes,
               names().variables.names.name(static_cast<std::size_t>(kind)), sizes_[v], tables_[v],
               into.variables);
      into.kinds.push_back(kind);
      into.truth.push_back(-1);
      into.costs.push_back(1.0);
    }
  }

  void add_factors(const std::vector<std::vector<double>>& tables, FactorGraphData& into) {
    std::size_t next = 0;
    for (const std::vector<Index>& scope : scopes_) {
      if (scope.size() == 1) continue;
      const std::vector<double>& table = tables[next++];
      std::string name = "table";
      for (const Index v : scope) {
        name +=
            fmt::format("{}{}", v == scope.front() ? "" : "x", sizes_[static_cast<std::size_t>(v)]);
      }
      if (find_factor_kind(name, scope) == Alphabet::kUnknown) continue;
      const auto cells = std::ssize(table);
      add_unit(names().factor_attributes, name, cells, table, into.factors);
      add_factor(scope, cells);
    }
  }

  /// "MPE", the number of variables, and the state of each.
  void read_truth(FactorGraphData& into, bool is_wanted) {
    if (fields_.peek() != "MPE") {
      if (!plan().needs_states) return;
      lines().fail(fmt::format(
          "network {} has no right states; write 'MPE {}' and {} states behind its tables",
          number(), sizes_.size(), sizes_.size()));
    }
    fields_.take("MPE");
    const Index count = fields_.take_number("the number of states behind MPE", 1, kMostNumber);
    if (count != std::ssize(sizes_)) {
      lines().fail(fmt::format("{} states behind MPE, but the network has {} variables", count,
                               sizes_.size()));
    }
    const std::size_t first = into.truth.size() - (is_wanted ? sizes_.size() : 0);
    for (std::size_t v = 0; v < sizes_.size(); ++v) {
      const Index state =
          fields_.take_number(fmt::format("the state of variable {}", v), 0, sizes_[v] - 1);
      if (is_wanted) into.truth[first + v] = static_cast<std::int32_t>(state);
    }
  }

  static constexpr Index kMostNumber = Index{1} << 30U;  ///< larger ones are damaged

  FieldStream fields_;
  std::vector<Index> sizes_;                 ///< states of each variable
  std::vector<std::vector<Index>> scopes_;   ///< of each factor, single variables included
  std::vector<std::vector<double>> tables_;  ///< of single variables; empty: none
};

}  // namespace

std::unique_ptr<FactorGraphReader> make_uai_reader(const FactorGraphPlan& plan,
                                                   GraphVocabulary& names) {
  return std::make_unique<UaiReader>(plan, names);
}

}  // namespace gapwise::internal
