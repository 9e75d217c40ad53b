#include "infer/binary_pairs.h"

#include <algorithm>

#include "infer/pair_enumeration.h"
#include "infer/pair_local_search.h"
#include "infer/pair_problem.h"
#include "infer/roof_dual.h"

namespace gapwise::internal {
namespace {

/// A bound that is no further from a value proves that the value is the largest.
constexpr double kProof = 1e-9;

/// Partial sets that are looked at before a local optimum is taken for the best set.
constexpr std::size_t kMostVisits = 16384;

}  // namespace

double score_of(const BinaryPairScores& scores, std::span<const std::uint8_t> on) {
  double sum = 0.0;
  for (std::size_t a = 0; a < scores.labels; ++a) {
    if (on[a] == 0) continue;
    sum += scores.singles[a];
    for (std::size_t b = a + 1; scores.pairs != nullptr && b < scores.labels; ++b) {
      if (on[b] != 0) sum += scores.pairs[pair_index(scores.labels, a, b)];
    }
  }
  return sum;
}

struct BinaryPairDecoder::Scratch {
  PairProblem open;
  PairTerms terms;
  RoofDual roof;
  PairEnumeration enumeration;
  PairLocalSearch local_search;
};

BinaryPairDecoder::BinaryPairDecoder() : scratch_(make_hidden<Scratch>()) {}

BinaryPairResult BinaryPairDecoder::maximize(const BinaryPairScores& scores,
                                             std::span<std::uint8_t> on) {
  const auto exact = [&] {
    const double value = score_of(scores, on);
    return BinaryPairResult{value, value, true};
  };
  if (scores.pairs == nullptr) {
    for (std::size_t a = 0; a < scores.labels; ++a) on[a] = scores.singles[a] > 0.0 ? 1 : 0;
    return exact();
  }
  std::fill(on.begin(), on.end(), std::uint8_t{0});
  PairProblem& open = scratch_->open;
  open.load(scores);
  open.decide_plain(on);
  double bound = 0.0;
  if (open.size() > kMostEnumerated) {
    open.list_terms(scratch_->terms);
    scratch_->roof.run(scratch_->terms);
    bound = score_of(scores, on) + scratch_->roof.upper_bound();
    open.decide(scratch_->roof.decisions(), on);
    open.decide_plain(on);
  }
  if (open.size() == 0) return exact();
  if (open.size() <= kMostEnumerated) {
    scratch_->enumeration.run(open, on);
    return exact();
  }
  const double decided = score_of(scores, on);
  open.put_promising_first();
  scratch_->local_search.run(open, on);
  bound = std::min(bound, decided + scratch_->enumeration.improve(open, kMostVisits, on));
  const double value = score_of(scores, on);
  const bool is_proven = bound - value <= kProof;
  return {value, is_proven ? value : bound, is_proven};
}

}  // namespace gapwise::internal
