#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gapwise/option_table.h"
#include "gapwise/problem.h"
#include "infer/beam.h"
#include "infer/chain/segments.h"
#include "tasks/sequence/constraints.h"
#include "tasks/shared/feature_rows.h"
#include "tasks/shared/hamming_loss.h"
#include "tasks/shared/support_scorer.h"

namespace gapwise::internal {

/// Labelled sequences, numbers only. Position t of sequence i is token starts[i] + t.
struct SequenceData {
  std::vector<std::size_t> starts{0};
  FeatureRows nodes;  ///< features of each token
  /// Features of the step into each token, which choose among *pairs* of labels (an empty row at
  /// the first position). No rows at all: transitions do not look at the input.
  FeatureRows edges;
  /// Features of segments: a row for each token and length, as `segment_number` counts without
  /// types; empty where the sequence ends before. No rows at all: the model has no segments.
  FeatureRows segments = {};
  std::vector<std::int32_t> labels;  ///< -1: a label the model does not know
  /// The labels that token r may have are allowed[allowed_starts[r]] up to that of r + 1, any if
  /// that is none. No starts at all: there is no dictionary.
  std::vector<std::size_t> allowed_starts = {};
  std::vector<std::int32_t> allowed = {};

  Index size() const { return static_cast<Index>(starts.size()) - 1; }
  int length(Index i) const {
    const auto k = static_cast<std::size_t>(i);
    return static_cast<int>(starts[k + 1] - starts[k]);
  }
  /// What the dictionary says of sequence i.
  LabelLists lists(Index i) const {
    if (allowed_starts.empty()) return {};
    return {std::span(allowed_starts).subspan(starts[static_cast<std::size_t>(i)]), allowed.data()};
  }
};

/// How the weights of a chain model lie in w: each node attribute owns one weight per label, next
/// to each other; then start and end weights, the transition matrix, one matrix per edge attribute,
/// of second order, one weight for every three labels in a row, and with segments one weight per
/// segment attribute and type.
struct ChainLayout {
  Index node_attributes = 0;
  Index edge_attributes = 0;
  int labels = 0;
  int order = 1;  ///< how many labels transitions look back: 1 or 2
  Index segment_attributes = 0;
  int segment_types = 0;
  int longest_segment = 0;

  Index node(Index attribute) const { return attribute * labels; }
  Index start() const { return node_attributes * labels; }
  Index end() const { return start() + labels; }
  Index transition() const { return end() + labels; }  ///< [from * labels + to]
  Index edge(Index attribute) const {
    return transition() + (1 + attribute) * static_cast<Index>(labels) * labels;
  }
  Index triple() const { return edge(edge_attributes); }  ///< [(a * labels + b) * labels + c]
  Index num_triples() const {
    return order == 2 ? static_cast<Index>(labels) * labels * labels : 0;
  }
  Index segment(Index attribute) const {
    return triple() + num_triples() + attribute * segment_types;
  }
  Index dimension() const { return segment(segment_attributes); }
};

using SequenceLoss = HammingLoss;

/// How an output counts that is too close to the truth: H_i(y; w) = L - <w, psi>, or L (1 - <w,
/// psi>) = L - <w, L psi>, which asks for the same margin whatever the loss.
enum class Rescaling { kMargin, kSlack };
constexpr std::array<std::string_view, 2> enum_names(Rescaling) {
  return {"margin", "slack"};
}

/// Ways to train a chain model other than the usual one.
struct SequenceVariant {
  Rescaling rescaling = Rescaling::kMargin;
  int beam = 0;  ///< labels per position that the decoder goes on from; 0: all, which is exact
  std::shared_ptr<const ChainConstraints> constraints = {};  ///< null: all labellings are allowed
  int order = 1;                                             ///< that of the layout
  /// How many times a wrong label counts, by the true one; empty: once.
  std::vector<double> label_weights = {};
  std::shared_ptr<const SegmentTypes> segments = {};  ///< null: labellings are not cut into any
};
/// Throws OptionError if slack rescaling or constraints, which need an exact decoder, meet a beam,
/// if chains of second order or segments meet either or each other, or if slack rescaling, which
/// counts errors, meets weights of labels.
void validate(const SequenceVariant& variant);

/// Training problem of a chain model. `data` and `layout` must agree; every label must be known.
std::unique_ptr<Problem> make_sequence_problem(std::shared_ptr<const SequenceData> data,
                                               const ChainLayout& layout, SequenceLoss loss,
                                               const SequenceVariant& variant = {});

/// Labels sequences with given weights; one per thread.
class SequenceTagger {
 public:
  SequenceTagger(const ChainLayout& layout, Weights w, SequenceVariant variant = {})
      : layout_(layout), w_(w), variant_(std::move(variant)) {
    if (variant_.segments) chain_.emplace(*variant_.segments);
  }
  /// With a kernel between tokens, the layout has no node attributes.
  SequenceTagger(const ChainLayout& layout, Weights w, const SupportScorer& kernel,
                 SequenceVariant variant = {})
      : SequenceTagger(layout, w, std::move(variant)) {
    kernel_ = kernel;
  }
  /// The best labelling of sequence i of `data`, whose attributes are those of the layout.
  /// InputError if constraints leave none.
  std::span<const std::int32_t> tag(const SequenceData& data, Index i);
  /// The scores of its labellings, minus infinity for whatever is not allowed; valid until the next
  /// call. With segments it is the chain of `states`.
  ChainScores scores(const SequenceData& data, Index i);
  /// With segments, the label behind each state of `scores`; else none.
  std::span<const std::int32_t> states() const {
    return chain_ ? chain_->labels() : std::span<const std::int32_t>();
  }
  /// InputError that says that no labelling of sequence i is allowed.
  [[noreturn]] static void fail_infeasible(const SequenceData& data, Index i);

 private:
  /// Those of the labels, which segments add to.
  ChainScores label_scores(const SequenceData& data, Index i);
  const double* segment_scores(const SequenceData& data, Index i) const;

  ChainLayout layout_;
  Weights w_;
  std::optional<SupportScorer> kernel_;
  SequenceVariant variant_;
  ConstraintScratch constrained_;
  std::vector<double> scores_;
  std::vector<std::int32_t> labels_;
  BeamScratch scratch_;
  std::optional<SegmentChain> chain_;
  SegmentScratch segment_scratch_;
};

}  // namespace gapwise::internal
