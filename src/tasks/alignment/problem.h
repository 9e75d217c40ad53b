#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gapwise/problem.h"
#include "infer/matching/link_sets.h"
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

/// More links of one element than this make no sense.
inline constexpr Index kMostFertile = 1000;

/// Training problem of matchings: the parts of a pair are its links, each with its features, and
/// every element is in at most `fertility` links. The truth is a largest set of sure links that is
/// such; sure links that are not in it cost nothing, like possible ones. InputError if the data do
/// not fit together.
std::unique_ptr<Problem> make_alignment_problem(std::shared_ptr<const AlignmentData> data,
                                                const AlignmentCosts& costs, Index fertility = 1);

/// Finds the best links of a pair by their scores: a matching, or what more links of an element
/// allow.
class LinkFinder {
 public:
  explicit LinkFinder(Index fertility) : fertility_(fertility) {}
  /// 1 for each link that is chosen, 0 for the others; valid until the next call.
  std::span<const std::uint8_t> find(const MatchingScores& scores);

 private:
  Index fertility_;
  MatchingSearch matching_;
  LinkSearch links_;
  std::vector<std::int32_t> target_of_;
  std::vector<std::uint8_t> is_linked_;
};

/// Links pairs with given weights; one per thread.
class Aligner {
 public:
  explicit Aligner(Weights w, Index fertility = 1) : w_(w), finder_(fertility) {}
  /// For each link of pair i whether it is there, 1 or 0; valid until the next call.
  std::span<const std::uint8_t> align(const AlignmentData& data, Index i);

 private:
  Weights w_;
  LinkFinder finder_;
  std::vector<double> scores_;
};

}  // namespace gapwise::internal
