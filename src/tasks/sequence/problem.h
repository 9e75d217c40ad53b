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
  std::vector<std::int32_t> labels;  ///< -1: a label the model does not know

  Index size() const { return static_cast<Index>(starts.size()) - 1; }
  int length(Index i) const {
    const auto k = static_cast<std::size_t>(i);
    return static_cast<int>(starts[k + 1] - starts[k]);
  }
};

/// How the weights of a chain model lie in w: each node attribute owns one weight per label, next
/// to each other; then start and end weights, the transition matrix, and one matrix per edge
/// attribute.
struct ChainLayout {
  Index node_attributes = 0;
  Index edge_attributes = 0;
  int labels = 0;

  Index node(Index attribute) const { return attribute * labels; }
  Index start() const { return node_attributes * labels; }
  Index end() const { return start() + labels; }
  Index transition() const { return end() + labels; }  ///< [from * labels + to]
  Index edge(Index attribute) const {
    return transition() + (1 + attribute) * static_cast<Index>(labels) * labels;
  }
  Index dimension() const { return edge(edge_attributes); }
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
};
/// Throws OptionError if slack rescaling, which needs an exact decoder, meets a beam.
void validate(const SequenceVariant& variant);

/// Training problem of a chain model. `data` and `layout` must agree; every label must be known.
std::unique_ptr<Problem> make_sequence_problem(std::shared_ptr<const SequenceData> data,
                                               const ChainLayout& layout, SequenceLoss loss,
                                               const SequenceVariant& variant = {});

/// Labels sequences with given weights; one per thread.
class SequenceTagger {
 public:
  /// `beam` as in SequenceVariant.
  SequenceTagger(const ChainLayout& layout, Weights w, int beam = 0)
      : layout_(layout), w_(w), beam_(beam) {}
  /// With a kernel between tokens, the layout has no node attributes.
  SequenceTagger(const ChainLayout& layout, Weights w, const SupportScorer& kernel, int beam = 0)
      : layout_(layout), w_(w), kernel_(kernel), beam_(beam) {}
  /// The best labelling of sequence i of `data`, whose attributes are those of the layout.
  std::span<const std::int32_t> tag(const SequenceData& data, Index i);

 private:
  ChainLayout layout_;
  Weights w_;
  std::optional<SupportScorer> kernel_;
  int beam_;
  std::vector<double> scores_;
  std::vector<std::int32_t> labels_;
  BeamScratch scratch_;
};

}  // namespace gapwise::internal
