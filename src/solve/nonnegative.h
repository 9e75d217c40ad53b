#pragma once

#include <string_view>
#include <vector>

#include "gapwise/problem.h"
#include "solve/frank_wolfe/line_search.h"

namespace gapwise::internal {

/// The set P of weights that must not be negative, [OALDL16] appendix H. The dual variables then
/// give a vector v that knows no signs, and
///   w = T(v):  w_j = max(0, v_j) for j in P,  w_j = v_j elsewhere;   D = ell - lambda/2 |T(v)|^2.
/// Everything here costs O(|P|), whatever part of it a step touches.
class NonnegativeSet {
 public:
  /// No weight at all.
  NonnegativeSet() = default;
  /// Groups by name, separated by commas; no names, no weights. OptionError if there is no such
  /// group.
  NonnegativeSet(const std::vector<WeightGroup>& groups, std::string_view names);

  bool is_empty() const { return ranges_.empty(); }

  template <class Visit>
  void for_each(Visit visit) const {
    for (const IndexRange& range : ranges_) {
      for (std::size_t j = range.begin; j < range.end; ++j) visit(j);
    }
  }
  /// w_j = max(0, v_j) for j in P, never -0; other weights stay. v may be w.
  void truncate(Weights v, MutableWeights w) const;
  /// x_j = 0 for j in P.
  void clear(MutableWeights x) const;

  /// Given the line along which v moves by gamma * change, with the curvature lambda |change|^2 it
  /// would have if P were empty: corrects the curvature and finds the bends up to `largest`.
  void bend(Weights v, Weights change, double lambda, double largest, Ascent& line) const;

 private:
  struct IndexRange {
    std::size_t begin;
    std::size_t end;
  };
  std::vector<IndexRange> ranges_;  ///< ascending, apart from each other
};

}  // namespace gapwise::internal
