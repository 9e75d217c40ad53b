#include <fmt/format.h>

#include <algorithm>

#include "shell/command.h"
#include "solve/citations.h"
#include "verbs/run_list.h"

namespace gapwise::internal::cli {
namespace {

class Cite : public Command {
 public:
  OptionTable rows() override { return {list_.row()}; }
  std::vector<std::string_view> required() const override { return {"run"}; }
  std::string_view positional() const override { return "run"; }
  bool takes_many() const override { return true; }

  void run(const std::set<std::string>&) override {
    const RunSet set = list_.read();
    std::vector<std::string> solvers;
    for (const Run& run : set.runs) {
      if (std::find(solvers.begin(), solvers.end(), run.solver) == solvers.end()) {
        solvers.push_back(run.solver);
      }
    }
    fmt::print("{}", bibtex(solvers, !set.paths.empty()));
  }

 private:
  RunList list_;
};

}  // namespace

const MakeCommand make_cite = make_command<Cite>;

}  // namespace gapwise::internal::cli
