#include "tasks/parsing/driver.h"

#include "tasks/parsing/treebank.h"

namespace gapwise::internal {
namespace {

class ParsingDriver final : public TaskDriver {
 public:
  ParsingDriver()
      : TaskDriver("parsing", "find the dependency tree of every sentence: heads and their labels",
                   treebank_formats()) {}

  OptionTable options() override {
    return {
        choice("loss", settings_.loss,
               "a wrong head costs 1 and so does a wrong label, or 1 / length of the sentence"),
        flag("projective", settings_.kind.is_projective,
             "predict trees without crossing arcs only"),
        choice("roots", settings_.kind.roots, "how many words may have no head in a sentence"),
        option(
            "constraints", settings_.constraints_file, "FILE",
            "which arcs no tree may have, in training and in prediction: by the tags of head and "
            "word and by the label (docs/parsing.md)"),
        flag("labelled", settings_.has_labels, "learn the labels of arcs, not only heads"),
        choice("features", settings_.features,
               "give weights to the features of right arcs only, or of all possible arcs"),
        option("hash-bits", hash_bits_, between(1, FeatureBuckets::kMostBits), "B",
               "hash features into 2^B buckets"),
    };
  }

  std::unique_ptr<TrainingSet> read_training(const DataSource& source, const Threads&) override {
    validate(options());
    settings_.hash_bits = static_cast<int>(hash_bits_);
    return make_parsing_training_set(source, settings_);
  }

  std::unique_ptr<Predictor> open(ModelRecord model) const override {
    return make_parsing_predictor(decode_parsing_model(std::move(model)));
  }

  std::string sample(Index examples, Rng& rng) const override {
    return make_parsing_sample(examples, rng);
  }

  bool looks_familiar(std::string_view head) const override { return looks_like_treebank(head); }

 private:
  ParsingSettings settings_;
  Index hash_bits_ = settings_.hash_bits;
};

}  // namespace

GAPWISE_TASK_DRIVER(parsing, ParsingDriver)

}  // namespace gapwise::internal
