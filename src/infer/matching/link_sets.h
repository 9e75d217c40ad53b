#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "infer/matching/matching.h"

namespace gapwise::internal {

/// Room for a search, kept from call to call; by node, rows first, then columns.
struct LinkSearch {
  std::vector<double> potentials;     ///< what the cheapest way to a node costs
  std::vector<double> distances;      ///< how much more than that it costs now
  std::vector<std::int32_t> parents;  ///< the node before each one on the way to it
  std::vector<bool> is_done;
  std::vector<Index> left;  ///< links that each node may still have
};

/// The set of links of largest total weight in which every row and every column has at most
/// `fertility` of them: is_linked[r * columns + c] is 1 for those that are in it. Returns the total
/// weight, >= 0. A flow of least cost, along shortest augmenting paths; no link is made that gains
/// nothing. Which of several equally good sets it is depends on the scores alone.
double max_weight_links(const MatchingScores& scores, Index fertility, LinkSearch& search,
                        std::span<std::uint8_t> is_linked);

}  // namespace gapwise::internal
