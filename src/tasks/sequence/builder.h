#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/echo_text.h"
#include "io/lines.h"
#include "tasks/sequence/problem.h"
#include "tasks/sequence/segments/segment_features.h"
#include "tasks/shared/labels.h"
#include "tasks/task.h"

namespace gapwise::internal {

constexpr std::size_t kLongestSequence = std::size_t{1} << 20;

/// What the numbers of a sequence model stand for.
struct SequenceAlphabets {
  Alphabet labels;
  Alphabet nodes;
  Alphabet edges;
  Alphabet segments;
};

/// Chooses the form of the feature rows, once all are added.
void finish_features(SequenceData& data, const SequenceAlphabets& alphabets);

/// A run of sequences, with what a model says of them.
struct SequenceBatch final : Batch {
  SequenceData data;
  /// The label of each token as the builder numbers them: those of the model first, then those it
  /// does not know; kNoLabel if the file gives none.
  std::vector<std::int32_t> gold;
  std::shared_ptr<const Alphabet> labels;  ///< what the numbers in `gold` stand for
  EchoText echo;
  SegmentPieces pieces;
  std::vector<std::int32_t> predicted;

  Index size() const override { return data.size(); }
};

/// The same with the segments of up to `longest_segment` tokens, if there are any.
void finish_batch(SequenceBatch& batch, const SequenceAlphabets& alphabets, int longest_segment);

/// Takes tokens from a reader and numbers what they are made of.
class SequenceBuilder {
 public:
  /// For training: every name is new once. Without `lines` the tokens come from memory.
  SequenceBuilder(const LineReader* lines, SequenceAlphabets& growing);
  /// For a model at work: attributes it does not know are left out.
  SequenceBuilder(const LineReader* lines, const SequenceAlphabets& fixed, bool wants_echo);

  void node(std::string_view attribute, double value = 1.0) {
    const std::uint32_t id =
        growing_ != nullptr ? growing_->nodes.add(attribute) : known_->nodes.find(attribute);
    if (id != Alphabet::kUnknown) batch_.data.nodes.add(id, value);
  }
  void edge(std::string_view attribute);
  /// What the token at hand gives to the attributes of segments, if the model has any.
  void piece(std::string_view key, std::string_view text) {
    if (wants_pieces_) batch_.pieces.add(key, text);
  }
  /// The same of an attribute 'seg.KEY=TEXT'; false, and nothing taken, if it is another one or
  /// the model has no segments.
  bool take_piece(std::string_view attribute);
  void set_pieces(bool wants_pieces) { wants_pieces_ = wants_pieces; }
  bool wants_pieces() const { return wants_pieces_; }
  /// Gives a node attribute its number before any token has it (in training).
  void introduce(std::string_view attribute) {
    if (growing_ != nullptr) growing_->nodes.add(attribute);
  }
  /// What a label that is not known is written as (in training); kNoUnknownLabel: none is.
  void set_unknown_label(const std::string& text) { unknown_label_ = text; }
  /// The number of a label, for end_token; kNoLabel for one that is not known. InputError at this
  /// line if there are too many.
  std::int32_t label(std::string_view name);
  /// The labels that the token at hand may have, as 'A|B'; '*' for all.
  void allow(std::string_view labels);
  /// InputError at this line if, in training, the label is none of them.
  void check_allowed(std::int32_t label) const;
  void end_token(std::int32_t label);
  void end_sequence();

  /// InputError at this line if the sequence at hand may not have so many tokens.
  void check_length(std::size_t length) const;
  /// InputError that says where the token at hand stands.
  [[noreturn]] void fail(const std::string& what) const;

  bool wants_echo() const { return wants_echo_; }
  void echo_line(std::string_view before, std::string_view after) {
    if (wants_echo_) batch_.echo.add_line(before, after);
  }
  void echo_plain(std::string_view line) {
    if (wants_echo_) batch_.echo.add_plain(line);
  }

  std::size_t num_tokens() const { return batch_.gold.size(); }
  /// Of the sequence at hand.
  std::size_t length() const { return batch_.data.labels.size() - batch_.data.starts.back(); }
  /// What was added since the last call. The feature rows are not finished yet.
  SequenceBatch take();

 private:
  const LineReader* lines_;
  SequenceAlphabets* growing_ = nullptr;
  const SequenceAlphabets* known_;
  bool wants_echo_ = false;
  std::string unknown_label_;
  Alphabet labels_;  ///< of the model, then unknown ones in order of appearance
  std::shared_ptr<const Alphabet> told_labels_;  ///< as the last batch has them
  void resolve_lists();

  Index sequences_ = 0;
  std::vector<std::string> allowed_;  ///< of the token at hand; empty: all
  Alphabet listed_;                   ///< labels in lists, known or not
  std::vector<std::uint32_t> lists_;  ///< of the tokens of the batch, one after the other
  bool has_lists_ = false;
  bool wants_pieces_ = false;
  SequenceBatch batch_;
};

}  // namespace gapwise::internal
