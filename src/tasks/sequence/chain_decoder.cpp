#include "tasks/sequence/chain_decoder.h"

#include <algorithm>
#include <string>

#include "gapwise/errors.h"

namespace gapwise::internal {

void validate(const SequenceVariant& variant) {
  if (variant.beam < 0) {
    throw OptionError("beam = " + std::to_string(variant.beam) + " must be >= 0");
  }
  if (variant.beam > 0 && variant.rescaling == Rescaling::kSlack) {
    throw OptionError(
        "slack rescaling decodes exactly, which a beam cannot; leave out \1beam, or take "
        "\1rescaling margin");
  }
  if (variant.beam > 0 && variant.constraints) {
    throw OptionError(
        "constraints are kept by exact decoding, which a beam is not; leave out \1beam or "
        "\1constraints");
  }
  if (variant.order == 2 && (variant.beam > 0 || variant.rescaling == Rescaling::kSlack)) {
    throw OptionError(
        "chains of second order are decoded exactly and for the usual margins; leave out \1beam "
        "and "
        "\1rescaling, or take \1chain-order 1");
  }
  if (variant.segments &&
      (variant.beam > 0 || variant.rescaling == Rescaling::kSlack || variant.order == 2)) {
    throw OptionError(
        "segments are decoded exactly, for the usual margins and with transitions that look one "
        "label back; leave out \1beam, \1rescaling and \1chain-order, or \1segments");
  }
  if (variant.rescaling == Rescaling::kSlack && !variant.label_weights.empty()) {
    throw OptionError(
        "slack rescaling counts wrong labels and cannot weigh them; leave out \1label-weights, or "
        "take \1rescaling margin");
  }
}

void ChainDecoder::decode(const ChainParts& parts, const PartScores& theta, const ChainTruth& truth,
                          Augment augment, Corner& out) {
  const double* nodes = theta.values().data();
  const double* pairs = nodes + parts.num_nodes();
  const bool is_rescaled = augment == Augment::kLoss && variant_.rescaling == Rescaling::kSlack;
  bool is_exact = true;
  output_.resize(static_cast<std::size_t>(parts.length));
  if (is_rescaled) {
    maximize_slack(allowed(chain_scores(parts, nodes, pairs), truth.lists), truth.labels);
  } else {
    if (augment == Augment::kLoss) nodes = add_costs(parts, nodes, truth.labels);
    const ChainScores scores = allowed(chain_scores(parts, nodes, pairs), truth.lists);
    if (variant_.segments) {
      segment_viterbi(scores, *variant_.segments, theta.values().data() + parts.first_segment(),
                      segment_scratch_, output_);
    } else {
      is_exact = beam_search(scores, variant_.beam, beam_, output_);
    }
  }
  set_corner(parts, truth.labels, is_rescaled, out);
  out.is_exact = is_exact;
}

/// The decomposed loss: every label but the true one gets the cost of an error on top.
const double* ChainDecoder::add_costs(const ChainParts& parts, const double* nodes,
                                      std::span<const std::int32_t> truth) {
  const auto labels = static_cast<std::size_t>(parts.labels);
  std::vector<double>& augmented = constrained_.nodes;  // where constraints are added in place
  augmented.resize(parts.num_nodes());
  for (std::size_t t = 0; t < truth.size(); ++t) {
    const double wrong = cost(truth[t], parts.length);
    const std::size_t first = t * labels;
    for (std::size_t r = first; r < first + labels; ++r) augmented[r] = nodes[r] + wrong;
    const std::size_t at = first + static_cast<std::size_t>(truth[t]);
    augmented[at] = nodes[at];
  }
  return augmented.data();
}

/// argmax_y L(y) (1 - (score(truth) - score(y))): the loss only depends on the number of errors, so
/// the best labelling for each number is enough. Without errors that is the truth, of value 0.
void ChainDecoder::maximize_slack(const ChainScores& scores, std::span<const std::int32_t> truth) {
  const std::span<const double> best = by_errors_.solve(scores, truth);
  int errors = 0;
  double top = 0.0;
  for (int count = 1; count <= scores.length; ++count) {
    const double margin = best[0] - best[static_cast<std::size_t>(count)];
    const double value = loss(count, scores.length) * (1.0 - margin);
    if (value > top) {
      top = value;
      errors = count;
    }
  }
  by_errors_.labelling(errors, output_);
}

void ChainDecoder::set_corner(const ChainParts& parts, std::span<const std::int32_t> truth,
                              bool is_rescaled, Corner& out) {
  out.set_truth();
  const auto differs = [&](std::size_t t) { return truth[t] != output_[t]; };
  int errors = 0;
  for (std::size_t t = 0; t < truth.size(); ++t) errors += differs(t) ? 1 : 0;
  if (errors == 0) return;
  const bool is_weighted = !variant_.label_weights.empty();
  out.loss = is_weighted ? 0.0 : loss(errors, parts.length);
  for (std::size_t t = 0; t < truth.size(); ++t) {
    if (!differs(t)) continue;
    if (is_weighted) out.loss += cost(truth[t], parts.length);
    const auto [first, second] = std::minmax(truth[t], output_[t]);
    const double sign = truth[t] < output_[t] ? 1.0 : -1.0;  // plus for the true label
    out.parts.append(parts.node(static_cast<int>(t), first), sign);
    out.parts.append(parts.node(static_cast<int>(t), second), -sign);
  }
  for (std::size_t t = 1; t < truth.size(); ++t) {
    const Index a = parts.pair(static_cast<int>(t), truth[t - 1], truth[t]);
    const Index b = parts.pair(static_cast<int>(t), output_[t - 1], output_[t]);
    if (a == b) continue;
    out.parts.collect(a, 1.0);
    out.parts.collect(b, -1.0);
  }
  for (std::size_t t = 2; t < truth.size() && parts.order == 2; ++t) {
    const Index a = parts.triple(truth[t - 2], truth[t - 1], truth[t]);
    const Index b = parts.triple(output_[t - 2], output_[t - 1], output_[t]);
    if (a == b) continue;
    out.parts.collect(a, 1.0);
    out.parts.collect(b, -1.0);
  }
  if (variant_.segments) {
    collect_segments(parts, truth, 1.0, out);
    collect_segments(parts, output_, -1.0, out);
  }
  out.parts.normalize();
  if (is_rescaled) out.parts.scale(out.loss);
}

void ChainDecoder::collect_segments(const ChainParts& parts, std::span<const std::int32_t> labels,
                                    double value, Corner& out) {
  find_segments(*variant_.segments, labels, segments_);
  for (const Segment& segment : segments_) {
    out.parts.collect(
        static_cast<Index>(parts.first_segment() + segment_number(*variant_.segments, segment.start,
                                                                  segment.length, segment.type)),
        value);
  }
}

bool ChainDecoder::recognize(const ChainParts& parts, const ChainTruth& truth, const Parts& found,
                             Corner& out) {
  output_.assign(truth.labels.begin(), truth.labels.end());
  for (const Part& part : found) {
    if (part.id < 0 || part.id >= static_cast<Index>(parts.num_nodes()) || part.value > 0.0) {
      continue;
    }
    output_[static_cast<std::size_t>(part.id / parts.labels)] =
        static_cast<std::int32_t>(part.id % parts.labels);
  }
  if (variant_.constraints && variant_.constraints->first_break(output_)) return false;
  if (!truth.lists.allow(output_)) return false;
  if (variant_.segments && find_segments(*variant_.segments, output_, segments_)) return false;
  set_corner(parts, truth.labels, variant_.rescaling == Rescaling::kSlack, out);
  return out.parts == found;
}

void ChainDecoder::part_costs(const ChainParts& parts, std::span<const std::int32_t> truth,
                              PartScores& costs) const {
  const std::span<double> all = costs.resize(parts.num_parts());
  std::fill(all.begin(), all.end(), 0.0);
  const auto labels = static_cast<std::size_t>(parts.labels);
  for (std::size_t t = 0; t < truth.size(); ++t) {
    std::fill_n(all.begin() + static_cast<std::ptrdiff_t>(t * labels), labels,
                cost(truth[t], parts.length));
    all[static_cast<std::size_t>(parts.node(static_cast<int>(t), truth[t]))] = 0.0;
  }
}

double ChainDecoder::expect(const ChainParts& parts, const PartScores& logits,
                            std::span<const std::int32_t> truth, Parts& mean) {
  const double* nodes = logits.values().data();
  marginals_.resize(parts.num_nodes() + parts.num_pairs());
  const std::span<double> all(marginals_);
  const double log_sum = sum_product(chain_scores(parts, nodes, nodes + parts.num_nodes()), sums_,
                                     all.first(parts.num_nodes()), all.subspan(parts.num_nodes()));
  double truth_score = 0.0;
  const auto take_truth = [&](Index id) {
    truth_score += logits[id];
    all[static_cast<std::size_t>(id)] -= 1.0;
  };
  for (std::size_t t = 0; t < truth.size(); ++t) {
    take_truth(parts.node(static_cast<int>(t), truth[t]));
    if (t > 0) take_truth(parts.pair(static_cast<int>(t), truth[t - 1], truth[t]));
  }
  mean.assign_negative(all);
  return log_sum - truth_score;
}

}  // namespace gapwise::internal
