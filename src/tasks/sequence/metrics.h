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
  /// Counts one sequence; a negative label stands for none and is outside every chunk.
  void add(std::span<const std::int32_t> gold, std::span<const std::int32_t> predicted);

  Index num_gold() const { return gold_; }
  Index num_predicted() const { return predicted_; }
  Index num_correct() const { return correct_; }

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

  std::vector<Tag> tags_;  ///< by label
  Alphabet types_;
  Index gold_ = 0;
  Index predicted_ = 0;
  Index correct_ = 0;
};

/// Figures of merit of predicted label sequences, in the units of docs/formats.md.
class SequenceMetrics {
 public:
  explicit SequenceMetrics(const Alphabet& model_labels)
      : has_chunks_(are_chunk_labels(model_labels)) {}

  void learn(const Alphabet& labels) { chunks_.learn(labels); }
  void add(std::span<const std::int32_t> gold, std::span<const std::int32_t> predicted);
  Metrics result() const;

 private:
  bool has_chunks_;
  ChunkCounter chunks_;
  Index sequences_ = 0;
  Index tokens_ = 0;
  Index correct_tokens_ = 0;
  Index exact_ = 0;
  double error_fractions_ = 0.0;  ///< summed over the sequences
};

}  // namespace gapwise::internal
