#include <fmt/format.h>

#include <optional>

#include "io/alphabet.h"
#include "io/label_weights.h"
#include "tasks/sequence/model.h"
#include "tasks/sequence/predictor.h"
#include "tasks/sequence/reader.h"
#include "tasks/sequence/rows.h"
#include "tasks/sequence/training.h"
#include "tasks/shared/labels.h"
#include "tasks/task.h"

namespace gapwise::internal {
namespace {

class SequenceDriver final : public TaskDriver {
 public:
  SequenceDriver()
      : TaskDriver(
            "sequence",
            "label every token of a sequence: tagging, chunking, named entities, handwriting",
            sequence_formats()) {}

  OptionTable options() override {
    return {
        loss_option(),
        choice("rescaling", rescaling_,
               "a loss asks for a larger margin, or makes it count more that one is missed"),
        option("segments", longest_segment_, between(0, kLongestSegment), "N",
               "score whole chunks, of at most N tokens, by attributes of their own (semi-Markov); "
               "0: no (docs/segments.md)"),
        option("beam", beam_, between(0, static_cast<double>(kWidestBeam)), "N",
               "decode with the N best labels of each position only, without certificate; 0: all"),
        option("constraints", rule_, "bio|bioes|iob1|FILE",
               "labels that may follow each other, in training and in prediction: by how labels "
               "mark chunks, or by a file (docs/formats.md)"),
        flag("dictionary", dictionary_,
             "tokens list the labels that they may have, in training and in prediction: in the "
             "column before the label, or in attribute allowed=A|B (docs/formats.md)"),
        option("chain-order", order_, between(1, 2), "N",
               "how many labels transitions look back: 1, or 2, which costs as many times more as "
               "there are labels"),
        label_weights_option(label_weights_,
                             "how many times a wrong label counts, by the right one"),
        option("unknown-label", unknown_label_, "TEXT",
               "what a label that is not known is written as in training data: such labels are "
               "completed in rounds (docs/partly-known.md); none: nothing is"),
        option("template", template_, "FILE",
               "feature template of format conll; without one a standard template is used"),
        option("min-count", min_count_, at_least(1), "N",
               "leave out attributes that occur in fewer than N training tokens"),
        option("hash-bits", hash_bits_, between(1, Alphabet::kMostHashBits), "B",
               "hash attributes into 2^B buckets instead of keeping a dictionary"),
    };
  }

  std::unique_ptr<TrainingSet> read_training(const DataSource& source, const Threads&) override {
    SequenceSettings found = settings();
    NumberedSequences sequences = read_sequences(source, template_, found);
    return make_sequence_training_set(std::move(sequences), std::move(found), loss(), source.path);
  }

  std::unique_ptr<TrainingRows> make_rows() override {
    if (!template_.empty()) {
      throw OptionError("a template makes attributes of the columns of a file; leave it out");
    }
    if (dictionary_) {
      throw OptionError("a dictionary is read from files; leave it out");
    }
    return make_sequence_training_rows(settings(), loss());
  }

  std::unique_ptr<Predictor> open(ModelRecord model) const override {
    return make_sequence_predictor(decode_sequence_model(std::move(model)));
  }

  /// Sentences of a toy language, in which most words belong to one kind only.
  std::string sample(Index examples, Rng& rng) const override {
    static const std::vector<std::vector<std::string_view>> words{
        {"the", "a", "this"},
        {"small", "red", "old", "run"},
        {"dog", "ship", "sea", "run", "old"},
        {"sees", "run", "likes", "ship"}};
    static const std::vector<std::string_view> kinds{"DET", "ADJ", "NOUN", "VERB"};
    std::string text;
    for (Index i = 0; i < examples; ++i) {
      std::size_t kind = static_cast<std::size_t>(rng.below(2) * 2);
      for (Index left = 2 + rng.below(4); left > 0; --left) {
        const auto& choice = words[kind];
        text += choice[static_cast<std::size_t>(rng.below(std::ssize(choice)))];
        text += fmt::format(" {}\n", kinds[kind]);
        kind = (kind + 1 + static_cast<std::size_t>(rng.uniform() < 0.3)) % kinds.size();
      }
      text += "\n";
    }
    return text;
  }

  bool looks_familiar(std::string_view head) const override { return looks_like_sequences(head); }

 private:
  Option loss_option() {
    const auto names = enum_names(SequenceLoss{});
    Option row = choice("loss", loss_, {names.begin(), names.end()},
                        "what a wrong label costs: 1, or 1 / length of its sequence");
    row.fallback = "hamming, but for format letters normalized-hamming";
    return row;
  }

  /// What the options say of reading and decoding.
  SequenceSettings settings() {
    validate(options());
    SequenceSettings settings;
    settings.variant = {rescaling_, static_cast<int>(beam_), {}, static_cast<int>(order_)};
    settings.rule = rule_;
    settings.label_weights = label_weights_;
    validate(settings.variant);
    if (dictionary_ && beam_ > 0) {
      throw OptionError(
          "a dictionary is kept by exact decoding, which a beam is not; leave out \1beam or "
          "\1dictionary");
    }
    settings.longest_segment = static_cast<int>(longest_segment_);
    settings.dictionary = dictionary_;
    settings.unknown_label = unknown_label_;
    settings.min_count = min_count_;
    settings.hash_bits = static_cast<int>(hash_bits_.value_or(0));
    return settings;
  }

  /// The loss that was asked for, if any was.
  std::optional<SequenceLoss> loss() const {
    for (const SequenceLoss loss : {SequenceLoss::kHamming, SequenceLoss::kNormalizedHamming}) {
      if (loss_ == name_of(loss)) return loss;
    }
    return std::nullopt;
  }

  std::string loss_;
  Rescaling rescaling_ = Rescaling::kMargin;
  Index longest_segment_ = 0;
  Index beam_ = 0;
  std::string rule_;
  bool dictionary_ = false;
  Index order_ = 1;
  std::string label_weights_;
  std::string unknown_label_{kUnknownLabel};
  std::string template_;
  Index min_count_ = 1;
  std::optional<Index> hash_bits_;
};

}  // namespace

GAPWISE_TASK_DRIVER(sequence, SequenceDriver)

}  // namespace gapwise::internal
