#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gapwise/errors.h"
#include "gapwise/model.h"
#include "shell/command.h"
#include "shell/text.h"
#include "verbs/model_input.h"

namespace gapwise::internal::cli {
namespace {

using Json = nlohmann::ordered_json;

/// A model and what the task says of its weights.
struct Contents {
  Model model;
  std::vector<WeightTable> tables;

  Index nonzero() const {
    const Weights w = model.weights();
    return std::count_if(w.begin(), w.end(), [](double weight) { return weight != 0.0; });
  }
};

std::string to_json(const Contents& contents) {
  const Model& model = contents.model;
  Json json;
  json["task"] = model.task();
  json["settings"] = Json::object();
  for (const auto& [name, value] : model.settings()) json["settings"][name] = value;
  json["sizes"] = Json::object();
  for (const auto& [name, size] : model.sizes()) json["sizes"][name] = size;
  json["weights"] = model.weights().size();
  json["nonzero_weights"] = contents.nonzero();
  json["top"] = Json::array();
  for (const WeightTable& table : contents.tables) {
    Json rows = Json::array();
    for (const auto& [name, weight] : table.rows)
      rows.push_back({{"name", name}, {"weight", weight}});
    json["top"].push_back({{"title", table.title}, {"rows", std::move(rows)}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

/// Long settings (a whole template, say) do not belong on one line.
std::string first_line(const std::string& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string::npos) return text;
  const auto lines = std::count(text.begin(), text.end(), '\n') + (text.back() == '\n' ? 0 : 1);
  return fmt::format("{} ... ({} lines)", text.substr(0, end), lines);
}

std::string to_text(const Contents& contents) {
  const Model& model = contents.model;
  std::vector<std::pair<std::string, std::string>> rows{{"task", model.task()}};
  for (const auto& [name, value] : model.settings()) {
    rows.emplace_back(name, readable(first_line(value)));
  }
  std::string out = "settings\n" + aligned(rows) + "\nsizes\n";
  rows.clear();
  for (const auto& [name, size] : model.sizes()) {
    rows.emplace_back(name, show_count(static_cast<Index>(size)));
  }
  rows.emplace_back("weights", fmt::format("{} ({} not 0)", show_count(std::ssize(model.weights())),
                                           show_count(contents.nonzero())));
  out += aligned(rows);
  for (const WeightTable& table : contents.tables) {
    rows.clear();
    for (const auto& [name, weight] : table.rows) {
      rows.emplace_back(fmt::format("{:>+10.4f}", weight), readable(name));
    }
    out += fmt::format("\n{}\n{}", readable(table.title), aligned(rows));
  }
  return out;
}

/// A field of a CSV file, in quotes where it has to be.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

/// One table of a model with its weights.
class Table {
 public:
  Table(const Model& model, WeightMatrix matrix) : matrix_(std::move(matrix)) {
    w_ = model.weights().subspan(static_cast<std::size_t>(matrix_.begin),
                                 matrix_.rows.size() * matrix_.columns.size());
  }

  const std::string& name() const { return matrix_.name; }

  /// A line for every weight that is not 0.
  std::string lines() const {
    std::string text;
    for (std::size_t r = 0; r < matrix_.rows.size(); ++r) {
      for (std::size_t c = 0; c < matrix_.columns.size(); ++c) {
        if (weight(r, c) == 0.0) continue;
        text += fmt::format("{},{},{},{}\n", csv_field(matrix_.name), csv_field(matrix_.rows[r]),
                            csv_field(matrix_.columns[c]), weight(r, c));
      }
    }
    return text;
  }
  /// A line for every row, and one of names.
  std::string csv() const {
    std::string text = csv_field(matrix_.name);
    for (const std::string& column : matrix_.columns) text += "," + csv_field(column);
    text += "\n";
    for (std::size_t r = 0; r < matrix_.rows.size(); ++r) {
      text += csv_field(matrix_.rows[r]);
      for (std::size_t c = 0; c < matrix_.columns.size(); ++c) {
        text += fmt::format(",{}", weight(r, c));
      }
      text += "\n";
    }
    return text;
  }
  std::string json() const {
    Json weights = Json::array();
    for (std::size_t r = 0; r < matrix_.rows.size(); ++r) {
      const auto row = w_.subspan(r * matrix_.columns.size(), matrix_.columns.size());
      weights.push_back(std::vector<double>(row.begin(), row.end()));
    }
    const Json json{{"table", matrix_.name},
                    {"rows", matrix_.rows},
                    {"columns", matrix_.columns},
                    {"weights", std::move(weights)}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  std::string text() const {
    std::vector<std::vector<std::string>> rows{{matrix_.name}};
    for (const std::string& column : matrix_.columns) rows.front().push_back(readable(column));
    for (std::size_t r = 0; r < matrix_.rows.size(); ++r) {
      std::vector<std::string> cells{readable(matrix_.rows[r])};
      for (std::size_t c = 0; c < matrix_.columns.size(); ++c) {
        cells.push_back(fmt::format("{:.4f}", weight(r, c)));
      }
      rows.push_back(std::move(cells));
    }
    return columns(rows);
  }

 private:
  double weight(std::size_t r, std::size_t c) const { return w_[r * matrix_.columns.size() + c]; }

  WeightMatrix matrix_;
  Weights w_;
};

class Inspect : public Command {
 public:
  std::vector<OptionGroup> options() override {
    OptionTable rows = model_.rows();
    rows.front().help = "the model; may stand without '--model'";
    rows.push_back(option("top", top_, at_least(0), "N",
                          "how many of the largest weights to show per label and of the "
                          "transitions"));
    rows.push_back(
        option("label", label_, "NAME", "only what speaks most for and against this label"));
    rows.push_back(option("table", table_, "NAME",
                          "one table of weights as a whole: features, transitions, start, end"));
    rows.push_back(flag("csv", csv_,
                        "all weights that are not 0 as CSV, a line each, or with --table that "
                        "table"));
    rows.push_back(flag("json", json_, "one JSON object on standard output"));
    return {{"options", std::move(rows)}};
  }
  std::string_view positional() const override { return "model"; }

  void run(const std::set<std::string>&) override {
    if (csv_ && json_) throw OptionError("--csv and --json are two forms; take one of them");
    if (!label_.empty() && (csv_ || !table_.empty())) {
      throw OptionError("--label shows the largest weights; leave out --csv and --table");
    }
    Contents contents{model_.load(), {}};
    if (csv_ || !table_.empty()) return print_tables(contents.model);
    contents.tables = contents.model.top_weights(static_cast<std::size_t>(top_));
    if (!label_.empty()) keep_label(contents.tables);
    fmt::print("{}", json_ ? to_json(contents) + "\n" : to_text(contents));
  }

 private:
  void print_tables(const Model& model) const {
    std::vector<std::string> names;
    std::string all = "table,row,column,weight\n";
    for (const WeightMatrix& matrix : model.weight_matrices()) {
      const Table table(model, matrix);
      names.push_back(table.name());
      if (table.name() == table_) {
        fmt::print("{}", csv_ ? table.csv() : json_ ? table.json() : table.text());
        return;
      }
      if (table_.empty()) all += table.lines();
    }
    if (names.empty()) throw OptionError("the weights of this model are no tables with names");
    if (!table_.empty()) {
      throw OptionError(
          fmt::format("there is no table '{}', but {}", table_, fmt::join(names, ", ")));
    }
    fmt::print("{}", all);
  }

  void keep_label(std::vector<WeightTable>& tables) const {
    std::erase_if(tables,
                  [&](const WeightTable& table) { return table.title != "label " + label_; });
    if (tables.empty()) {
      throw OptionError(fmt::format("the model has no weights of a label '{}'", label_));
    }
  }

  ModelChoice model_;
  std::string label_;
  std::string table_;
  bool csv_ = false;
  Index top_ = 5;
  bool json_ = false;
};

}  // namespace

const MakeCommand make_inspect = make_command<Inspect>;

}  // namespace gapwise::internal::cli
