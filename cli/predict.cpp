#include <cstdio>
#include <sstream>

#include "command.h"
#include "gapwise/io/files.h"
#include "model_input.h"
#include "outputs.h"

namespace gapwise::cli {
namespace {

class Predict : public Command {
 public:
  std::vector<OptionGroup> options() override {
    return {{"input", input_.rows()},
            {"output",
             {option("output", output_, "FILE",
                     "where to write the predictions; '-' is standard output")}}};
  }
  std::vector<std::string_view> required() const override { return {"model", "data"}; }

  void run(const std::set<std::string>&) override {
    const bool is_file = output_ != "-";
    if (is_file) {
      check_output("output", output_);
      check_distinct("data", input_.source.path, "output", output_);
      check_distinct("model", input_.model, "output", output_);
    }
    std::ostringstream predictions;
    const auto threads = make_threads(input_.threads);
    input_.open()->predict(input_.source, *threads, predictions);
    const std::string text = std::move(predictions).str();
    if (is_file) {
      write_file(output_, text);
    } else {
      std::fwrite(text.data(), 1, text.size(), stdout);
    }
  }

 private:
  ModelInput input_;
  std::string output_ = "-";
};

}  // namespace

std::unique_ptr<Command> make_predict() {
  return std::make_unique<Predict>();
}

}  // namespace gapwise::cli
