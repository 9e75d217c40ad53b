#include <fmt/format.h>

#include "gapwise/proof.h"
#include "run/example_weights.h"
#include "shell/exit_codes.h"
#include "verbs/model_input.h"
#include "verbs/training_command.h"

namespace gapwise::internal::cli {
namespace {

class Verify final : public TrainingCommand {
 public:
  std::vector<OptionGroup> options() override {
    std::vector<OptionGroup> groups = reading_groups();
    groups.push_back({"proof",
                      {option("model", model_, "FILE", "the model"),
                       option("proof", proof_, "FILE", "its proof, by 'train --proof'"),
                       threads_row(threads_)}});
    return groups;
  }

  std::vector<std::string_view> required() const override { return {"model", "proof", "data"}; }

  void run(const std::set<std::string>& given) override {
    take_task_options(given);
    const Model model = gapwise::load_model(model_);
    const Examples examples = with_weights_of(
        read_examples(settings_.task, {settings_.data, settings_.format, settings_.train_folds},
                      settings_.task_options),
        settings_.example_weights);
    const Verification found = verify(model, proof_, examples, threads_);
    fmt::print("optimum       {} to {}\n", found.lower, found.upper);
    fmt::print("proven gap    {} ({:.4g} of the primal)\n", found.gap(), found.gap() / found.upper);
    fmt::print("claimed gap   {}\n", found.claimed);
    fmt::print("rounding      {:.2g}\n", found.rounding);
    fmt::print("dual point    {} outputs of {} examples\n", found.outputs, examples.size());
    fmt::print("distance      {:.2g} of |w| from its weights to those of the model\n",
               found.distance);
    if (!found.holds) {
      throw EndedEarly(kDisproved, fmt::format("{}: claims a gap of {}, but only {} is proven",
                                               model_, found.claimed, found.gap()));
    }
    fmt::print("the claim holds\n");
  }

 private:
  std::string model_;
  std::string proof_;
  ThreadCount threads_;
};

}  // namespace

const MakeCommand make_verify = make_command<Verify>;

}  // namespace gapwise::internal::cli
