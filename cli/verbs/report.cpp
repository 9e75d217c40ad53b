#include "report/report.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/compare_entries.h"
#include "io/files.h"
#include "run/outputs.h"
#include "shell/command.h"
#include "verbs/model_input.h"
#include "verbs/run_list.h"

namespace gapwise::internal::cli {
namespace {

class ReportCommand : public Command {
 public:
  std::vector<OptionGroup> options() override {
    Option title = option("title", title_, "TEXT", "heading of the page");
    title.fallback = "the names of the runs";
    return {
        {"runs", {list_.row(), option("gaps", gaps_, "LIST", "relative gaps to tell the way to")}},
        {"model: what it gets right and wrong, with --data", input_.rows()},
        {"output", {option("output", output_, "FILE", "the page"), std::move(title)}}};
  }
  std::string_view positional() const override { return "run"; }
  bool takes_many() const override { return true; }

  void run(const std::set<std::string>& given) override {
    const bool has_model = !input_.model.file().empty();
    if (list_.paths.empty() && !has_model) {
      throw OptionError(
          "nothing to report: give a trace, the folder of a comparison or a path, or --model FILE "
          "with --data FILE");
    }
    if (has_model != given.contains("data")) {
      throw OptionError("--model FILE and --data FILE go together: a model is shown by its errors");
    }
    Outputs outputs;
    outputs.add("output", output_);
    for (const std::string& path : list_.paths) outputs.check_input("run", path);
    outputs.check_input(input_.model.option_name(), input_.model.file());
    outputs.check_input("data", input_.source.path);

    ReportInput page;
    page.gaps = parse_gaps(gaps_);
    page.set = list_.read();
    page.title = given.contains("title") ? title_ : names();
    if (has_model) {
      check_read_again(input_.source.path);
      page.model = view_model(input_.model.load(), input_.source, input_.threads);
    }
    write_file(output_, to_html(page));
    fmt::print("The report is in {}.\n", output_);
  }

 private:
  std::string names() const {
    const auto name = [](const std::string& path) {
      const std::filesystem::path place(path);
      return (place.has_filename() ? place : place.parent_path()).filename().string();
    };
    std::string words;
    for (const std::string& path : list_.paths) {
      if (!words.empty()) words += ", ";
      if (words.size() > 60) return words + "...";
      words += name(path);
    }
    return words.empty() ? name(input_.model.file()) : words;
  }

  RunList list_;
  std::string gaps_ = "0.1,0.01,0.001";
  ModelInput input_;
  std::string output_ = "report.html";
  std::string title_;
};

}  // namespace

const MakeCommand make_report = make_command<ReportCommand>;

}  // namespace gapwise::internal::cli
