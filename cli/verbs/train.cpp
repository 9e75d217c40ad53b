#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "app/checkpoint.h"
#include "app/rounds/label_rounds.h"
#include "io/files.h"
#include "run/label_rounds.h"
#include "run/lambda_choice.h"
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
    groups.push_back({"choice of lambda, with --lambda auto", choice_.rows()});
    groups.push_back(
        {"labels that are not known",
         {option("label-rounds", settings_.label_rounds, at_least(2), "N",
                 "train so many times: first on what is known alone, then on labels completed by "
                 "the round before; fewer if they change no more")}});
    groups.push_back({"output", output_rows()});
    return groups;
  }

  std::vector<std::string_view> required() const override { return {"data"}; }

  bool spreads() const override { return true; }
  void join(Ranks& ranks) override { settings_.ranks = &ranks; }

  void run(const std::set<std::string>& given) override {
    check_partners(given);
    settle(given);
    if (!settings_.proof.empty()) set_option(options_, "keep-outputs", "yes");
    if (settings_.ranks != nullptr) check_job();
    if (!settings_.leads()) settings_.follow();
    check_can_converge(options_.solver);
    const auto data =
        read(check_files(), [this](Examples train) { return complete(std::move(train)); });
    if (options_.lambda.is_auto) choose_lambda(*data);
    const LabelRounds* const rounds = data->examples().set().label_rounds();
    const std::string headline = search_             ? choice_words()
                                 : rounds != nullptr ? headline_of(*rounds)
                                                     : data->examples().describe();
    ReportWriter report(settings_.report, settings_.report_every,
                        report_base(fmt::format("{} on {}", options_.solver, data_name())));
    report.input().notes = {data->examples().describe()};
    report.input().search = search_;
    if (!settings_.report.empty()) settings_.report_writer = &report;
    settings_.report_label = options_.solver;
    Trained trained = run_training(data, settings_, options_, headline);
    if (!settings_.leads()) return;
    finish_report(report, trained);
    if (settings_.json) {
      std::string json = with_search(to_json(trained.figures));
      if (rounds != nullptr) add_member(json, "label_rounds", to_json(*rounds));
      fmt::print("{}\n", json);
    } else {
      fmt::print("{}", to_table(trained.figures,
                                {settings_.model, settings_.trace, settings_.checkpoint}));
    }
    flush_output();
    if (!settings_.quiet && !settings_.json) say_next_step();
    if (trained.failure) throw InputError(*trained.failure);
    check_end(trained.figures);
  }

 private:
  /// What the ranks of a job cannot do.
  void check_job() const {
    if (options_.lambda.is_auto) {
      throw OptionError(
          "--lambda auto trains many times, which ranks cannot share yet; choose "
          "lambda with gapwise on one machine, then give it as a number");
    }
    if (settings_.data == "-") {
      throw OptionError(
          "--data -: only rank 0 has a standard input; save the data to a file that "
          "every rank can read");
    }
  }

  OptionTable output_rows() {
    return {option("model", settings_.model, "FILE", "where to write the model"),
            option("proof", settings_.proof, "FILE",
                   "where to write the dual point, by which 'gapwise verify' proves the gap; means "
                   "--keep-outputs"),
            option("trace", settings_.trace, "FILE", "every measurement as a JSON line"),
            trace_clock_row(),
            trace_test_row(),
            test_every_row(),
            report_row(),
            report_every_row(),
            option("checkpoint", settings_.checkpoint, "FILE", "save the state of the run here"),
            option("checkpoint-seconds", settings_.checkpoint_seconds, at_least(0.0), "S",
                   "time between two checkpoints; 0: after every pass"),
            option("resume", settings_.resume, "FILE",
                   "go on from this checkpoint, bit for bit; --checkpoint may name the same file"),
            flag("json", settings_.json, "the summary as one JSON object on standard output"),
            quiet_row(),
            progress_row()};
  }

  /// One line for people, who wonder what the files are good for.
  void say_next_step() const {
    if (settings_.progress == ProgressForm::kJson) return;  // every line is an object
    std::string step;
    if (settings_.model.empty()) {
      step = "give --model FILE to keep what was learned";
    } else if (!settings_.report.empty()) {
      step = fmt::format("open {} in a browser", settings_.report);
    } else if (!settings_.trace.empty()) {
      step = fmt::format("gapwise report {}", settings_.trace);
    } else {
      step = fmt::format("gapwise predict --model {} --data FILE", settings_.model);
    }
    std::fputs(fmt::format("next: {}\n", step).c_str(), stderr);  // who may have gone away
  }

  /// The page of the whole run, with the model as the test data show it.
  void finish_report(ReportWriter& report, Trained& trained) const {
    if (settings_.report.empty()) return;
    try {
      const auto source = test_source(settings_);
      report.add(trained.lines, settings_.report_label);
      if (source && can_be_read_again(source->path) && !is_interrupted()) {
        report.input().model = view_model(trained.model, *source, options_.threads);
      }
      report.write();
    } catch (const InputError& error) {
      if (!trained.failure) trained.failure = error.what();
    }
  }

  /// Where the search for lambda is saved, with a number for each fold; empty: nowhere.
  std::string search_file() const {
    if (settings_.checkpoint.empty() || !options_.lambda.is_auto) return {};
    return settings_.checkpoint + ".lambda";
  }
  std::vector<std::string> search_files() const {
    std::vector<std::string> files;
    constexpr Index kFewest = 2;  // a search decides itself between one and two
    const Index count = search_file().empty() ? 0 : std::max(kFewest, choice_.search.folds);
    for (Index k = 1; k <= count; ++k) files.push_back(fmt::format("{}.fold{}", search_file(), k));
    return files;
  }

  /// The run to go on with was ended before lambda was chosen.
  bool is_search_under_way() const {
    const auto files = search_files();
    return !files.empty() && settings_.resume == settings_.checkpoint &&
           !std::filesystem::exists(settings_.resume) && std::filesystem::exists(files.front());
  }

  /// With all labels, whatever it takes.
  Examples complete(Examples train) {
    if (!has_unknown_labels(train)) return train;
    if (settings_.ranks != nullptr) {
      throw InputError(
          fmt::format("{}: there are labels that are not known, which takes several "
                      "runs that ranks cannot share yet; train with gapwise",
                      settings_.data));
    }
    if (!settings_.quiet) fmt::print(stderr, "{}\n", train.describe());
    FitSettings rounds;
    rounds.label_rounds = settings_.label_rounds;
    rounds.oracle_delay = settings_.oracle_delay;
    rounds.stop = &stop_flag();
    catch_signals();
    RoundConsole console(settings_.quiet);
    Examples completed = complete_labels(train, options_, console, rounds);
    if (is_interrupted()) {
      throw EndedEarly(kInterrupted,
                       "ended by a signal before all labels were known; nothing is saved");
    }
    return completed;
  }

  void choose_lambda(const TrainingData& data) {
    LambdaSearchSettings& search = choice_.search;
    choice_.read(settings_.task, settings_.format, settings_.task_options);
    search.is_quick = true;
    search.path.file = search_file();
    search.path.checkpoint_seconds = settings_.checkpoint_seconds;
    search.path.oracle_delay = settings_.oracle_delay;
    search.path.stop = &stop_flag();
    if (settings_.resume.empty()) {
      for (const std::string& file : search_files()) std::filesystem::remove(file);
    }
    if (is_search_under_way()) settings_.resume.clear();
    if (!settings_.quiet) fmt::print(stderr, "{}\n", data.examples().describe());
    catch_signals();
    LambdaConsole console(search, settings_.quiet);
    const LambdaSearch found = search_lambda(data.examples(), options_, search, console);
    if (found.reason == StopReason::kInterrupted) throw EndedEarly(kInterrupted, how_to_go_on());
    options_ = with_chosen(options_, found);
    search_ = found;
  }

  std::string choice_words() const {
    return fmt::format(
        "lambda {:.5g}: {} {:.4f} on examples held out, found in {:.1f} s of training",
        search_->lambda(), search_->metric, search_->table[search_->chosen].mean, search_->seconds);
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
    if (!settings_.leads()) return outputs;
    outputs.add("model", settings_.model);
    outputs.add("proof", settings_.proof);
    outputs.add("trace", settings_.trace);
    outputs.add("report", settings_.report);
    outputs.check_input("resume", settings_.resume);  // which may be the checkpoint
    outputs.add("checkpoint", settings_.checkpoint);
    check_inputs(outputs);
    check_regular("trace", settings_.trace);
    outputs.check_input("validate", choice_.validate);
    outputs.check_input("group-by", choice_.group_by);
    for (const std::string& file : search_files()) {
      outputs.add("checkpoint", file);
      outputs.add("checkpoint", file + ".state");
    }
    if (options_.lambda.is_auto && choice_.validate.empty()) check_read_again(settings_.data);
    if (!settings_.resume.empty() && !is_search_under_way()) check_checkpoint(settings_.resume);
    return outputs;
  }

  /// Options that mean nothing without another one.
  void check_partners(const std::set<std::string>& given) {
    constexpr std::array<std::pair<const char*, const char*>, 6> kPartners{
        {{"proof", "model"},
         {"report-every", "report"},
         {"trace-clock", "trace"},
         {"trace-test", "trace"},
         {"test-every", "trace"},
         {"checkpoint-seconds", "checkpoint"}}};
    for (const Option& row : choice_.rows()) {
      if (given.contains(row.name) && !options_.lambda.is_auto) {
        throw OptionError(fmt::format("--{} is for --lambda auto", row.name));
      }
    }
    for (const auto& [name, partner] : kPartners) {
      const bool is_in_report = partner == std::string_view("trace") && given.contains("report");
      if (given.contains(name) && !given.contains(partner) && !is_in_report) {
        throw OptionError(fmt::format("--{} needs --{} FILE", name, partner));
      }
    }
  }

  static void add_member(std::string& json, std::string_view name, const std::string& value) {
    json.insert(json.size() - 1, fmt::format(",\"{}\":{}", name, value));
  }

  /// The summary with what was tried, if lambda was chosen.
  std::string with_search(std::string json) const {
    if (search_) add_member(json, "search", to_json(*search_));
    return json;
  }

  LambdaChoiceSettings choice_;
  std::optional<LambdaSearch> search_;
};

}  // namespace

const MakeCommand make_train = make_command<Train>;

}  // namespace gapwise::internal::cli
