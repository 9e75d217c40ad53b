#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "gapwise/calibration.h"
#include "io/files.h"
#include "run/outputs.h"
#include "shell/command.h"
#include "shell/text.h"
#include "verbs/model_input.h"

namespace gapwise::internal::cli {
namespace {

using Json = nlohmann::ordered_json;

/// What a temperature does on some data.
struct Change {
  Reliability before;
  Reliability after;
};

Json to_json(const Reliability& found) {
  Json bins = Json::array();
  for (const ReliabilityBin& bin : found.bins) {
    bins.push_back({{"low", bin.low},
                    {"high", bin.high},
                    {"places", bin.places},
                    {"confidence", bin.confidence},
                    {"accuracy", bin.accuracy}});
  }
  return {{"temperature", found.temperature}, {"places", found.places},
          {"accuracy", found.accuracy},       {"confidence", found.confidence},
          {"log_loss", found.log_loss},       {"calibration_error", found.calibration_error},
          {"bins", std::move(bins)}};
}

Json to_json(const Change& change) {
  return {{"before", to_json(change.before)}, {"after", to_json(change.after)}};
}

std::string to_text(const std::string& title, const Change& change) {
  const auto both = [](double before, double after) {
    return fmt::format("{:.4f} -> {:.4f}", before, after);
  };
  const auto& [before, after] = change;
  std::string text = title + "\n";
  text += aligned({{"places", show_count(after.places)},
                   {"accuracy", fmt::format("{:.4f}", after.accuracy)},
                   {"mean probability", both(before.confidence, after.confidence)},
                   {"log loss", both(before.log_loss, after.log_loss)},
                   {"calibration error", both(before.calibration_error, after.calibration_error)}});
  text += "\nprobability   places  mean probability  accuracy  (after)\n";
  for (const ReliabilityBin& bin : after.bins) {
    if (bin.places == 0) continue;
    text += fmt::format("{:.1f} to {:.1f}  {:>8}  {:>16.4f}  {:>8.4f}\n", bin.low, bin.high,
                        bin.places, bin.confidence, bin.accuracy);
  }
  return text;
}

class Calibrate : public Command {
 public:
  std::vector<OptionGroup> options() override {
    OptionTable input = input_.rows();
    input.push_back(option("test", test_, "FILE",
                           "other labelled data, to see what the temperature is worth there"));
    return {{"input", std::move(input)},
            {"output",
             {option("output", output_, "FILE", "where to write the model with its temperature"),
              flag("json", json_, "one JSON object on standard output")}}};
  }
  std::vector<std::string_view> required() const override { return {"data"}; }

  void run(const std::set<std::string>&) override {
    Outputs outputs;
    outputs.add("output", output_);
    outputs.check_input("data", input_.source.path);
    outputs.check_input("test", test_);
    const OpenedFiles opened;
    const Model model = input_.model.load();
    const Examples examples = open_examples(model.task(), input_.source);
    check_read_again(input_.source.path);
    const double temperature = fit_temperature(model, examples, input_.threads);
    const Change fitted = change(model, examples, temperature);
    std::optional<Change> tested;
    if (!test_.empty()) {
      DataSource source = input_.source;
      source.path = test_;
      tested = change(model, open_examples(model.task(), source), temperature);
    }
    tell(temperature, fitted, tested);
    if (output_.empty()) return;
    outputs.check_read(opened);
    model.with_temperature(temperature).save(output_);
  }

 private:
  Change change(const Model& model, const Examples& examples, double temperature) const {
    const double old = model.temperature().value_or(1.0);
    return {reliability(model, examples, old, input_.threads),
            reliability(model, examples, temperature, input_.threads)};
  }

  void tell(double temperature, const Change& fitted, const std::optional<Change>& tested) const {
    if (json_) {
      Json json{{"temperature", temperature}, {"data", to_json(fitted)}};
      if (tested) json["test"] = to_json(*tested);
      fmt::print("{}\n", json.dump());
      return;
    }
    fmt::print("temperature {:.6g}\n\n{}", temperature, to_text("data", fitted));
    if (tested) fmt::print("\n{}", to_text("test data", *tested));
  }

  ModelInput input_;
  std::string test_;
  std::string output_;
  bool json_ = false;
};

}  // namespace

const MakeCommand make_calibrate = make_command<Calibrate>;

}  // namespace gapwise::internal::cli
