#include "io/files.h"
#include "run/outputs.h"
#include "shell/command.h"
#include "shell/standard_output.h"
#include "verbs/model_input.h"

namespace gapwise::internal::cli {
namespace {

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
                 "input, truth, prediction; predictions are then written only with --output")}}};
  }
  std::vector<std::string_view> required() const override { return {"data"}; }

  void run(const std::set<std::string>& given) override {
    const bool has_pictures = given.contains("pictures");
    const bool has_output = !has_pictures || given.contains("output");
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
      input_.model.load().predict(input_.source, put_output, input_.threads);
      return;
    }
    Outputs outputs;
    outputs.add("output", output_);
    outputs.check_input("data", input_.source.path);
    outputs.check_input(input_.model.option_name(), input_.model.file());
    const OpenedFiles opened;
    const auto model = input_.model.load();
    FileWriter file(output_);
    model.predict(
        input_.source, [&](std::string_view text) { file.add(text); }, input_.threads);
    outputs.check_read(opened);
    file.commit();
  }

  ModelInput input_;
  std::string output_ = "-";
  std::string pictures_;
};

}  // namespace

std::unique_ptr<Command> make_predict() {
  return std::make_unique<Predict>();
}

}  // namespace gapwise::internal::cli
