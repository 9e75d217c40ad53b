#pragma once

#include "tasks/parsing/arc_templates.h"
#include "tasks/parsing/problem.h"
#include "tasks/shared/feature_rows.h"

namespace gapwise::internal {

/// The numbered features of all arcs of one sentence of N words. Rows are the same for arc features
/// and for label features: two for each possible head, by side; two for each word; then one for
/// each arc, in the order of the arcs. The features of an arc are those of three rows.
struct ArcRows {
  int words = 0;
  FeatureRows arcs;
  FeatureRows labels;  ///< no rows without labels

  static std::size_t head_row(int h, Side side) {
    return 2 * static_cast<std::size_t>(h) + static_cast<std::size_t>(side);
  }
  std::size_t word_row(int m, Side side) const { return head_row(words + m, side); }
  std::size_t first_arc_row() const { return head_row(2 * words + 1, Side::kLeft); }
  std::size_t num_arcs() const {
    return static_cast<std::size_t>(words) * static_cast<std::size_t>(words);
  }
};

/// An arc by its number: slot s of word m is head s, or s + 1 from the word itself on.
struct ArcEnds {
  int head;
  int word;
};
inline ArcEnds ends_of(std::size_t arc, int words) {
  const auto m = static_cast<int>(arc / static_cast<std::size_t>(words)) + 1;
  const auto slot = static_cast<int>(arc % static_cast<std::size_t>(words));
  return {slot < m ? slot : slot + 1, m};
}
inline std::size_t arc_of(int h, int m, int words) {
  return static_cast<std::size_t>(m - 1) * static_cast<std::size_t>(words) +
         static_cast<std::size_t>(h < m ? h : h - 1);
}

/// Calls visit(row) for the three rows of an arc.
template <class Visit>
void for_each_row(const ArcRows& rows, std::size_t arc, Visit visit) {
  const auto [h, m] = ends_of(arc, rows.words);
  const Side side = side_of(h, m);
  visit(ArcRows::head_row(h, side));
  visit(rows.word_row(m, side));
  visit(rows.first_arc_row() + arc);
}

/// Makes rows of words, leaving out features the model does not have.
class ArcRowBuilder {
 public:
  explicit ArcRowBuilder(const ParsingFeatures& features) : features_(features) {}
  /// Valid until the next call.
  const ArcRows& build(std::span<const ParsingWord> words);

 private:
  const ParsingFeatures& features_;
  ArcTemplates templates_;
  ArcTemplates::Hashes hashes_;
  ArcRows rows_;
};

}  // namespace gapwise::internal
