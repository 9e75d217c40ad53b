#include "tasks/alignment/driver.h"

#include "io/fields.h"

namespace gapwise::internal {
namespace {

class AlignmentDriver final : public TaskDriver {
 public:
  AlignmentDriver()
      : TaskDriver("alignment", "link the words of two sentences, or the points of two sets",
                   alignment_formats()) {}

  OptionTable options() override {
    return {
        option("cost-precision", costs_.precision, at_least(0), "X", "what a wrong link costs"),
        option("cost-recall", costs_.recall, at_least(0), "X", "what a missing link costs"),
        option("fertility", fertility_, between(1, static_cast<double>(kMostFertile)), "K",
               "how many links a word or point may have, on either side"),
        option("target", target_, "EXT",
               "format parallel: the other side is in the file with this extension"),
        option("gold", gold_, "EXT",
               "format parallel: the gold links are in the file with this extension"),
        option("given", given_, "EXT,...",
               "format parallel: alignments to look at, by extension; EXT:swapped if the target "
               "comes first"),
        option("bitext", bitext_, "FILE[,FILE]",
               "more pairs of sentences to count words in, one file or one for each side"),
        option("points", points_, "FILE,...",
               "format points: the numbers of each point; names are relative to the data file"),
    };
  }

  std::unique_ptr<TrainingSet> read_training(const DataSource& source, const Threads&) override {
    validate(options());
    AlignmentPlan plan;
    plan.format = alignment_formats().front();
    plan.files = {target_, gold_, split_commas(given_)};
    plan.points = split_commas(points_);
    plan.fertility = fertility_;
    return make_alignment_training_set(source, std::move(plan), bitext_, costs_);
  }

  std::unique_ptr<Predictor> open(ModelRecord model) const override {
    return make_alignment_predictor(decode_alignment_model(std::move(model)));
  }

  std::string sample(Index examples, Rng& rng) const override {
    return alignment_sample(examples, rng);
  }

  bool looks_familiar(std::string_view head) const override { return looks_like_pairs(head); }

 private:
  AlignmentCosts costs_;
  Index fertility_ = 1;
  std::string target_;
  std::string gold_ = "gold";
  std::string given_;
  std::string bitext_;
  std::string points_;
};

}  // namespace

GAPWISE_TASK_DRIVER(alignment, AlignmentDriver)

}  // namespace gapwise::internal
