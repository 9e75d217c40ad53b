#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "gapwise/option_table.h"
#include "gapwise/problem.h"
#include "infer/dependency.h"
#include "tasks/parsing/arc_rules.h"
#include "tasks/parsing/feature_buckets.h"
#include "tasks/shared/hamming_loss.h"

namespace gapwise::internal {

/// A word as features see it: hashes of its texts, 0 for what the data do not have.
struct ParsingWord {
  std::uint64_t form = 0;
  std::uint64_t lemma = 0;
  std::uint64_t tag = 0;         ///< the fine one, if there are two
  std::uint64_t coarse_tag = 0;  ///< 0 if there is only one
};

/// Sentences with a dependency tree each. Word m = 1, 2, ... of sentence i is words[starts[i] + m -
/// 1]; `heads` and `labels` have the same places.
struct ParsingData {
  std::vector<std::size_t> starts{0};
  std::vector<ParsingWord> words;
  std::vector<std::int32_t> heads;   ///< 0: the root; -1: not known
  std::vector<std::int32_t> labels;  ///< of the arc into the word; -1: not known

  Index size() const { return static_cast<Index>(starts.size()) - 1; }
  int length(Index i) const {
    const auto k = static_cast<std::size_t>(i);
    return static_cast<int>(starts[k + 1] - starts[k]);
  }
  /// The part of a list that belongs to sentence i.
  template <class T>
  std::span<const T> of(Index i, const std::vector<T>& list) const {
    return {list.data() + starts[static_cast<std::size_t>(i)], static_cast<std::size_t>(length(i))};
  }
};

/// The features of a model. An arc feature owns one weight; a label feature owns one for each
/// label, next to each other, behind those of the arcs.
struct ParsingFeatures {
  FeatureBuckets arcs;
  FeatureBuckets labels;
  int num_labels = 1;  ///< 1: arcs have no labels to choose from, and no label features

  bool is_labelled() const { return num_labels > 1; }
  Index dimension() const {
    return static_cast<Index>(arcs.size()) + static_cast<Index>(labels.size()) * num_labels;
  }
};

/// Which features own weights: those of right arcs only, or those of every possible arc.
enum class FeatureSource { kTrees, kAll };
constexpr std::array<std::string_view, 2> enum_names(FeatureSource) {
  return {"trees", "all"};
}

constexpr std::array<std::string_view, 2> enum_names(RootCount) {
  return {"one", "many"};
}

using ParsingLoss = HammingLoss;

/// The trees to choose from.
struct TreeKind {
  bool is_projective = true;
  RootCount roots = RootCount::kOne;
  std::shared_ptr<const ArcRules> rules = {};  ///< null: every arc may be
};

/// Numbers the hashed features of the data, all heads of which are known, in order of appearance.
/// Label features are those of right arcs.
ParsingFeatures collect_features(const ParsingData& data, int num_labels, int hash_bits,
                                 FeatureSource source);

/// First-order dependency parsing: the parts of a sentence of N words are its arcs with their
/// labels. Slot s of word m is head s, or s + 1 if s >= m, and part ((m - 1) N + s) num_labels + l
/// the arc from there with label l. A wrong head costs 1 and so does a wrong label, normalised 1 /
/// N each. A true tree that is not of the kind is one more output of its sentence in training.
/// `packed_bytes` limits the memory for features of arcs; those of the sentences that do not fit
/// are computed again at every call. InputError if the data do not fit together.
std::unique_ptr<Problem> make_parsing_problem(std::shared_ptr<const ParsingData> data,
                                              std::shared_ptr<const ParsingFeatures> features,
                                              const TreeKind& kind, ParsingLoss loss,
                                              std::size_t packed_bytes = std::size_t{1} << 32);

/// Scores of all parts of a sentence may take this many numbers.
constexpr Index kMostParsingParts = Index{1} << 26;

/// Parses sentences with given weights; one per thread.
class DependencyParser {
 public:
  /// `features` outlives the parser.
  DependencyParser(const ParsingFeatures& features, Weights w, const TreeKind& kind);
  ~DependencyParser();
  DependencyParser(const DependencyParser& other);
  DependencyParser(DependencyParser&&) noexcept;
  DependencyParser& operator=(DependencyParser&&) noexcept;

  /// The best tree for the words of a sentence; both results have one entry per word. InputError
  /// if the rules leave none.
  void parse(std::span<const ParsingWord> words, std::span<std::int32_t> heads,
             std::span<std::int32_t> labels);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gapwise::internal
