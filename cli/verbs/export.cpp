#include <fmt/format.h>

#include "io/files.h"
#include "report/assets.h"
#include "report/report.h"
#include "run/outputs.h"
#include "shell/command.h"
#include "shell/standard_output.h"
#include "verbs/run_list.h"

namespace gapwise::internal::cli {
namespace {

class Export : public Command {
 public:
  OptionTable rows() override {
    return {list_.row(),
            flag("csv", is_csv_, "comma-separated values, a line for each measurement or point"),
            option("output", output_, "FILE", "where to write them; '-' is standard output"),
            option("script", script_, "FILE",
                   "also a Python script that draws them with matplotlib, as papers do")};
  }
  std::vector<std::string_view> required() const override { return {"run"}; }
  std::string_view positional() const override { return "run"; }
  bool takes_many() const override { return true; }

  void run(const std::set<std::string>&) override {
    if (!is_csv_) throw OptionError("--csv no: there is no other form yet");
    Outputs outputs;
    if (output_ != "-") outputs.add("output", output_);
    outputs.add("script", script_);
    for (const std::string& path : list_.paths) outputs.check_input("run", path);
    const RunSet set = list_.read();
    if (!set.runs.empty() && !set.paths.empty()) {
      throw OptionError("runs and paths have other columns; export them one after the other");
    }
    const std::string text = set.paths.empty() ? to_csv(set.runs) : to_csv(set.paths);
    if (output_ == "-") {
      put_output(text);
    } else {
      write_file(output_, text);
    }
    if (!script_.empty()) write_file(script_, assets().figure.text());
  }

 private:
  RunList list_;
  bool is_csv_ = true;
  std::string output_ = "-";
  std::string script_;
};

}  // namespace

const MakeCommand make_export = make_command<Export>;

}  // namespace gapwise::internal::cli
