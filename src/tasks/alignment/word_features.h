#pragma once

#include <array>
#include <string>
#include <vector>

#include "tasks/alignment/dice.h"
#include "tasks/alignment/link_builder.h"
#include "tasks/alignment/word_pairs.h"

namespace gapwise::internal {

/// The features of links between words (docs/alignment.md).
class WordFeatures {
 public:
  /// `given` names the alignments of each pair.
  WordFeatures(const std::vector<std::string>& given, const DiceTable& dice, LinkBuilder& builder);

  /// Adds all links of a pair. `first_position` is the number of the first word in predictions.
  void add(const WordPair& pair, Index first_position);

 private:
  static constexpr std::size_t kDistances = 8;  ///< steps of relative distance
  static constexpr std::size_t kLevels = 4;     ///< steps of agreement between given alignments

  /// Numbers of the features that look at one given alignment.
  struct GivenNumbers {
    std::uint32_t link;
    std::array<std::uint32_t, 3> diagonal;       ///< links next to this one along the diagonal
    std::array<std::uint32_t, 3> beside;         ///< other links of the neighbours
    std::array<std::uint32_t, 3> source_others;  ///< other links of the source word, if linked
    std::array<std::uint32_t, 3> target_others;
    std::uint32_t source_alone;
    std::uint32_t target_alone;
    std::vector<std::uint32_t> both;  ///< together with each alignment behind this one
  };
  /// One given alignment of the pair at hand.
  struct GivenLinks {
    std::vector<char> has;  ///< by link
    std::vector<int> source_counts;
    std::vector<int> target_counts;
  };
  /// What is known of a link before features are conjoined.
  struct LinkView {
    Index s;
    Index t;
    double distance;
    std::size_t distance_step;
    std::size_t agreement;  ///< alignments that have it
    std::size_t level;      ///< the same in steps
    int neighbours;         ///< alignments that have a link next to it along the diagonal
    bool is_best_dice;
    bool is_same;
  };

  void number_given(const std::vector<std::string>& given);
  void load(const WordPair& pair);
  bool has(const GivenLinks& given, Index s, Index t) const;
  LinkView view(Index s, Index t) const;
  void add_dice(const LinkView& link);
  void add_distance(const LinkView& link);
  void add_orthography(const LinkView& link);
  void add_given(const LinkView& link);
  void add_conjunctions(const LinkView& link);
  std::size_t cell(Index s, Index t) const { return static_cast<std::size_t>(s * targets_ + t); }

  const DiceTable& dice_;
  LinkBuilder& builder_;

  // Numbers of features.
  std::uint32_t bias_;
  std::uint32_t dice_value_, dice_root_, dice_best_source_, dice_best_target_, dice_best_both_;
  std::uint32_t distance_, distance_square_, distance_root_;
  std::array<std::uint32_t, kDistances> distance_steps_;
  std::uint32_t same_, same_prefix_, common_, both_marks_, one_mark_, both_numbers_, one_number_,
      lengths_;
  std::vector<GivenNumbers> given_;
  std::vector<std::uint32_t> agreement_;  ///< by number of alignments
  std::uint32_t neighbours_;
  std::array<std::array<std::uint32_t, kDistances>, kLevels> level_distance_;
  std::array<std::array<std::uint32_t, 3>, kLevels> level_neighbours_;
  std::array<std::uint32_t, kLevels> level_best_dice_, level_same_;

  // The pair at hand.
  Index sources_ = 0;
  Index targets_ = 0;
  std::vector<std::string> source_words_, target_words_;  ///< in lower case
  std::vector<double> dice_cells_, source_best_, target_best_;
  std::vector<GivenLinks> links_;
  std::string pattern_;
};

}  // namespace gapwise::internal
