#include "tasks/sequence/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gapwise::internal {

void finish_features(SequenceData& data, const SequenceAlphabets& alphabets) {
  data.nodes.finish(static_cast<std::uint32_t>(alphabets.nodes.size()));
  data.edges.finish(static_cast<std::uint32_t>(alphabets.edges.size()));
}

void finish_batch(SequenceBatch& batch, const SequenceAlphabets& alphabets, int longest_segment) {
  finish_features(batch.data, alphabets);
  if (longest_segment > 0) {
    add_segment_rows(batch.pieces, longest_segment, alphabets.segments, batch.data);
  }
}

SequenceBuilder::SequenceBuilder(const LineReader* lines, SequenceAlphabets& growing)
    : lines_(lines), growing_(&growing), known_(&growing) {}

SequenceBuilder::SequenceBuilder(const LineReader* lines, const SequenceAlphabets& fixed,
                                 bool wants_echo)
    : lines_(lines), known_(&fixed), wants_echo_(wants_echo), labels_(fixed.labels) {}

void SequenceBuilder::edge(std::string_view attribute) {
  const std::uint32_t id =
      growing_ != nullptr ? growing_->edges.add(attribute) : known_->edges.find(attribute);
  if (id != Alphabet::kUnknown) batch_.data.edges.add(id);
}

bool SequenceBuilder::take_piece(std::string_view attribute) {
  constexpr std::string_view kPrefix = "seg.";
  if (!wants_pieces_ || !attribute.starts_with(kPrefix)) return false;
  attribute.remove_prefix(kPrefix.size());
  const std::size_t equals = attribute.find('=');
  if (equals == 0 || equals == std::string_view::npos) {
    fail(fmt::format("found 'seg.{}'; expected 'seg.KEY=TEXT', which segments join", attribute));
  }
  piece(attribute.substr(0, equals), attribute.substr(equals + 1));
  return true;
}

std::int32_t SequenceBuilder::label(std::string_view name) {
  if (growing_ != nullptr && unknown_label_ != kNoUnknownLabel) {
    if (name == unknown_label_) return kNoLabel;
    if (name == kUnknownLabel) fail(unknown_label());
  }
  const std::uint32_t id = labels_.add(name);
  if (labels_.size() > kMostLabels + known_->labels.size()) {
    fail(too_many_labels(name));
  }
  return static_cast<std::int32_t>(id);
}

void SequenceBuilder::allow(std::string_view labels) {
  allowed_.clear();
  has_lists_ = true;
  if (labels == "*") return;
  while (true) {
    const std::size_t bar = labels.find('|');
    if (bar == 0 || labels.empty()) {
      fail(
          "the list of labels that the token may have has an empty label; write A|B, or * for all");
    }
    allowed_.emplace_back(labels.substr(0, bar));
    if (bar == std::string_view::npos) return;
    labels.remove_prefix(bar + 1);
  }
}

void SequenceBuilder::check_allowed(std::int32_t label) const {
  if (growing_ == nullptr || label == kNoLabel || allowed_.empty()) return;
  const std::string_view name = labels_.name(static_cast<std::size_t>(label));
  if (std::find(allowed_.begin(), allowed_.end(), name) != allowed_.end()) return;
  fail(fmt::format(
      "the label is '{}', but the token may have only {}; correct the label or the list", name,
      fmt::join(allowed_, ", ")));
}

/// Labels get their numbers once all are known; lists of which none is known say nothing.
void SequenceBuilder::resolve_lists() {
  SequenceData& data = batch_.data;
  const Alphabet& labels = growing_ != nullptr ? labels_ : known_->labels;
  std::vector<std::size_t> starts{0};
  for (std::size_t r = 0; r + 1 < data.allowed_starts.size(); ++r) {
    for (std::size_t k = data.allowed_starts[r]; k < data.allowed_starts[r + 1]; ++k) {
      const std::uint32_t id = labels.find(listed_.name(lists_[k]));
      if (id != Alphabet::kUnknown) data.allowed.push_back(static_cast<std::int32_t>(id));
    }
    starts.push_back(data.allowed.size());
  }
  data.allowed_starts = has_lists_ ? std::move(starts) : std::vector<std::size_t>();
  lists_.clear();
}

void SequenceBuilder::end_token(std::int32_t label) {
  SequenceData& data = batch_.data;
  data.nodes.end_row();
  data.edges.end_row();
  if (wants_pieces_) batch_.pieces.end_token();
  batch_.gold.push_back(label);
  const bool is_known =
      growing_ != nullptr || label < static_cast<std::int32_t>(known_->labels.size());
  data.labels.push_back(is_known ? label : kNoLabel);
  for (const std::string& name : allowed_) lists_.push_back(listed_.add(name));
  allowed_.clear();
  if (data.allowed_starts.empty()) data.allowed_starts.push_back(0);
  data.allowed_starts.push_back(lists_.size());
  check_length(length());
}

void SequenceBuilder::check_length(std::size_t length) const {
  if (length <= kLongestSequence) return;
  fail(fmt::format(
      "the sequence has more than {} tokens; is a blank line missing between sequences?",
      kLongestSequence));
}

void SequenceBuilder::fail(const std::string& what) const {
  if (lines_ != nullptr) lines_->fail(what);
  throw InputError(fmt::format("sequence {}, token {}: {}", sequences_ + 1, length() + 1, what));
}

void SequenceBuilder::end_sequence() {
  ++sequences_;
  batch_.data.starts.push_back(batch_.data.labels.size());
}

SequenceBatch SequenceBuilder::take() {
  if (growing_ != nullptr) growing_->labels = labels_;
  resolve_lists();
  if (known_->edges.size() == 0) batch_.data.edges = {};
  if (!told_labels_ || told_labels_->size() < labels_.size()) {
    told_labels_ = std::make_shared<const Alphabet>(labels_);
  }
  batch_.labels = told_labels_;
  return std::exchange(batch_, {});
}

}  // namespace gapwise::internal
