#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gapwise/errors.h"
#include "gapwise/model.h"
#include "shell/command.h"
#include "shell/text.h"

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

class Inspect : public Command {
 public:
  std::vector<OptionGroup> options() override {
    return {{"options",
             {option("model", path_, "FILE", "the model; may stand without '--model'"),
              option("top", top_, at_least(0), "N",
                     "how many of the largest weights to show per label and of the transitions"),
              flag("json", json_, "one JSON object on standard output")}}};
  }
  std::vector<std::string_view> required() const override { return {"model"}; }
  std::string_view positional() const override { return "model"; }

  void run(const std::set<std::string>&) override {
    Contents contents{gapwise::load_model(path_), {}};
    contents.tables = contents.model.top_weights(static_cast<std::size_t>(top_));
    fmt::print("{}", json_ ? to_json(contents) + "\n" : to_text(contents));
  }

 private:
  std::string path_;
  Index top_ = 5;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_inspect() {
  return std::make_unique<Inspect>();
}

}  // namespace gapwise::internal::cli
