#include "tasks/sequence/scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "gapwise/errors.h"
#include "tasks/shared/label_rows.h"

namespace gapwise::internal {

namespace {

/// Adds start and end weights to the scores of the nodes and sets those of all other parts.
void score_steps(const SequenceData& data, const ChainLayout& layout, Index i, Weights w,
                 double* out) {
  const ChainParts parts = chain_parts(data, layout, i);
  const auto labels = static_cast<std::size_t>(layout.labels);
  const auto length = static_cast<std::size_t>(parts.length);
  const std::size_t first = data.starts[static_cast<std::size_t>(i)];
  const double* start = w.data() + layout.start();
  const double* end = w.data() + layout.end();
  double* last = out + (length - 1) * labels;
  for (std::size_t k = 0; k < labels; ++k) out[k] += start[k];
  for (std::size_t k = 0; k < labels; ++k) last[k] += end[k];

  if (parts.types > 0) {
    const auto longest = static_cast<std::size_t>(parts.longest);
    score_rows(data.segments, first * longest, length * longest, w.data() + layout.segment(0),
               static_cast<std::size_t>(parts.types), out + parts.first_segment());
  }
  double* pairs = out + parts.num_nodes();
  std::copy_n(w.data() + layout.triple(), layout.num_triples(), pairs + parts.num_pairs());
  const double* transition = w.data() + layout.transition();
  if (!parts.pairs_per_position) {
    std::copy_n(transition, labels * labels, pairs);
    return;
  }
  score_rows(data.edges, first + 1, length - 1, w.data() + layout.edge(0), labels * labels, pairs);
  for (std::size_t t = 1; t < length; ++t, pairs += labels * labels) {
    for (std::size_t ab = 0; ab < labels * labels; ++ab) pairs[ab] += transition[ab];
  }
}

}  // namespace

void score_chain(const SequenceData& data, const ChainLayout& layout, Index i, Weights w,
                 double* out) {
  score_rows(data.nodes, data.starts[static_cast<std::size_t>(i)],
             static_cast<std::size_t>(data.length(i)), w.data(),
             static_cast<std::size_t>(layout.labels), out);
  score_steps(data, layout, i, w, out);
}

ChainScores SequenceTagger::label_scores(const SequenceData& data, Index i) {
  const ChainParts parts = chain_parts(data, layout_, i);
  scores_.resize(parts.num_parts());
  if (kernel_) {
    double* nodes = scores_.data();
    const auto k = static_cast<std::size_t>(i);
    for (std::size_t t = data.starts[k]; t < data.starts[k + 1]; ++t, nodes += parts.labels) {
      kernel_->score(data.nodes.row(t), nodes);
    }
    score_steps(data, layout_, i, w_, scores_.data());
  } else {
    score_chain(data, layout_, i, w_, scores_.data());
  }
  const ChainScores all = chain_scores(parts, scores_.data(), scores_.data() + parts.num_nodes());
  return keep_allowed(all, variant_.constraints.get(), data.lists(i), constrained_);
}

const double* SequenceTagger::segment_scores(const SequenceData& data, Index i) const {
  return scores_.data() + chain_parts(data, layout_, i).first_segment();
}

ChainScores SequenceTagger::scores(const SequenceData& data, Index i) {
  const ChainScores all = label_scores(data, i);
  return chain_ ? chain_->scores(all, segment_scores(data, i)) : all;
}

std::span<const std::int32_t> SequenceTagger::tag(const SequenceData& data, Index i) {
  labels_.resize(static_cast<std::size_t>(data.length(i)));
  if (variant_.segments) {
    const ChainScores all = label_scores(data, i);
    const double best = segment_viterbi(all, *variant_.segments, segment_scores(data, i),
                                        segment_scratch_, labels_);
    if (best == -std::numeric_limits<double>::infinity()) fail_infeasible(data, i);
    return labels_;
  }
  beam_search(scores(data, i), variant_.beam, scratch_, labels_);
  if (variant_.constraints &&
      (variant_.constraints->first_break(labels_) || !data.lists(i).allow(labels_))) {
    fail_infeasible(data, i);
  }
  return labels_;
}

void SequenceTagger::fail_infeasible(const SequenceData& data, Index i) {
  throw InputError(fmt::format(
      "sequence {} has {} tokens, and no labelling of so many keeps the constraints of the model "
      "and of their dictionary",
      i + 1, data.length(i)));
}

}  // namespace gapwise::internal
