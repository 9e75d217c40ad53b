#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "io/alphabet.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// Whether labels mark chunks: each is O or one of B I E S L U, a hyphen and a type.
bool are_chunk_labels(const Alphabet& labels);

/// Chunks found, as the conlleval script counts them for IOB1, IOB2, IOE1 and IOE2 labels, and
/// with S (U) for a chunk of one token and E (L) for a last token also for IOBES and BILOU.
class ChunkCounter {
 public:
  /// Learns the labels with numbers known so far; call again when there are more.
  void learn(const Alphabet& labels);
  /// Calls visit(LabelCount), with the type of the chunk for its label, for chunks of one sequence
  /// that are right or predicted, and for those that are both. A negative label stands for none and
  /// is outside every chunk.
  template <class Visit>
  void for_each_chunk(std::span<const std::int32_t> gold, std::span<const std::int32_t> predicted,
                      Visit visit) const;

 private:
  struct Tag {
    char kind = 'O';
    std::uint32_t type = kNoType;
  };
  static constexpr std::uint32_t kNoType = Alphabet::kUnknown;
  static bool ends(const Tag& last, const Tag& now);
  static bool starts(const Tag& last, const Tag& now);
  Tag tag(std::int32_t label) const {
    return label < 0 ? Tag{} : tags_[static_cast<std::size_t>(label)];
  }

  std::string_view type_name(const Tag& tag) const {
    return tag.type == kNoType ? "" : types_.name(tag.type);
  }

  std::vector<Tag> tags_;  ///< by label
  Alphabet types_;
};

/// Figures of merit of predicted label sequences, in the units of docs/formats.md.
class SequenceMetrics {
 public:
  explicit SequenceMetrics(const Alphabet& model_labels)
      : has_chunks_(are_chunk_labels(model_labels)) {}

  /// The labels of what is counted; those of the model come first.
  void learn(const Alphabet& labels) { chunks_.learn(labels); }
  bool has_chunks() const { return has_chunks_; }
  const ChunkCounter& chunks() const { return chunks_; }

  static constexpr std::size_t num_counts() { return kCounts; }
  /// Adds one sequence.
  void count(std::span<const std::int32_t> gold, std::span<const std::int32_t> predicted,
             std::span<double> counts) const;
  Metrics metrics(std::span<const double> counts) const;
  double errors(std::span<const double> counts) const {
    return counts[kTokens] - counts[kCorrectTokens];
  }

 private:
  enum Count : std::size_t {
    kSequences,
    kTokens,
    kCorrectTokens,
    kExact,
    kErrorFractions,  ///< of each sequence
    kGoldChunks,
    kPredictedChunks,
    kCorrectChunks,
    kCounts
  };

  bool has_chunks_;
  ChunkCounter chunks_;
};

template <class Visit>
void ChunkCounter::for_each_chunk(std::span<const std::int32_t> gold,
                                  std::span<const std::int32_t> predicted, Visit visit) const {
  Tag last_gold;
  Tag last_predicted;
  bool is_correct = false;  // both have been in the same chunk since its start
  for (std::size_t t = 0; t <= gold.size(); ++t) {
    const bool is_end = t == gold.size();
    const Tag gold_tag = is_end ? Tag{} : tag(gold[t]);
    const Tag predicted_tag = is_end ? Tag{} : tag(predicted[t]);
    const bool gold_ends = ends(last_gold, gold_tag);
    const bool predicted_ends = ends(last_predicted, predicted_tag);
    if (is_correct) {
      if (gold_ends && predicted_ends && last_gold.type == last_predicted.type) {
        is_correct = false;
        visit(LabelCount{.label = type_name(last_gold), .correct = 1.0});
      } else if (gold_ends != predicted_ends || gold_tag.type != predicted_tag.type) {
        is_correct = false;
      }
    }
    const bool gold_starts = starts(last_gold, gold_tag);
    const bool predicted_starts = starts(last_predicted, predicted_tag);
    if (gold_starts && predicted_starts && gold_tag.type == predicted_tag.type) is_correct = true;
    if (gold_starts) visit(LabelCount{.label = type_name(gold_tag), .gold = 1.0});
    if (predicted_starts) visit(LabelCount{.label = type_name(predicted_tag), .predicted = 1.0});
    last_gold = gold_tag;
    last_predicted = predicted_tag;
  }
}

}  // namespace gapwise::internal
