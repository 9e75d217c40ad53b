#include <fmt/format.h>

#include "run/figures.h"
#include "shell/command.h"
#include "shell/text.h"
#include "verbs/model_input.h"

namespace gapwise::internal::cli {
namespace {

class Evaluate : public Command {
 public:
  std::vector<OptionGroup> options() override {
    return {{"input", input_.rows()},
            {"output", {flag("json", json_, "one JSON object on standard output")}}};
  }
  std::vector<std::string_view> required() const override { return {"data"}; }

  void run(const std::set<std::string>&) override {
    const Metrics metrics = input_.model.load().evaluate(input_.source, input_.threads);
    if (json_) {
      fmt::print("{}\n", to_json(metrics));
      return;
    }
    std::vector<std::pair<std::string, std::string>> rows;
    for (const Metric& metric : metrics) {
      rows.emplace_back(metric.name, fmt::format("{:.6f}", metric.value));
    }
    fmt::print("{}", aligned(rows));
  }

 private:
  ModelInput input_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_evaluate() {
  return std::make_unique<Evaluate>();
}

}  // namespace gapwise::internal::cli
