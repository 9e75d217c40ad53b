#include "tasks/factor_graph/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/fields.h"
#include "tasks/shared/keyword_lines.h"

namespace gapwise::internal {
namespace {

constexpr Index kMostVariables = Index{1} << 24;    // of a graph
constexpr Index kMostCellsAtOnce = Index{1} << 27;  // of all graphs in memory
constexpr std::string_view kWeight = "weight=";
constexpr std::string_view kForm =
    "expected 'states KIND STATE STATE ...', 'graph', 'variable KIND STATE [weight=W] feature ...' "
    "or 'factor KIND V V ... feature ...'";

}  // namespace

FactorGraphReader::FactorGraphReader(const FactorGraphPlan& plan, GraphVocabulary& names)
    : plan_(plan), folds_(plan.folds), names_(names), lines_(plan.path), shapes_(plan.learns) {}

bool FactorGraphReader::read(FactorGraphBatch& into) {
  while (has_graph_ || next_line()) {
    if (fields_[0] == "states") {
      read_states();
      has_graph_ = false;
      continue;
    }
    start_graph();
    const bool is_wanted = folds_.contains(number_);
    while (next_line() && fields_[0] != "graph" && fields_[0] != "states") {
      if (fields_[0] == "variable") {
        read_variable(into.data, is_wanted);
      } else if (fields_[0] == "factor") {
        read_factor(into.data, is_wanted);
      } else {
        lines_.fail(fmt::format("the line starts with '{}'; {}", fields_[0], kForm));
      }
    }
    has_graph_ = !fields_.empty();
    if (graph_.num_variables() == 0) {
      lines_.fail(fmt::format("graph {} has no variables; leave it out or list them", number_));
    }
    if (!is_wanted) continue;
    end_graph(into.data);
    return true;
  }
  return false;
}

/// "states KIND STATE STATE ..." or "states KIND COUNT".
void FactorGraphReader::read_states() {
  if (fields_.size() < 3) {
    lines_.fail(fmt::format("'states' needs the name of a kind and its states; {}", kForm));
  }
  const std::string_view kind = fields_[1];
  std::vector<std::string> states(fields_.begin() + 2, fields_.end());
  Index count = std::ssize(states);
  const bool is_count = count == 1 && parse_index(states[0], count);
  if (count < 1 || count > kMostStates) {
    lines_.fail(fmt::format("kind '{}' has {} states; a variable has 1 to {}", kind,
                            is_count ? states[0] : fmt::to_string(count), kMostStates));
  }
  if (is_count) {
    states.clear();
    for (Index s = 0; s < count; ++s) states.push_back(fmt::to_string(s));
  }
  const Alphabet alphabet = Alphabet::from_names(states);
  if (alphabet.size() != states.size()) {
    lines_.fail(fmt::format("kind '{}' has a state twice; leave one of the two out", kind));
  }
  VariableKinds& kinds = names_.variables;
  std::uint32_t at = kinds.names.find(kind);
  if (at == Alphabet::kUnknown) {
    if (!plan_.learns) return;  // no variable of the model is like that
    if (names_.factors.names.find(kind) != Alphabet::kUnknown) {
      lines_.fail(fmt::format("'{}' is a kind of factors already; take another name", kind));
    }
    at = kinds.names.add(kind);
    kinds.states.push_back(alphabet);
  }
  if (kinds.states[at].names() != states) {
    lines_.fail(
        fmt::format("kind '{}' has other states than {}; they must be the same, in the "
                    "same order",
                    kind, plan_.learns ? "before" : "in the model"));
  }
  declared_.insert(at);
}

void FactorGraphReader::start_graph() {
  if (fields_[0] != "graph") {
    lines_.fail(fmt::format("'{}' before the first 'graph' line; {}", fields_[0], kForm));
  }
  if (fields_.size() > 1) {
    lines_.fail(fmt::format("'{}' behind 'graph'; the line has nothing else", fields_[1]));
  }
  ++number_;
  graph_ = {};
  kinds_.clear();
  factors_.clear();
}

std::int32_t FactorGraphReader::read_kind(std::string_view name) const {
  const std::uint32_t kind = names_.variables.names.find(name);
  if (kind == Alphabet::kUnknown) {
    lines_.fail(fmt::format("kind '{}' of a variable is not known; {}", name,
                            plan_.learns ? "list its states before: 'states KIND STATE STATE ...'"
                                         : "the model has no such variables"));
  }
  return static_cast<std::int32_t>(kind);
}

std::int32_t FactorGraphReader::read_truth(std::int32_t kind, std::string_view text) const {
  if (text == "?" && !plan_.needs_states) return -1;
  const Alphabet& states = names_.variables.states[static_cast<std::size_t>(kind)];
  const std::uint32_t state = states.find(text);
  if (state == Alphabet::kUnknown) {
    const auto at = static_cast<std::size_t>(kind);
    lines_.fail(fmt::format("'{}' is not one of the {} of kind '{}'{}", text,
                            counted(states.size(), "state"), names_.variables.names.name(at),
                            text == "?" ? "; '?' is for data to predict" : ""));
  }
  return static_cast<std::int32_t>(state);
}

double FactorGraphReader::read_weight(std::string_view text) const {
  double weight = 0.0;
  if (parse_value(text, weight) != ValueText::kGood || !(weight >= 0.0)) {
    lines_.fail(fmt::format("weight '{}' must be a number from 0 to {}", text, kLargestValue));
  }
  return weight;
}

void FactorGraphReader::read_variable(FactorGraphData& into, bool is_wanted) {
  if (fields_.size() < 3) {
    lines_.fail(fmt::format("the variable needs a kind and a state; {}", kForm));
  }
  if (graph_.num_variables() >= kMostVariables) {
    lines_.fail(fmt::format("more than {} variables", kMostVariables));
  }
  const std::int32_t kind = read_kind(fields_[1]);
  const std::int32_t truth = read_truth(kind, fields_[2]);
  const bool has_weight = fields_.size() > 3 && fields_[3].starts_with(kWeight);
  const double weight = has_weight ? read_weight(fields_[3].substr(kWeight.size())) : 1.0;
  const Index states = names_.variables.num_states(kind);
  count_cells(states);
  read_features(has_weight ? 4 : 3, fields_[1], states, names_.variable_attributes,
                is_wanted ? &into.variables : nullptr);
  add_states(graph_, states);
  kinds_.push_back(kind);
  if (!is_wanted) return;
  into.variables.end_unit();
  into.kinds.push_back(kind);
  into.truth.push_back(truth);
  into.costs.push_back(weight);
}

Index FactorGraphReader::read_number_of_variable(std::string_view text) const {
  Index v = 0;
  if (!parse_index(text, v) || v < 1 || v > graph_.num_variables()) {
    const auto variables = static_cast<std::size_t>(graph_.num_variables());
    lines_.fail(
        fmt::format("a factor of variable {}, but graph {} has {} so far, numbered from 1; "
                    "list variables before their factors",
                    text, number_, counted(variables, "variable")));
  }
  return v - 1;
}

/// scope_ = the variables of the factor at hand: all fields behind its kind that are numbers.
void FactorGraphReader::read_scope() {
  scope_.clear();
  const auto is_number = [](std::string_view text) {
    return text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  for (std::size_t f = 2; f < fields_.size() && is_number(fields_[f]); ++f) {
    const Index v = read_number_of_variable(fields_[f]);
    if (std::find(scope_.begin(), scope_.end(), v) != scope_.end()) {
      lines_.fail(
          fmt::format("variable {} is twice in a factor; a factor joins different ones", v + 1));
    }
    scope_.push_back(v);
  }
  if (scope_.size() < 2) {
    lines_.fail(
        fmt::format("the factor joins {}; it needs two or more, and features of a single "
                    "variable stand in its own line",
                    counted(scope_.size(), "variable")));
  }
}

/// The kind of the factor at hand, whose scope was read; kUnknown if the model has none such.
std::uint32_t FactorGraphReader::read_factor_kind(std::string_view name) {
  FactorKinds& kinds = names_.factors;
  std::vector<std::int32_t> scope;
  for (const Index v : scope_) scope.push_back(kinds_[static_cast<std::size_t>(v)]);
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

void FactorGraphReader::count_cells(Index cells) {
  num_cells_ += cells;
  if (num_cells_ <= kMostCellsAtOnce) return;
  lines_.fail(
      fmt::format("more than {} states and joint states in all; give fewer graphs or "
                  "variables with fewer states",
                  kMostCellsAtOnce));
}

void FactorGraphReader::read_factor(FactorGraphData& into, bool is_wanted) {
  if (fields_.size() < 2) lines_.fail(fmt::format("the factor has no kind; {}", kForm));
  const std::string_view name = fields_[1];
  read_scope();
  Index cells = 1;
  for (const Index v : scope_) {
    cells *= graph_.num_states(v);  // at most kMostJointStates times kMostStates
    if (cells > kMostJointStates) {
      lines_.fail(
          fmt::format("the factor has more than {} joint states; give its variables fewer "
                      "states, or split it",
                      kMostJointStates));
    }
  }
  const std::uint32_t kind = read_factor_kind(name);
  const bool is_kept = is_wanted && kind != Alphabet::kUnknown;
  if (!factors_.emplace(kind, scope_).second && kind != Alphabet::kUnknown) {
    lines_.fail(
        fmt::format("factor '{}' of the same variables comes twice; put all features into "
                    "one line",
                    name));
  }
  if (is_kept) count_cells(cells);
  const std::size_t first = 2 + scope_.size();
  read_features(first, name, cells, names_.factor_attributes, is_kept ? &into.factors : nullptr);
  if (!is_kept) return;
  into.factors.end_unit();
  graph_.scopes.insert(graph_.scopes.end(), scope_.begin(), scope_.end());
  graph_.scope_starts.push_back(std::ssize(graph_.scopes));
  graph_.table_starts.push_back(graph_.table_starts.back() + cells);
}

void FactorGraphReader::read_features(std::size_t first, std::string_view kind, Index cells,
                                      KindAttributes& attributes, UnitFeatures* into) {
  for (std::size_t f = first; f < fields_.size(); ++f) {
    const std::size_t mark = fields_[f].find_last_of(":=");
    const bool has_mark = mark != std::string_view::npos;
    const std::string_view name = fields_[f].substr(0, mark);
    const bool is_table = has_mark && fields_[f][mark] == '=';
    if (name.empty()) lines_.fail(fmt::format("'{}' has no name before its value", fields_[f]));
    if (is_table && name == kWeight.substr(0, kWeight.size() - 1)) {
      lines_.fail(fmt::format("'{}' must come once, right behind the state of a variable; {}",
                              fields_[f], kForm));
    }
    double value = 1.0;
    if (is_table) {
      read_table(name, fields_[f].substr(mark + 1), cells);
    } else if (has_mark) {
      value = read_value(fields_[f].substr(mark + 1), name);
    }
    if (into == nullptr) continue;
    const std::uint32_t a = plan_.learns ? attributes.add(kind, name, is_table, cells)
                                         : attributes.find(kind, name, is_table);
    if (a == Alphabet::kUnknown) continue;
    if (is_table) {
      into->tables.push_back({a, into->values.size()});
      into->values.insert(into->values.end(), table_.begin(), table_.end());
    } else if (value != 0.0) {
      into->numbers.add(a, value);
    }
  }
}

/// table_ = the numbers, of which there must be one for each cell.
void FactorGraphReader::read_table(std::string_view name, std::string_view text, Index cells) {
  table_.clear();
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    table_.push_back(read_value(text.substr(begin, end - begin), name));
    begin = end + 1;
  }
  if (std::ssize(table_) == cells) return;
  lines_.fail(
      fmt::format("table '{}' has {}; expected {}, one for each state or joint state, the "
                  "last variable moving fastest",
                  name, counted(table_.size(), "number"), cells));
}

double FactorGraphReader::read_value(std::string_view text, std::string_view name) const {
  double value = 0.0;
  if (const ValueText found = parse_value(text, value); found != ValueText::kGood) {
    refuse_value(lines_, found, text, fmt::format("feature '{}'", name));
  }
  return value;
}

void FactorGraphReader::end_graph(FactorGraphData& into) {
  into.graphs.push_back(shapes_.share(std::move(graph_)));
  into.variable_starts.push_back(into.kinds.size());
  into.factor_starts.push_back(into.factors.size());
}

void finish_features(FactorGraphData& data, const GraphVocabulary& names) {
  data.variables.numbers.finish(static_cast<std::uint32_t>(names.variable_attributes.size()));
  data.factors.numbers.finish(static_cast<std::uint32_t>(names.factor_attributes.size()));
}

std::string FactorGraphReader::complaint() const {
  if (number_ > 0) {
    return fmt::format(
        "{}: none of its {} is in folds {}; the fold of a graph is its number, from 1",
        lines_.name(), counted(static_cast<std::size_t>(number_), "graph"), folds_.text());
  }
  return fmt::format("{}: {}; {} on each line", lines_.name(),
                     lines_.line_number() == 0 ? "is empty" : "holds no graphs", kForm);
}

bool looks_like_factor_graphs(std::string_view head) {
  const auto lines = first_fields(head, 200);
  std::size_t k = 0;
  while (k < lines.size() && lines[k][0] == "states") ++k;
  const bool has_states = k > 0;
  return k + 1 < lines.size() && lines[k][0] == "graph" && lines[k + 1][0] == "variable" &&
         (has_states || lines[k + 1].size() > 2);
}

}  // namespace gapwise::internal
