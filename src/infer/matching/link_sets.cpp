#include "infer/matching/link_sets.h"

#include <algorithm>
#include <limits>

namespace gapwise::internal {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr std::int32_t kNobody = -1;

/// The network: one node for each row and column, an arc of cost -weight from row to column for
/// each link that there is not, and back, of cost +weight, for each that there is. Flow comes in at
/// rows and goes out at columns, at most `fertility` at each.
class LinkFlow {
 public:
  LinkFlow(const MatchingScores& scores, Index fertility, LinkSearch& search,
           std::span<std::uint8_t> is_linked)
      : scores_(scores),
        rows_(static_cast<std::size_t>(scores.rows)),
        columns_(static_cast<std::size_t>(scores.columns)),
        search_(search),
        is_linked_(is_linked) {
    std::fill(is_linked.begin(), is_linked.end(), std::uint8_t{0});
    search.left.assign(rows_ + columns_, fertility);
    search.parents.resize(rows_ + columns_);
    search.distances.resize(rows_ + columns_);
    // Distances from where flow comes in, without any link yet.
    search.potentials.assign(rows_ + columns_, 0.0);
    for (std::size_t r = 0; r < rows_; ++r) {
      for (std::size_t c = 0; c < columns_; ++c) {
        double& potential = search.potentials[rows_ + c];
        potential = std::min(potential, -scores.at(r, c));
      }
    }
  }

  double run() {
    for (std::size_t end = find_ways(); end < rows_ + columns_; end = find_ways()) augment(end);
    double total = 0.0;
    for (std::size_t link = 0; link < is_linked_.size(); ++link) {
      if (is_linked_[link] != 0) total += scores_.weights[link];
    }
    return total;
  }

 private:
  /// One more unit of flow on the way to column `end`.
  void augment(std::size_t end) {
    --search_.left[end];
    auto node = static_cast<std::int32_t>(end);
    while (search_.parents[static_cast<std::size_t>(node)] != kNobody) {
      const std::int32_t before = search_.parents[static_cast<std::size_t>(node)];
      const auto row = static_cast<std::size_t>(std::min(node, before));
      const auto column = static_cast<std::size_t>(std::max(node, before)) - rows_;
      is_linked_[row * columns_ + column] ^= 1;
      node = before;
    }
    --search_.left[static_cast<std::size_t>(node)];
  }

  /// Finds the cheapest ways to all nodes; by how much they exceed the potentials no arc is
  /// negative. Returns the column that is cheapest to end at; past the last one if none gains
  /// anything. Nodes that cannot be reached never can again.
  std::size_t find_ways() {
    const std::size_t nodes = rows_ + columns_;
    std::fill(search_.distances.begin(), search_.distances.end(), kFar);
    std::fill(search_.parents.begin(), search_.parents.end(), kNobody);
    search_.is_done.assign(nodes, false);
    for (std::size_t r = 0; r < rows_; ++r) {
      // Coming in costs nothing.
      if (search_.left[r] > 0) search_.distances[r] = std::max(0.0, -search_.potentials[r]);
    }
    for (std::size_t node = nearest_open(); node < nodes; node = nearest_open()) {
      search_.is_done[node] = true;
      expand(node);
    }
    for (std::size_t node = 0; node < nodes; ++node) {
      if (search_.distances[node] < kFar) search_.potentials[node] += search_.distances[node];
    }
    return cheapest_end();
  }

  std::size_t nearest_open() const {
    std::size_t best = rows_ + columns_;
    double least = kFar;
    for (std::size_t node = 0; node < rows_ + columns_; ++node) {
      if (search_.is_done[node] || search_.distances[node] >= least) continue;
      least = search_.distances[node];
      best = node;
    }
    return best;
  }

  std::size_t cheapest_end() const {
    std::size_t best = rows_ + columns_;
    double least = 0.0;  // what costs 0 or more gains nothing
    for (std::size_t c = rows_; c < rows_ + columns_; ++c) {
      if (search_.left[c] == 0 || search_.distances[c] == kFar) continue;
      if (search_.potentials[c] >= least) continue;
      least = search_.potentials[c];
      best = c;
    }
    return best;
  }

  void expand(std::size_t node) {
    const bool is_row = node < rows_;
    const std::size_t first = is_row ? rows_ : 0;
    const std::size_t last = is_row ? rows_ + columns_ : rows_;
    for (std::size_t other = first; other < last; ++other) {
      const std::size_t row = is_row ? node : other;
      const std::size_t column = (is_row ? other : node) - rows_;
      const bool is_there = is_linked_[row * columns_ + column] != 0;
      if (is_there == is_row) continue;  // rows lead on by links to make, columns by those to undo
      const double weight = scores_.at(row, column);
      if (is_row && weight <= 0.0) continue;
      const double cost = is_row ? -weight : weight;
      const double reduced =
          std::max(0.0, cost + search_.potentials[node] - search_.potentials[other]);
      const double distance = search_.distances[node] + reduced;
      if (distance >= search_.distances[other]) continue;
      search_.distances[other] = distance;
      search_.parents[other] = static_cast<std::int32_t>(node);
    }
  }

  const MatchingScores& scores_;
  std::size_t rows_;
  std::size_t columns_;
  LinkSearch& search_;
  std::span<std::uint8_t> is_linked_;
};

}  // namespace

double max_weight_links(const MatchingScores& scores, Index fertility, LinkSearch& search,
                        std::span<std::uint8_t> is_linked) {
  return LinkFlow(scores, fertility, search, is_linked).run();
}

}  // namespace gapwise::internal
