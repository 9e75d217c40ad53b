#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "infer/beam.h"
#include "infer/count_viterbi.h"
#include "infer/sum_product.h"
#include "tasks/sequence/scores.h"

namespace gapwise::internal {

/// What is known of one sequence besides its scores.
struct ChainTruth {
  std::span<const std::int32_t> labels;
  LabelLists lists = {};  ///< what labels its positions may have
};

/// The max oracle and the expectations of a chain model once its parts are scored; owns scratch
/// memory.
class ChainDecoder {
 public:
  ChainDecoder(SequenceLoss loss, const SequenceVariant& variant)
      : loss_(loss), variant_(variant) {}

  /// The corner of the best labelling for the scores theta. Under slack rescaling the corners of
  /// the loss-augmented problem have L_i(y) psi_i(y) in the place of psi_i(y).
  void decode(const ChainParts& parts, const PartScores& theta, const ChainTruth& truth,
              Augment augment, Corner& out);

  /// As Oracle::recognize.
  bool recognize(const ChainParts& parts, const ChainTruth& truth, const Parts& found, Corner& out);
  /// PartSizes::count.
  double most_parts(const ChainParts& parts) const {
    const bool is_rescaled = variant_.rescaling == Rescaling::kSlack;
    const double factor = is_rescaled ? loss(parts.length, parts.length) : 1.0;
    const double triples = parts.order == 2 ? std::max(0.0, parts.length - 2.0) : 0.0;
    const double segments = parts.types > 0 ? parts.length : 0.0;
    return factor * 2.0 * (2.0 * parts.length - 1.0 + triples + segments);
  }

  /// Averages over all labellings are at hand: the loss is a sum over parts, all labellings are
  /// allowed and not cut into segments, transitions look one label back, and whoever decodes with a
  /// beam has more labels than sums over all of them could take.
  bool has_expectations(int labels) const {
    const bool is_beam = variant_.beam > 0 && variant_.beam < labels;
    return variant_.rescaling == Rescaling::kMargin && !is_beam && !variant_.constraints &&
           variant_.order == 1 && !variant_.segments;
  }
  /// The loss as costs of parts.
  void part_costs(const ChainParts& parts, std::span<const std::int32_t> truth,
                  PartScores& costs) const;
  /// As Oracle::expect.
  double expect(const ChainParts& parts, const PartScores& logits,
                std::span<const std::int32_t> truth, Parts& mean);

 private:
  /// What constraints and lists leave of the scores, if there are any.
  ChainScores allowed(const ChainScores& scores, const LabelLists& lists) {
    return keep_allowed(scores, variant_.constraints.get(), lists, constrained_);
  }
  double loss(int errors, int length) const {
    const auto count = static_cast<double>(errors);
    return loss_ == SequenceLoss::kHamming ? count : count / static_cast<double>(length);
  }
  /// What it costs to have a wrong label where this one is right.
  double cost(std::int32_t label, int length) const {
    const std::vector<double>& weights = variant_.label_weights;
    const double once = loss(1, length);
    return weights.empty() ? once : once * weights[static_cast<std::size_t>(label)];
  }
  const double* add_costs(const ChainParts& parts, const double* nodes,
                          std::span<const std::int32_t> truth);
  void maximize_slack(const ChainScores& scores, std::span<const std::int32_t> truth);
  void set_corner(const ChainParts& parts, std::span<const std::int32_t> truth, bool is_rescaled,
                  Corner& out);
  void collect_segments(const ChainParts& parts, std::span<const std::int32_t> labels, double value,
                        Corner& out);

  SequenceLoss loss_;
  SequenceVariant variant_;
  BeamScratch beam_;
  CountViterbi by_errors_;
  ConstraintScratch constrained_;
  SegmentScratch segment_scratch_;
  std::vector<Segment> segments_;
  std::vector<std::int32_t> output_;
  SumProductScratch sums_;
  std::vector<double> marginals_;  ///< of all parts
};

}  // namespace gapwise::internal
