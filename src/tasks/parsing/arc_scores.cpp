#include "tasks/parsing/arc_scores.h"

#include <algorithm>
#include <array>
#include <limits>

#include "tasks/shared/label_rows.h"

namespace gapwise::internal {
namespace {

/// The largest of `size` numbers, minus infinity for none; several at once, so that they do not
/// wait for each other.
double largest(const double* values, std::size_t size) {
  constexpr std::size_t kLanes = 8;
  std::array<double, kLanes> best;
  best.fill(-std::numeric_limits<double>::infinity());
  std::size_t k = 0;
  for (; k + kLanes <= size; k += kLanes) {
    for (std::size_t j = 0; j < kLanes; ++j) {
      best[j] = values[k + j] > best[j] ? values[k + j] : best[j];
    }
  }
  for (; k < size; ++k) best[0] = std::max(best[0], values[k]);
  return *std::max_element(best.begin(), best.end());
}

/// out[r] = the sum of the weights of row r, for all rows. Two sums at once, so that they do not
/// wait for each other.
void sum_rows(const FeatureRows& rows, const double* w, double* out) {
  const std::size_t count = rows.num_rows();
  for (std::size_t r = 0; r < count; ++r) {
    const FeatureRow row = rows.row(r);
    double even = 0.0;
    double odd = 0.0;
    std::size_t f = 0;
    for (; f + 1 < row.size; f += 2) {
      even += w[row.attributes[f]];
      odd += w[row.attributes[f + 1]];
    }
    if (f < row.size) even += w[row.attributes[f]];
    out[r] = even + odd;
  }
}

/// The score of the best label of an arc into word m, its cost included.
double best_label_score(const double* scores, int num_labels, const TrueTree& truth, int m) {
  const auto size = static_cast<std::size_t>(num_labels);
  if (size == 1) return scores[0];
  if (truth.labels.empty()) return largest(scores, size);
  const auto right = static_cast<std::size_t>(truth.labels[static_cast<std::size_t>(m - 1)]);
  const double wrong =
      std::max(largest(scores, right), largest(scores + right + 1, size - right - 1));
  return std::max(scores[right], wrong + truth.cost);
}

int best_label(const double* scores, int num_labels, const TrueTree& truth, int m) {
  int best = 0;
  for (int l = 1; l < num_labels; ++l) {
    if (scores[l] + truth.label_cost(l, m) > scores[best] + truth.label_cost(best, m)) best = l;
  }
  return best;
}

}  // namespace

void ArcScorer::score(const ArcRows& rows, const ParsingFeatures& features, Weights w,
                      double* out) {
  const std::size_t first_arc = rows.first_arc_row();
  const auto labels = static_cast<std::size_t>(features.num_labels);
  arc_sums_.resize(first_arc + rows.num_arcs());
  sum_rows(rows.arcs, w.data(), arc_sums_.data());
  if (features.is_labelled()) {
    const double* label_weights = w.data() + features.arcs.size();
    label_sums_.resize(first_arc * labels);
    score_rows(rows.labels, 0, first_arc, label_weights, labels, label_sums_.data());
    score_rows(rows.labels, first_arc, rows.num_arcs(), label_weights, labels, out);
  }
  for (std::size_t arc = 0; arc < rows.num_arcs(); ++arc) {
    const auto [h, m] = ends_of(arc, rows.words);
    const std::size_t head_row = ArcRows::head_row(h, side_of(h, m));
    const std::size_t word_row = rows.word_row(m, side_of(h, m));
    const double sum = arc_sums_[head_row] + arc_sums_[word_row] + arc_sums_[first_arc + arc];
    if (labels == 1) {
      out[arc] = sum;
      continue;
    }
    const double* head_labels = &label_sums_[head_row * labels];
    const double* word_labels = &label_sums_[word_row * labels];
    double* to = out + arc * labels;
    for (std::size_t l = 0; l < labels; ++l) to[l] += head_labels[l] + word_labels[l] + sum;
  }
}

/// The scores, minus infinity for what the rules forbid.
const double* TreeDecoder::allowed(std::span<const ParsingWord> words, int num_labels,
                                   const double* scores) {
  if (!kind_.rules) return scores;
  const std::size_t arcs = words.size() * words.size();
  const auto count = static_cast<std::size_t>(num_labels);
  allowed_.assign(scores, scores + arcs * count);
  for (std::size_t arc = 0; arc < arcs; ++arc) {
    const auto [h, m] = ends_of(arc, static_cast<int>(words.size()));
    for (int l = 0; l < num_labels; ++l) {
      if (kind_.rules->allow(words, h, m, l)) continue;
      allowed_[arc * count + static_cast<std::size_t>(l)] =
          -std::numeric_limits<double>::infinity();
    }
  }
  return allowed_.data();
}

/// Arcs of minus infinity get a score so low that no tree with one is better than one without.
void TreeDecoder::punish_forbidden(int words) {
  double low = 0.0;
  double high = 0.0;
  const auto for_each_arc = [&](auto visit) {
    for (int m = 1; m <= words; ++m) {
      for (int h = 0; h <= words; ++h) {
        if (h != m) visit(arcs_[static_cast<std::size_t>(h * (words + 1) + m)]);
      }
    }
  };
  for_each_arc([&](double x) {
    if (x == -std::numeric_limits<double>::infinity()) return;
    low = std::min(low, x);
    high = std::max(high, x);
  });
  const double worst = low - (words + 1.0) * (high - low + 1.0);
  for_each_arc([&](double& x) { x = std::max(x, worst); });
}

void TreeDecoder::decode(std::span<const ParsingWord> sentence, int num_labels,
                         const double* all_scores, const TrueTree& truth,
                         std::span<std::int32_t> heads, std::span<std::int32_t> labels) {
  const auto words = static_cast<int>(sentence.size());
  const double* scores = allowed(sentence, num_labels, all_scores);
  const auto side = static_cast<std::size_t>(words) + 1;
  arcs_.resize(side * side);
  const double* at = scores;
  for (int m = 1; m <= words; ++m) {
    for (int h = 0; h <= words; ++h) {
      if (h == m) continue;
      arcs_[static_cast<std::size_t>(h) * side + static_cast<std::size_t>(m)] =
          best_label_score(at, num_labels, truth, m) + truth.head_cost(h, m);
      at += num_labels;
    }
  }
  if (kind_.rules) punish_forbidden(words);
  const ArcScores arcs{words, arcs_.data()};
  if (kind_.is_projective) {
    eisner(arcs, kind_.roots, eisner_, heads);
  } else {
    chu_liu_edmonds(arcs, kind_.roots, spanning_tree_, heads);
  }
  for (int m = 1; m <= words; ++m) {
    const auto k = static_cast<std::size_t>(m - 1);
    const std::size_t arc = arc_of(heads[k], m, words);
    labels[k] =
        best_label(scores + arc * static_cast<std::size_t>(num_labels), num_labels, truth, m);
  }
}

}  // namespace gapwise::internal
