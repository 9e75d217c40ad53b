#include "tasks/factor_graph/reader.h"

#include <fmt/format.h>

#include "io/fields.h"
#include "tasks/shared/formats.h"

namespace gapwise::internal {
namespace {

constexpr Index kMostVariables = Index{1} << 24;    // of a graph
constexpr Index kMostCellsAtOnce = Index{1} << 27;  // of all graphs in memory

}  // namespace

std::vector<std::string_view> factor_graph_formats() {
  return {"factors", "uai"};
}

std::string factor_graph_format(const std::string& asked, const std::string& path) {
  if (asked.empty()) return path.ends_with(".uai") || path.ends_with(".uai.gz") ? "uai" : "factors";
  check_format(asked, factor_graph_formats());
  return asked;
}

std::unique_ptr<FactorGraphReader> make_factor_graph_reader(const FactorGraphPlan& plan,
                                                            GraphVocabulary& names) {
  return plan.format == "uai" ? make_uai_reader(plan, names) : make_text_reader(plan, names);
}

FactorGraphReader::FactorGraphReader(const FactorGraphPlan& plan, GraphVocabulary& names)
    : plan_(plan), folds_(plan.folds), names_(names), lines_(plan.path), shapes_(plan.learns) {}

bool FactorGraphReader::start() {
  ++number_;
  graph_ = {};
  kinds_.clear();
  factors_.clear();
  return folds_.contains(number_);
}

void FactorGraphReader::add_variable(std::int32_t kind, std::int32_t truth, double weight,
                                     FactorGraphData* into) {
  if (graph_.num_variables() >= kMostVariables) {
    lines_.fail(fmt::format("more than {} variables", kMostVariables));
  }
  const Index states = names_.variables.num_states(kind);
  count_cells(states);
  add_states(graph_, states);
  kinds_.push_back(kind);
  if (into == nullptr) return;
  into->kinds.push_back(kind);
  into->truth.push_back(truth);
  into->costs.push_back(weight);
}

Index FactorGraphReader::count_joint_states(const std::vector<Index>& scope) const {
  Index cells = 1;
  for (const Index v : scope) {
    cells *= graph_.num_states(v);  // at most kMostJointStates times kMostStates
    if (cells > kMostJointStates) {
      lines_.fail(
          fmt::format("the factor has more than {} joint states; give its variables fewer "
                      "states, or split it",
                      kMostJointStates));
    }
  }
  return cells;
}

std::uint32_t FactorGraphReader::find_factor_kind(std::string_view name,
                                                  const std::vector<Index>& joined) {
  FactorKinds& kinds = names_.factors;
  std::vector<std::int32_t> scope;
  for (const Index v : joined) scope.push_back(kinds_[static_cast<std::size_t>(v)]);
  std::uint32_t kind = kinds.names.find(name);
  if (kind == Alphabet::kUnknown) {
    if (!plan_.learns) return kind;
    if (names_.variables.names.find(name) != Alphabet::kUnknown) {
      lines_.fail(fmt::format("'{}' is a kind of variables already; take another name", name));
    }
    kind = kinds.names.add(name);
    kinds.scopes.push_back(scope);
  }
  if (kinds.scopes[kind] != scope) {
    const auto words = [&](const std::vector<std::int32_t>& of) {
      std::string text;
      for (const std::int32_t k : of) {
        text += (text.empty() ? "" : ", ");
        text += names_.variables.names.name(static_cast<std::size_t>(k));
      }
      return text;
    };
    lines_.fail(
        fmt::format("factor '{}' joins variables of kinds {}, but {} elsewhere; give it "
                    "another kind",
                    name, words(scope), words(kinds.scopes[kind])));
  }
  return kind;
}

bool FactorGraphReader::is_repeated(std::uint32_t kind, const std::vector<Index>& scope) {
  return !factors_.emplace(kind, scope).second;
}

void FactorGraphReader::add_factor(const std::vector<Index>& scope, Index cells) {
  graph_.scopes.insert(graph_.scopes.end(), scope.begin(), scope.end());
  graph_.scope_starts.push_back(std::ssize(graph_.scopes));
  graph_.table_starts.push_back(graph_.table_starts.back() + cells);
}

void FactorGraphReader::count_cells(Index cells) {
  num_cells_ += cells;
  if (num_cells_ <= kMostCellsAtOnce) return;
  lines_.fail(
      fmt::format("more than {} states and joint states in all; give fewer graphs or "
                  "variables with fewer states",
                  kMostCellsAtOnce));
}

void FactorGraphReader::end_graph(FactorGraphData& into) {
  into.graphs.push_back(shapes_.share(std::move(graph_)));
  into.variable_starts.push_back(into.kinds.size());
  into.factor_starts.push_back(into.factors.size());
}

std::string FactorGraphReader::complaint() const {
  if (number_ > 0) {
    return fmt::format(
        "{}: none of its {} is in folds {}; the fold of a graph is its number, from 1",
        lines_.name(), counted(static_cast<std::size_t>(number_), "graph"), folds_.text());
  }
  return fmt::format("{}: {}; {}", lines_.name(),
                     lines_.line_number() == 0 ? "is empty" : "holds no graphs", form());
}

void finish_features(FactorGraphData& data, const GraphVocabulary& names) {
  data.variables.numbers.finish(static_cast<std::uint32_t>(names.variable_attributes.size()));
  data.factors.numbers.finish(static_cast<std::uint32_t>(names.factor_attributes.size()));
}

}  // namespace gapwise::internal
