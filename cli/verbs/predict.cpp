#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "io/files.h"
#include "run/outputs.h"
#include "shell/command.h"
#include "shell/standard_output.h"
#include "verbs/model_input.h"

namespace gapwise::internal::cli {
namespace {

using Json = nlohmann::ordered_json;

/// What is infinite has no number in JSON.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

std::string to_json(const Ranking& ranking, const RankSettings& settings, bool is_calibrated) {
  Json json;
  json["outputs"] = Json::array();
  for (const RankedOutput& ranked : ranking.outputs) {
    json["outputs"].push_back({{"score", ranked.score}, {"labels", ranked.output.labels}});
  }
  if (settings.wants_places()) json["places"] = Json::array();
  for (const RankedPlace& place : ranking.places) {
    Json row{{"margin", number(place.margin)}, {"runner_up", place.runner_up}};
    if (settings.marginals) row["probability"] = place.probability;
    if (settings.explain > 0) {
      row["reasons"] = Json::array();
      for (const Reason& reason : place.reasons) {
        row["reasons"].push_back({{"name", reason.name}, {"score", reason.score}});
      }
    }
    json["places"].push_back(std::move(row));
  }
  if (settings.marginals) json["calibrated"] = is_calibrated;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

class Predict : public Command {
 public:
  std::vector<OptionGroup> options() override {
    return {
        {"input", input_.rows()},
        {"output",
         {option("output", output_, "FILE",
                 "where to write the predictions; '-' is standard output"),
          option("pictures", pictures_, "DIR",
                 "draw every example as a PNG file in this directory (task segmentation): "
                 "input, truth, prediction; predictions are then written only with --output")}},
        {"ranked predictions",
         {option("nbest", ranked_.nbest, between(1, 1'000'000), "K",
                 "the K best outputs of every example, best first, with their scores"),
          flag("scores", scores_, "the score of every output"),
          flag("margins", ranked_.margins,
               "behind every label: by how much the best output that differs there scores less"),
          flag("marginals", ranked_.marginals,
               "behind every label: how likely it is, by the temperature that 'calibrate' fitted, "
               "or else not calibrated"),
          option("explain", ranked_.explain, between(0, 1'000'000), "N",
                 "behind every label: the N things that speak most for it, or against it, "
                 "compared with the runner-up"),
          flag("json", json_, "one JSON object for every example")}}};
  }
  std::vector<std::string_view> required() const override { return {"data"}; }

  void run(const std::set<std::string>& given) override {
    const bool has_pictures = given.contains("pictures");
    const bool has_output = !has_pictures || given.contains("output");
    const bool is_ranked = json_ || scores_ || ranked_.nbest > 1 || ranked_.wants_places();
    if (is_ranked && has_pictures && !has_output) {
      throw OptionError("with --pictures, ranked predictions need --output FILE");
    }
    write_ = is_ranked ? &Predict::write_ranked : &Predict::write_plain;
    if (has_pictures && has_output) check_read_again(input_.source.path);
    if (has_pictures) draw();
    if (has_output) write_predictions();
  }

 private:
  void draw() {
    const OpenedFiles opened;  // which no picture may replace
    const auto model = input_.model.load();
    make_folder("pictures", pictures_);
    model.draw(input_.source, pictures_, input_.threads);
  }

  /// As they are found; a file appears whole once all are.
  void write_predictions() {
    if (output_ == "-") {
      (this->*write_)(input_.model.load(), put_output);
      return;
    }
    Outputs outputs;
    outputs.add("output", output_);
    outputs.check_input("data", input_.source.path);
    outputs.check_input(input_.model.option_name(), input_.model.file());
    const OpenedFiles opened;
    const auto model = input_.model.load();
    FileWriter file(output_);
    (this->*write_)(model, [&](std::string_view text) { file.add(text); });
    outputs.check_read(opened);
    file.commit();
  }

  void write_plain(const Model& model, const TextSink& out) {
    model.predict(input_.source, out, input_.threads);
  }
  void write_ranked(const Model& model, const TextSink& out) {
    const bool is_calibrated = model.temperature().has_value();
    if (ranked_.marginals && !is_calibrated) {
      fmt::print(
          stderr,
          "these probabilities are not calibrated: 'gapwise calibrate' fits them to labelled "
          "data\n");
    }
    if (!json_) return model.write_ranked(input_.source, ranked_, scores_, out, input_.threads);
    model.rank(
        input_.source, ranked_,
        [&](const Ranking& ranking) { out(to_json(ranking, ranked_, is_calibrated)); },
        input_.threads);
  }

  ModelInput input_;
  std::string output_ = "-";
  std::string pictures_;
  RankSettings ranked_;
  bool scores_ = false;
  bool json_ = false;
  void (Predict::*write_)(const Model&, const TextSink&) = nullptr;
};

}  // namespace

const MakeCommand make_predict = make_command<Predict>;

}  // namespace gapwise::internal::cli
