#include <fmt/format.h>

#include <filesystem>

#include "app/compare_entries.h"
#include "io/files.h"
#include "run/compare_table.h"
#include "run/outputs.h"
#include "run/signals.h"
#include "shell/exit_codes.h"
#include "shell/standard_output.h"
#include "verbs/training_command.h"

namespace gapwise::internal::cli {
namespace {

constexpr const char* kSummary = "summary.json";
constexpr const char* kTable = "table.txt";

class Compare : public TrainingCommand {
 public:
  std::vector<OptionGroup> options() override {
    std::vector<OptionGroup> groups = training_groups_without("solver");
    groups.insert(groups.begin(), {"comparison", comparison_rows()});
    groups.push_back(
        {"output",
         {option("output", folder_, "DIR", "where to put a trace of each, the summary, the table"),
          report_row(), report_every_row(), trace_clock_row(), trace_test_row(), test_every_row(),
          flag("json", settings_.json, "the summaries as one JSON array on standard output"),
          quiet_row(), progress_row()}});
    return groups;
  }

  std::vector<std::string_view> required() const override { return {"data", "solvers", "output"}; }

  void run(const std::set<std::string>& given) override {
    settle(given);
    comparison_.gaps = parse_gaps(gaps_);
    if (!options_.gap && !options_.relative_gap) options_.relative_gap = comparison_.gaps.back();
    entries_ = parse_entries(solvers_, options_);
    check_some_can_converge();
    make_folder("output", folder_);
    data_ = read(check_files());
    for (CompareEntry& entry : entries_) {
      if (entry.options.sampling == Sampling::kCyclic) entry.options.order = options_.order;
    }
    check_fit();

    take_notes();
    report_.emplace(settings_.report, settings_.report_every,
                    report_base(fmt::format("Comparison on {}", data_name())));
    report_->input().notes = comparison_.notes;
    report_->input().gaps = comparison_.gaps;
    for (const CompareEntry& entry : entries_) comparison_.skipped.push_back(entry.label);
    for (const CompareEntry& entry : entries_) {
      if (is_interrupted()) break;
      comparison_.outcomes.push_back(run_entry(entry));
      comparison_.skipped.erase(comparison_.skipped.begin());
      write_results();
    }
    show_results();
  }

 private:
  OptionTable comparison_rows() {
    return {option("solvers", solvers_, "LIST",
                   "what to compare: solvers, each with the options that differ for it, as in "
                   "bcfw,bcfw:sampling=uniform:seed=2"),
            option("gaps", gaps_, "LIST",
                   "relative gaps to tell the way to; all runs stop at the smallest unless a gap "
                   "is given")};
  }

  std::string place(const std::string& file) const {
    return (std::filesystem::path(folder_) / file).string();
  }
  std::string trace_of(const CompareEntry& entry) const { return place(entry.label + ".jsonl"); }

  Outputs check_files() const {
    if (settings_.test == "-") {
      throw OptionError("every entry is tested anew; --test must be a file, not standard input");
    }
    if (settings_.report_every && settings_.report.empty()) {
      throw OptionError("--report-every needs --report FILE");
    }
    std::vector<std::string> files{place(kSummary), place(kTable)};
    for (const CompareEntry& entry : entries_) files.push_back(trace_of(entry));
    Outputs outputs;
    outputs.add("report", settings_.report);
    for (const std::string& file : files) {
      outputs.add("output", file);
      check_regular("output", file);
    }
    check_inputs(outputs);
    return outputs;
  }

  /// An entry that cannot run on these data is better found before the others have taken hours.
  void check_fit() const {
    for (const CompareEntry& entry : entries_) {
      try {
        fitted(entry.options, data_->problem());
      } catch (const OptionError& error) {
        throw OptionError(fmt::format("--solvers, entry '{}': {}", entry.text, error.marked()));
      }
    }
  }

  void take_notes() {
    comparison_.notes.push_back(data_->examples().describe());
    if (settings_.oracle_delay > 0.0) {
      comparison_.notes.push_back(
          fmt::format("every oracle call takes {} ms longer", settings_.oracle_delay));
    }
  }

  /// Nothing that happens to one entry may cost the others.
  Outcome run_entry(const CompareEntry& entry) {
    const std::size_t number = comparison_.outcomes.size() + 1;
    std::string headline = fmt::format("[{}/{}] {}", number, entries_.size(), entry.text);
    if (number == 1) headline = data_->examples().describe() + "\n" + headline;
    TrainSettings settings = settings_;
    settings.trace = trace_of(entry);
    settings.report_label = entry.label;
    if (!settings_.report.empty()) settings.report_writer = &*report_;
    try {
      Trained trained = run_training(data_, settings, entry.options, headline);
      if (trained.failure) remember(*trained.failure);
      report_->add(trained.lines, entry.label);
      return {entry.label,
              entry.objective,
              std::move(trained.figures),
              std::move(trained.measurements),
              std::move(trained.tests),
              {}};
    } catch (const std::exception& error) {
      ++failed_;
      remember(fmt::format("{}: {}", entry.label, error.what()));
      return {entry.label, entry.objective, figures_of(*data_, entry.options), {},
              {},          error.what()};
    }
  }

  /// After every entry, so that whatever ends the program leaves what was found so far.
  void write_results() {
    try {
      write_file(place(kSummary), to_json(comparison_) + "\n");
      write_file(place(kTable), to_table(comparison_));
      if (!settings_.report.empty()) report_->write();
    } catch (const InputError& error) {
      remember(error.what());
    }
  }

  /// Methods without a dual may stand beside those that have one, but not alone.
  void check_some_can_converge() const {
    for (const CompareEntry& entry : entries_) {
      if (solver_info(entry.options.solver).has_dual) return;
    }
    check_can_converge(entries_.front().options.solver);
  }

  void check_end() const {
    const Figures& last = comparison_.outcomes.back().figures;
    const bool is_cut_short = last.status == StopReason::kInterrupted || last.is_cut_short;
    if (is_interrupted() && (is_cut_short || !comparison_.skipped.empty())) {
      throw EndedEarly(kInterrupted,
                       fmt::format("ended by a signal; {} of {} entries have not run, what was "
                                   "found so far is in {}",
                                   comparison_.skipped.size(), entries_.size(), folder_));
    }
    if (!settings_.requires_convergence) return;
    for (const Outcome& outcome : comparison_.outcomes) {
      const bool can_converge = solver_info(outcome.figures.solver).has_dual;
      if (can_converge) check_converged("entry " + outcome.label, outcome.figures);
    }
  }

  void show_results() const {
    if (settings_.json) {
      fmt::print("{}\n", to_json(comparison_));
    } else {
      fmt::print("{}\nThe traces, {} and {} are in {}.\n", to_table(comparison_), kSummary, kTable,
                 folder_);
    }
    flush_output();
    if (failed_ > 0) {
      throw Error(fmt::format("{} of {} entries failed; {}", failed_, entries_.size(), *failure_));
    }
    if (failure_) throw InputError(*failure_);
    check_end();
  }

  void remember(const std::string& failure) {
    if (!failure_) failure_ = failure;
  }

  std::string solvers_;
  std::string gaps_ = "0.1,0.01,0.001";
  std::string folder_;
  std::vector<CompareEntry> entries_;
  std::shared_ptr<const TrainingData> data_;
  Comparison comparison_;
  std::optional<ReportWriter> report_;
  std::optional<std::string> failure_;  ///< the first one
  std::size_t failed_ = 0;              ///< entries that broke off
};

}  // namespace

const MakeCommand make_compare = make_command<Compare>;

}  // namespace gapwise::internal::cli
