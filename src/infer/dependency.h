#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gapwise::internal {

/// Scores of all arcs of a sentence with `words` words, numbered from 1; the artificial root is 0.
/// The arc from head h to word m is at scores[h * (words + 1) + m]; entries with m = 0 or m = h are
/// not read.
struct ArcScores {
  int words = 0;
  const double* scores = nullptr;

  double operator()(int h, int m) const {
    return scores[static_cast<std::size_t>(h) * static_cast<std::size_t>(words + 1) +
                  static_cast<std::size_t>(m)];
  }
};

/// How many words may hang on the artificial root.
enum class RootCount { kOne, kMany };

/// Scratch memory of the projective decoder, reused between calls: squares of the best scores of
/// spans i..j. Each is laid out so that inner loops run along rows.
struct EisnerScratch {
  /// A span of the tree that is taken apart: its head is `head`, its other end `end`.
  struct Span {
    std::int32_t head;
    std::int32_t end;
    bool is_complete;  ///< else there is an arc head -> end
  };
  std::vector<double> right;       ///< complete with head i, at [i][j] and [j][i]
  std::vector<double> left;        ///< complete with head j, at [i][j] and [j][i]
  std::vector<double> incomplete;  ///< with the arc i -> j at [i][j], with j -> i at [j][i]
  std::vector<Span> spans;
};

/// The best projective dependency tree (no two arcs cross, the root's neither), O(words^3). Ties go
/// to the leftmost split of each span. Writes the head of word m to heads[m - 1]; words >= 1.
/// Returns the score of the tree.
double eisner(const ArcScores& arcs, RootCount roots, EisnerScratch& scratch,
              std::span<std::int32_t> heads);

/// Scratch memory of the non-projective decoder, reused between calls.
struct SpanningTreeScratch {
  /// An arc between words of the sentence.
  struct Arc {
    std::int32_t head;
    std::int32_t word;
  };
  std::vector<double> scores;       ///< into node v from node u at [v][u]
  std::vector<Arc> arcs;            ///< the arc of the sentence behind it
  std::vector<std::int32_t> alive;  ///< nodes that are not inside another one
  std::vector<std::int32_t> path;   ///< nodes followed from head to head
  std::vector<std::int32_t> head;   ///< per node: the best node before it
  std::vector<char> state;          ///< per node: not seen, on the path or done
  std::vector<std::int32_t> name;   ///< per node: the word or, behind the words, the cycle it is
  std::vector<std::int32_t> cycle;  ///< per name: the name of the cycle it is on
  std::vector<Arc> chosen;          ///< per name: the best arc into it
};

/// The best dependency tree of all, crossing or not: the maximum spanning arborescence by the
/// algorithm of Chu, Liu and Edmonds in its dense form, O(words^2). As `eisner` otherwise; ties go
/// to the smaller head before cycles are resolved.
double chu_liu_edmonds(const ArcScores& arcs, RootCount roots, SpanningTreeScratch& scratch,
                       std::span<std::int32_t> heads);

/// Whether heads[m - 1] in 0..words are a tree, and no arc crosses another one.
bool is_tree(std::span<const std::int32_t> heads);
bool is_projective(std::span<const std::int32_t> heads);

}  // namespace gapwise::internal
