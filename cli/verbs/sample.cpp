#include <fmt/format.h>

#include "io/files.h"
#include "run/outputs.h"
#include "shell/command.h"
#include "tasks/task.h"

namespace gapwise::internal::cli {
namespace {

class Sample : public Command {
 public:
  OptionTable rows() override {
    return {choice("task", task_, task_names(), "what the data are for"),
            option("examples", examples_, between(1, 1e6), "N", "how many examples to make"),
            option("seed", seed_, "N", "seed of the data"),
            option("output", output_, "FILE", "where to write them; - is standard output")};
  }
  std::vector<std::string_view> required() const override { return {"task"}; }

  void run(const std::set<std::string>&) override {
    Rng rng(seed_);
    const std::string text = make_task_driver(task_)->sample(examples_, rng);
    if (output_ == "-") {
      fmt::print("{}", text);
    } else {
      check_output("output", output_);
      write_file(output_, text);
    }
  }

 private:
  std::string task_;
  Index examples_ = 100;
  std::uint64_t seed_ = 1;
  std::string output_ = "-";
};

}  // namespace

const MakeCommand make_sample = make_command<Sample>;

}  // namespace gapwise::internal::cli
