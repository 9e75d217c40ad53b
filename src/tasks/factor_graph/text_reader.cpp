#include <fmt/format.h>

#include <algorithm>

#include "io/fields.h"
#include "tasks/factor_graph/reader.h"
#include "tasks/shared/keyword_lines.h"

namespace gapwise::internal {
namespace {

constexpr std::string_view kWeight = "weight=";
class TextReader final : public FactorGraphReader {
 public:
  using FactorGraphReader::FactorGraphReader;

  bool read(FactorGraphBatch& into) override;

 private:
  const char* form() const override {
    return "expected 'states KIND STATE STATE ...', 'graph', 'variable KIND STATE [weight=W] "
           "feature ...' or 'factor KIND V V ... feature ...' on each line";
  }
  bool next_line() { return next_fields(lines(), fields_); }
  void read_states();
  void check_start() const;
  void read_variable(FactorGraphData& into, bool is_wanted);
  void read_factor(FactorGraphData& into, bool is_wanted);

  std::int32_t read_kind(std::string_view name) const;
  std::int32_t read_truth(std::int32_t kind, std::string_view text) const;
  double read_weight(std::string_view text) const;
  Index read_number_of_variable(std::string_view text) const;
  void read_scope();
  /// The features from field `first` on; only checked if there is nothing to add them to.
  void read_features(std::size_t first, std::string_view kind, Index cells,
                     KindAttributes& attributes, UnitFeatures* into);
  void read_table(std::string_view name, std::string_view text, Index cells);
  double read_value(std::string_view text, std::string_view name) const;

