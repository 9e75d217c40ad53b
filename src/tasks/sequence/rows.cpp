#include "tasks/sequence/rows.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "io/fields.h"
#include "tasks/sequence/training.h"

namespace gapwise::internal {
namespace {

const std::string kSource = "sequences in memory";

/// The part that both kinds of rows have in common, over base class `Rows`. What a file in format
/// crfsuite may not say is refused here as well, and what it says without effect has none.
template <class Rows>
class TokenRows : public Rows {
 public:
  TokenRows(SequenceBuilder builder, bool needs_labels)
      : builder_(std::move(builder)), needs_labels_(needs_labels) {}

  void attribute(std::string_view name, double value) override {
    if (name.empty()) builder_.fail("an attribute has no name; give it one");
    if (!(std::fabs(value) <= kLargestValue)) {
      builder_.fail(
          fmt::format("value {} of attribute '{}' must be finite and at most {} in size; correct "
                      "or rescale it",
                      value, name, kLargestValue));
    }
    if (value != 0.0 && !builder_.take_piece(name)) builder_.node(name, value);
  }
  void feature(std::uint32_t number, double value) override {
    attribute(fmt::to_string(number), value);
  }
  void label(std::string_view name) override {
    has_label_ = !name.empty();
    label_ = name.empty() ? kNoLabel : builder_.label(name);
  }
  void end_row() override {
    if (needs_labels_ && !std::exchange(has_label_, false)) {
      builder_.fail("the token has no label; give every token to learn from its label");
    }
    builder_.end_token(std::exchange(label_, kNoLabel));
  }
  void end_example() override {
    if (builder_.length() == 0) builder_.fail("the sequence is empty; leave it out");
    builder_.end_sequence();
  }

 protected:
  SequenceBuilder builder_;

 private:
  bool needs_labels_;
  bool has_label_ = false;  ///< perhaps one that is not known
  std::int32_t label_ = kNoLabel;
};

/// Keeps the alphabets where the builder finds them.
struct GrowingAlphabets {
  SequenceAlphabets alphabets;
};

class SequenceTrainingRows final : private GrowingAlphabets, public TokenRows<TrainingRows> {
 public:
  SequenceTrainingRows(const SequenceSettings& settings, std::optional<SequenceLoss> loss)
      : TokenRows(SequenceBuilder(nullptr, alphabets), true), settings_(settings), loss_(loss) {
    alphabets.nodes = Alphabet(settings.hash_bits);
    alphabets.edges = Alphabet(settings.hash_bits);
    alphabets.segments = Alphabet(settings.hash_bits);
    builder_.set_unknown_label(settings.unknown_label);
    builder_.set_pieces(settings.longest_segment > 0);
  }

  std::unique_ptr<TrainingSet> finish() override {
    SequenceBatch batch = builder_.take();
    if (batch.size() == 0) throw InputError("there are no sequences; add at least one");
    settings_.format = "crfsuite";  // which says the same in a file: attributes with values
    return make_sequence_training_set(
        finish_sequences(std::move(batch), std::move(alphabets), settings_, kSource), settings_,
        loss_, kSource);
  }

 private:
  SequenceSettings settings_;
  std::optional<SequenceLoss> loss_;
};

class SequenceBatchRows final : public TokenRows<BatchRows> {
 public:
  SequenceBatchRows(const SequenceAlphabets& alphabets, int longest_segment)
      : TokenRows(SequenceBuilder(nullptr, alphabets, false), false),
        alphabets_(alphabets),
        longest_segment_(longest_segment) {
    builder_.set_pieces(longest_segment > 0);
  }

  std::unique_ptr<Batch> finish() override {
    auto batch = std::make_unique<SequenceBatch>(builder_.take());
    finish_batch(*batch, alphabets_, longest_segment_);
    return batch;
  }

 private:
  const SequenceAlphabets& alphabets_;
  int longest_segment_;
};

}  // namespace

std::unique_ptr<TrainingRows> make_sequence_training_rows(const SequenceSettings& settings,
                                                          std::optional<SequenceLoss> loss) {
  return std::make_unique<SequenceTrainingRows>(settings, loss);
}

std::unique_ptr<BatchRows> make_sequence_batch_rows(const SequenceAlphabets& alphabets,
                                                    int longest_segment) {
  return std::make_unique<SequenceBatchRows>(alphabets, longest_segment);
}

}  // namespace gapwise::internal
