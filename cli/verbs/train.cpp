#include <fmt/format.h>

#include <array>

#include "app/checkpoint.h"
#include "run/outputs.h"
#include "run/signals.h"
#include "shell/exit_codes.h"
#include "shell/standard_output.h"
#include "verbs/training_command.h"

namespace gapwise::internal::cli {
namespace {

class Train : public TrainingCommand {
 public:
  std::vector<OptionGroup> options() override {
    std::vector<OptionGroup> groups = training_groups();
    groups.push_back({"output", output_rows()});
    return groups;
  }

  std::vector<std::string_view> required() const override { return {"data"}; }

  void run(const std::set<std::string>& given) override {
    check_partners(given);
    settle(given);
    if (!settings_.proof.empty()) set_option(options_, "keep-outputs", "yes");
    check_can_converge(options_.solver);
    const auto data = read(check_files());
    const Trained trained = run_training(data, settings_, options_, data->examples().describe());
    if (settings_.json) {
      fmt::print("{}\n", to_json(trained.figures));
    } else {
      fmt::print("{}", to_table(trained.figures,
                                {settings_.model, settings_.trace, settings_.checkpoint}));
    }
    flush_output();
    if (trained.failure) throw InputError(*trained.failure);
    check_end(trained.figures);
  }

 private:
  OptionTable output_rows() {
    return {option("model", settings_.model, "FILE", "where to write the model"),
            option("proof", settings_.proof, "FILE",
                   "where to write the dual point, by which 'gapwise verify' proves the gap; means "
                   "--keep-outputs"),
            option("trace", settings_.trace, "FILE", "every measurement as a JSON line"),
            trace_clock_row(),
            trace_test_row(),
            test_every_row(),
            option("checkpoint", settings_.checkpoint, "FILE", "save the state of the run here"),
            option("checkpoint-seconds", settings_.checkpoint_seconds, at_least(0.0), "S",
                   "time between two checkpoints; 0: after every pass"),
            option("resume", settings_.resume, "FILE",
                   "go on from this checkpoint, bit for bit; --checkpoint may name the same file"),
            flag("json", settings_.json, "the summary as one JSON object on standard output"),
            quiet_row()};
  }

  void check_end(const Figures& figures) const {
    if (figures.status == StopReason::kInterrupted || (figures.is_cut_short && is_interrupted())) {
      throw EndedEarly(kInterrupted, how_to_go_on());
    }
    if (settings_.requires_convergence) check_converged("the run", figures);
  }

  std::string how_to_go_on() const {
    if (!settings_.checkpoint.empty()) {
      return fmt::format(
          "ended by a signal, everything is saved; to go on, give the same options and --resume {}",
          settings_.checkpoint);
    }
    return fmt::format(
        "ended by a signal; {}the state of the run is not saved: give --checkpoint FILE to be able "
        "to go on",
        settings_.model.empty() ? "" : "the model so far is saved, ");
  }

  /// Nothing is read before it is known that everything can be written.
  Outputs check_files() const {
    Outputs outputs;
    outputs.add("model", settings_.model);
    outputs.add("proof", settings_.proof);
    outputs.add("trace", settings_.trace);
    outputs.check_input("resume", settings_.resume);  // which may be the checkpoint
    outputs.add("checkpoint", settings_.checkpoint);
    check_inputs(outputs);
    check_regular("trace", settings_.trace);
    if (!settings_.resume.empty()) check_checkpoint(settings_.resume);
    return outputs;
  }

  /// Options that mean nothing without another one.
  static void check_partners(const std::set<std::string>& given) {
    constexpr std::array<std::pair<const char*, const char*>, 5> kPartners{
        {{"proof", "model"},
         {"trace-clock", "trace"},
         {"trace-test", "trace"},
         {"test-every", "trace"},
         {"checkpoint-seconds", "checkpoint"}}};
    for (const auto& [name, partner] : kPartners) {
      if (given.contains(name) && !given.contains(partner)) {
        throw OptionError(fmt::format("--{} needs --{} FILE", name, partner));
      }
    }
  }
};

}  // namespace

std::unique_ptr<Command> make_train() {
  return std::make_unique<Train>();
}

}  // namespace gapwise::internal::cli
