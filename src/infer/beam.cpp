#include "infer/beam.h"

#include <algorithm>
#include <cstddef>

#include "core/stop.h"

namespace gapwise::internal {
namespace {

using Hypothesis = BeamScratch::Hypothesis;

bool is_better(const Hypothesis& a, const Hypothesis& b) {
  return a.score > b.score || (a.score == b.score && a.label < b.label);
}

/// One candidate per label of the first position.
void start(const ChainScores& scores, std::vector<Hypothesis>& out) {
  out.resize(static_cast<std::size_t>(scores.labels));
  for (std::int32_t k = 0; k < scores.labels; ++k) {
    out[static_cast<std::size_t>(k)] = {scores.nodes[k], k, -1};
  }
}

/// One candidate per label of position t, each from the best hypothesis of `beam`.
void extend(const ChainScores& scores, int t, std::span<const Hypothesis> beam,
            std::vector<Hypothesis>& out) {
  const auto labels = static_cast<std::size_t>(scores.labels);
  const auto step = static_cast<std::size_t>(scores.pairs_per_position ? t - 1 : 0);
  const double* nodes = scores.nodes + static_cast<std::size_t>(t) * labels;
  for (std::size_t p = 0; p < beam.size(); ++p) {
    const double* pairs =
        scores.pairs + (step * labels + static_cast<std::size_t>(beam[p].label)) * labels;
    for (std::size_t k = 0; k < labels; ++k) {
      const double score = beam[p].score + pairs[k];
      if (p > 0 && score <= out[k].score) continue;
      out[k] = {score, static_cast<std::int32_t>(k), static_cast<std::int32_t>(p)};
    }
  }
  for (std::size_t k = 0; k < labels; ++k) out[k].score += nodes[k];
}

/// Appends the best `width` candidates, by label, so that ties later on go to the smaller one.
void keep_best(std::vector<Hypothesis>& candidates, std::ptrdiff_t width,
               std::vector<Hypothesis>& beams) {
  std::nth_element(candidates.begin(), candidates.begin() + width - 1, candidates.end(), is_better);
  std::sort(candidates.begin(), candidates.begin() + width,
            [](const Hypothesis& a, const Hypothesis& b) { return a.label < b.label; });
  beams.insert(beams.end(), candidates.begin(), candidates.begin() + width);
}

}  // namespace

bool beam_search(const ChainScores& scores, int width, BeamScratch& scratch,
                 std::span<std::int32_t> labels_out) {
  if (width == 0 || width >= scores.labels || scores.length == 1) {
    viterbi(scores, scratch.viterbi, labels_out);
    return true;
  }
  const auto kept = static_cast<std::size_t>(width);
  scratch.beams.clear();
  start(scores, scratch.candidates);
  StopPoll poll;
  for (int t = 1; t < scores.length; ++t) {
    poll.spend((kept + 1) * scratch.candidates.size());
    keep_best(scratch.candidates, width, scratch.beams);
    extend(scores, t, std::span<const Hypothesis>(scratch.beams).last(kept), scratch.candidates);
  }
  const Hypothesis* at =
      &*std::min_element(scratch.candidates.begin(), scratch.candidates.end(), is_better);
  for (std::size_t t = labels_out.size() - 1; t > 0; --t) {
    labels_out[t] = at->label;
    at = &scratch.beams[(t - 1) * kept + static_cast<std::size_t>(at->previous)];
  }
  labels_out[0] = at->label;
  return false;
}

}  // namespace gapwise::internal