  std::vector<std::string_view> fields_;  ///< of the line at hand
  std::set<std::uint32_t> declared_;      ///< kinds whose states the file listed
  bool has_graph_ = false;                ///< the line at hand starts a graph
  std::vector<Index> scope_;              ///< of the factor at hand
  std::vector<double> table_;
};

bool TextReader::read(FactorGraphBatch& into) {
  while (has_graph_ || next_line()) {
    if (fields_[0] == "states") {
      read_states();
      has_graph_ = false;
      continue;
    }
    check_start();
    const bool is_wanted = start();
    while (next_line() && fields_[0] != "graph" && fields_[0] != "states") {
      if (fields_[0] == "variable") {
        read_variable(into.data, is_wanted);
      } else if (fields_[0] == "factor") {
        read_factor(into.data, is_wanted);
      } else {
        lines().fail(fmt::format("the line starts with '{}'; {}", fields_[0], form()));
      }
    }
    has_graph_ = !fields_.empty();
    if (graph().num_variables() == 0) {
      lines().fail(fmt::format("graph {} has no variables; leave it out or list them", number()));
    }
    if (!is_wanted) continue;
    end_graph(into.data);
    return true;
  }
  return false;
}

/// "states KIND STATE STATE ..." or "states KIND COUNT".
void TextReader::read_states() {
  if (fields_.size() < 3) {
    lines().fail(fmt::format("'states' needs the name of a kind and its states; {}", form()));
  }
  const std::string_view kind = fields_[1];
  std::vector<std::string> states(fields_.begin() + 2, fields_.end());
  Index count = std::ssize(states);
  const bool is_count = count == 1 && parse_index(states[0], count);
  if (count < 1 || count > kMostStates) {
    lines().fail(fmt::format("kind '{}' has {} states; a variable has 1 to {}", kind,
                             is_count ? states[0] : fmt::to_string(count), kMostStates));
  }
  if (is_count) {
    states.clear();
    for (Index s = 0; s < count; ++s) states.push_back(fmt::to_string(s));
  }
  const Alphabet alphabet = Alphabet::from_names(states);
  if (alphabet.size() != states.size()) {
    lines().fail(fmt::format("kind '{}' has a state twice; leave one of the two out", kind));
  }
  VariableKinds& kinds = names().variables;
  std::uint32_t at = kinds.names.find(kind);
  if (at == Alphabet::kUnknown) {
    if (!plan().learns) return;  // no variable of the model is like that
    if (names().factors.names.find(kind) != Alphabet::kUnknown) {
      lines().fail(fmt::format("'{}' is a kind of factors already; take another name", kind));
    }
    at = kinds.names.add(kind);
    kinds.states.push_back(alphabet);
  }
  if (kinds.states[at].names() != states) {
    lines().fail(
        fmt::format("kind '{}' has other states than {}; they must be the same, in the "
                    "same order",
                    kind, plan().learns ? "before" : "in the model"));
  }
  declared_.insert(at);
}

void TextReader::check_start() const {
  if (fields_[0] != "graph") {
    lines().fail(fmt::format("'{}' before the first 'graph' line; {}", fields_[0], form()));
  }
  if (fields_.size() > 1) {
    lines().fail(fmt::format("'{}' behind 'graph'; the line has nothing else", fields_[1]));
  }
}

std::int32_t TextReader::read_kind(std::string_view name) const {
  const std::uint32_t kind = names().variables.names.find(name);
  if (kind == Alphabet::kUnknown) {
    lines().fail(fmt::format("kind '{}' of a variable is not known; {}", name,
                             plan().learns ? "list its states before: 'states KIND STATE STATE ...'"
                                           : "the model has no such variables"));
  }
  return static_cast<std::int32_t>(kind);
}

std::int32_t TextReader::read_truth(std::int32_t kind, std::string_view text) const {
  if (text == "?" && !plan().needs_states) return -1;
  const Alphabet& states = names().variables.states[static_cast<std::size_t>(kind)];
  const std::uint32_t state = states.find(text);
  if (state == Alphabet::kUnknown) {
    const auto at = static_cast<std::size_t>(kind);
    lines().fail(fmt::format("'{}' is not one of the {} of kind '{}'{}", text,
                             counted(states.size(), "state"), names().variables.names.name(at),
                             text == "?" ? "; '?' is for data to predict" : ""));
  }
  return static_cast<std::int32_t>(state);
}

double TextReader::read_weight(std::string_view text) const {
  double weight = 0.0;
  if (parse_value(text, weight) != ValueText::kGood || !(weight >= 0.0)) {
    lines().fail(fmt::format("weight '{}' must be a number from 0 to {}", text, kLargestValue));
  }
  return weight;
}

void TextReader::read_variable(FactorGraphData& into, bool is_wanted) {
  if (fields_.size() < 3) {
    lines().fail(fmt::format("the variable needs a kind and a state; {}", form()));
  }
  const std::int32_t kind = read_kind(fields_[1]);
  const std::int32_t truth = read_truth(kind, fields_[2]);
  const bool has_weight = fields_.size() > 3 && fields_[3].starts_with(kWeight);
  const double weight = has_weight ? read_weight(fields_[3].substr(kWeight.size())) : 1.0;
  const Index states = names().variables.num_states(kind);
  read_features(has_weight ? 4 : 3, fields_[1], states, names().variable_attributes,
                is_wanted ? &into.variables : nullptr);
  add_variable(kind, truth, weight, is_wanted ? &into : nullptr);
  if (is_wanted) into.variables.end_unit();
}

Index TextReader::read_number_of_variable(std::string_view text) const {
  Index v = 0;
  if (!parse_index(text, v) || v < 1 || v > graph().num_variables()) {
    const auto variables = static_cast<std::size_t>(graph().num_variables());
    lines().fail(
        fmt::format("a factor of variable {}, but graph {} has {} so far, numbered from 1; "
                    "list variables before their factors",
                    text, number(), counted(variables, "variable")));
  }
  return v - 1;
}

/// scope_ = the variables of the factor at hand: all fields behind its kind that are numbers.
void TextReader::read_scope() {
  scope_.clear();
  const auto is_number = [](std::string_view text) {
    return text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  for (std::size_t f = 2; f < fields_.size() && is_number(fields_[f]); ++f) {
    const Index v = read_number_of_variable(fields_[f]);
    if (std::find(scope_.begin(), scope_.end(), v) != scope_.end()) {
      lines().fail(
          fmt::format("variable {} is twice in a factor; a factor joins different ones", v + 1));
    }
    scope_.push_back(v);
  }
  if (scope_.size() < 2) {
    lines().fail(
        fmt::format("the factor joins {}; it needs two or more, and features of a single "
                    "variable stand in its own line",
                    counted(scope_.size(), "variable")));
  }
}

void TextReader::read_factor(FactorGraphData& into, bool is_wanted) {
  if (fields_.size() < 2) lines().fail(fmt::format("the factor has no kind; {}", form()));
  const std::string_view name = fields_[1];
  read_scope();
  const Index cells = count_joint_states(scope_);
  const std::uint32_t kind = find_factor_kind(name, scope_);
  const bool is_kept = is_wanted && kind != Alphabet::kUnknown;
  if (is_repeated(kind, scope_) && kind != Alphabet::kUnknown) {
    lines().fail(
        fmt::format("factor '{}' of the same variables comes twice; put all features into "
                    "one line",
                    name));
  }
  if (is_kept) count_cells(cells);
  const std::size_t first = 2 + scope_.size();
  read_features(first, name, cells, names().factor_attributes, is_kept ? &into.factors : nullptr);
  if (!is_kept) return;
  into.factors.end_unit();
  add_factor(scope_, cells);
}

void TextReader::read_features(std::size_t first, std::string_view kind, Index cells,
                               KindAttributes& attributes, UnitFeatures* into) {
  for (std::size_t f = first; f < fields_.size(); ++f) {
    const std::size_t mark = fields_[f].find_last_of(":=");
    const bool has_mark = mark != std::string_view::npos;
    const std::string_view name = fields_[f].substr(0, mark);
    const bool is_table = has_mark && fields_[f][mark] == '=';
    if (name.empty()) lines().fail(fmt::format("'{}' has no name before its value", fields_[f]));
    if (is_table && name == kWeight.substr(0, kWeight.size() - 1)) {
      lines().fail(fmt::format("'{}' must come once, right behind the state of a variable; {}",
                               fields_[f], form()));
    }
    double value = 1.0;
    if (is_table) {
      read_table(name, fields_[f].substr(mark + 1), cells);
    } else if (has_mark) {
      value = read_value(fields_[f].substr(mark + 1), name);
    }
    if (into == nullptr) continue;
    const std::uint32_t a = plan().learns ? attributes.add(kind, name, is_table, cells)
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
void TextReader::read_table(std::string_view name, std::string_view text, Index cells) {
  table_.clear();
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    table_.push_back(read_value(text.substr(begin, end - begin), name));
    begin = end + 1;
  }
  if (std::ssize(table_) == cells) return;
  lines().fail(
      fmt::format("table '{}' has {}; expected {}, one for each state or joint state, the "
                  "last variable moving fastest",
                  name, counted(table_.size(), "number"), cells));
}

double TextReader::read_value(std::string_view text, std::string_view name) const {
  double value = 0.0;
  if (const ValueText found = parse_value(text, value); found != ValueText::kGood) {
    refuse_value(lines(), found, text, fmt::format("feature '{}'", name));
  }
  return value;
}

}  // namespace

std::unique_ptr<FactorGraphReader> make_text_reader(const FactorGraphPlan& plan,
                                                    GraphVocabulary& names) {
  return std::make_unique<TextReader>(plan, names);
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
