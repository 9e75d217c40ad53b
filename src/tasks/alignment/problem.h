#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gapwise/problem.h"
#include "infer/matching.h"
#include "tasks/shared/feature_rows.h"

namespace gapwise::internal {

/// What an annotator says of a link. Possible ones are neither asked for nor wrong.
enum class Gold : std::uint8_t { kWrong, kPossible, kSure };

/// Pairs of things whose elements are to be linked, numbers only: words of two sentences, points of
/// two pictures. Link (s, t) of pair i is row first_link(i) + s * targets[i] + t.
struct AlignmentData {
  std::vector<Index> sources;          ///< elements of the first thing of each pair
  std::vector<Index> targets;          ///< of the second
  std::vector<std::size_t> starts{0};  ///< first link of each pair, and the end
  FeatureRows links;                   ///< features of each link
  std::vector<Gold> gold;              ///< of each link
  Index attributes = 0;

  Index size() const { return static_cast<Index>(sources.size()); }
  std::size_t first_link(Index i) const { return starts[static_cast<std::size_t>(i)]; }
  std::size_t num_links(Index i) const {
    const auto k = static_cast<std::size_t>(i);
    return starts[k + 1] - starts[k];
  }
};

/// Asymmetric Hamming: what a wrong link costs, and a missing one.
struct AlignmentCosts {
  double precision = 1.0;
  double recall = 3.0;
};

/// Training problem of matchings: the parts of a pair are its links, each with its features, and
/// every element is in at most one link. The truth is a largest matching of sure links; sure links
/// that are not in it cost nothing, like possible ones. InputError if the data do not fit together.
std::unique_ptr<Problem> make_alignment_problem(std::shared_ptr<const AlignmentData> data,
                                                const AlignmentCosts& costs);

/// Links pairs with given weights; one per thread.
class Aligner {
 public:
  explicit Aligner(Weights w) : w_(w) {}
  /// For each source element of pair i its target or kUnmatched.
  std::span<const std::int32_t> align(const AlignmentData& data, Index i);

 private:
  Weights w_;
  std::vector<double> scores_;
  MatchingSearch search_;
  std::vector<std::int32_t> target_of_;
};

}  // namespace gapwise::internal
