#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gapwise/types.h"

namespace gapwise::internal {

/// What a row without a column is matched to.
inline constexpr std::int32_t kUnmatched = -1;

/// The scores of a bipartite graph in which every row may be linked to every column:
/// weights[r * columns + c], finite.
struct MatchingScores {
  const double* weights;
  Index rows;
  Index columns;

  double at(std::size_t r, std::size_t c) const {
    return weights[r * static_cast<std::size_t>(columns) + c];
  }
};

/// Room for a search, kept from call to call, and the prices that prove its result: they are at
/// least 0, those of a row and a column add up to at least the weight of their link, exactly so for
/// links of the matching, and whoever is not matched has price 0. So no matching weighs more than
/// all prices together, and the one found weighs just as much.
struct MatchingSearch {
  std::vector<double> row_prices;
  std::vector<double> column_prices;

  // Scratch.
  std::vector<std::int32_t> links;       ///< for each row its columns of positive weight
  std::vector<std::size_t> link_starts;  ///< where those of each row begin
  std::vector<std::int32_t> row_of;      ///< of each column
  std::vector<double> distances;         ///< of each column from the row being matched
  std::vector<std::int32_t> parents;     ///< the row before each column
  std::vector<std::int32_t> tree;        ///< columns reached for good
  std::vector<std::int32_t> open;        ///< columns in sight
  std::vector<std::int32_t> tied_rows;   ///< for each column the rows it has a link to
  std::vector<std::size_t> tied_starts;  ///<   without slack
  std::vector<std::int32_t> next;        ///< where each row would move to
};

/// The matching of largest total weight, in which rows and columns may stay alone:
/// column_of[r] is the column of row r or kUnmatched. Returns the total weight, >= 0. Rows are
/// added one by one along shortest augmenting paths, each of which may also end by leaving a row
/// alone; O(rows^2 columns), less if few weights are positive. No link is made that gains nothing.
/// Of several equally good matchings (to 1e-12 of the largest weight) the one that comes first as a
/// list of columns by row, kUnmatched being the smallest.
double max_weight_matching(const MatchingScores& scores, MatchingSearch& search,
                           std::span<std::int32_t> column_of);

}  // namespace gapwise::internal
