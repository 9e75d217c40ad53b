#include "tasks/sequence/rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "tasks/sequence/training.h"

namespace gapwise::internal {
namespace {

/// The part that both kinds of rows have in common, over base class `Rows`.
template <class Rows>
class TokenRows : public Rows {
 public:
  explicit TokenRows(SequenceBuilder builder) : builder_(std::move(builder)) {}

  void attribute(std::string_view name, double value) override { builder_.node(name, value); }
  void feature(std::uint32_t number, double value) override {
    builder_.node(fmt::to_string(number), value);
  }
  void label(std::string_view name) override { label_ = builder_.label(name); }
  void end_row() override { builder_.end_token(std::exchange(label_, kNoLabel)); }
  void end_example() override { builder_.end_sequence(); }

 protected:
  SequenceBuilder builder_;

 private:
  std::int32_t label_ = kNoLabel;
};

/// Keeps the alphabets where the builder finds them.
struct GrowingAlphabets {
  SequenceAlphabets alphabets;
};

class SequenceTrainingRows final : private GrowingAlphabets, public TokenRows<TrainingRows> {
 public:
  SequenceTrainingRows(const SequenceSettings& settings, std::optional<SequenceLoss> loss)
      : TokenRows(SequenceBuilder(nullptr, alphabets)), settings_(settings), loss_(loss) {
    alphabets.nodes = Alphabet(settings.hash_bits);
    alphabets.edges = Alphabet(settings.hash_bits);
  }

  std::unique_ptr<TrainingSet> finish() override {
    SequenceData data = builder_.take().data;
    if (data.size() == 0) throw InputError("there are no sequences; add at least one");
    if (const auto bare = std::find(data.labels.begin(), data.labels.end(), kNoLabel);
        bare != data.labels.end()) {
      throw InputError(
          fmt::format("token {} of all has no label; give every token to learn from its label",
                      bare - data.labels.begin() + 1));
    }
    settings_.format = "crfsuite";  // which says the same in a file: attributes with values
    return make_sequence_training_set(
        finish_sequences(std::move(data), std::move(alphabets), settings_), settings_, loss_,
        "sequences in memory");
  }

 private:
  SequenceSettings settings_;
  std::optional<SequenceLoss> loss_;
};

class SequenceBatchRows final : public TokenRows<BatchRows> {
 public:
  explicit SequenceBatchRows(const SequenceAlphabets& alphabets)
      : TokenRows(SequenceBuilder(nullptr, alphabets, false)), alphabets_(alphabets) {}

  std::unique_ptr<Batch> finish() override {
    auto batch = std::make_unique<SequenceBatch>(builder_.take());
    finish_features(batch->data, alphabets_);
    return batch;
  }

 private:
  const SequenceAlphabets& alphabets_;
};

}  // namespace

std::unique_ptr<TrainingRows> make_sequence_training_rows(const SequenceSettings& settings,
                                                          std::optional<SequenceLoss> loss) {
  return std::make_unique<SequenceTrainingRows>(settings, loss);
}

std::unique_ptr<BatchRows> make_sequence_batch_rows(const SequenceAlphabets& alphabets) {
  return std::make_unique<SequenceBatchRows>(alphabets);
}

}  // namespace gapwise::internal
