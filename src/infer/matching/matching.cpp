#include "infer/matching/matching.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/stop.h"
#include "infer/matching/matching_ties.h"

namespace gapwise::internal {
namespace {

std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

/// Adds one row after the other to an optimal matching of the rows before.
class RowByRow {
 public:
  RowByRow(const MatchingScores& scores, MatchingSearch& search, std::span<std::int32_t> column_of)
      : scores_(scores),
        columns_(static_cast<std::size_t>(scores.columns)),
        search_(search),
        column_of_(column_of) {
    search_.row_prices.assign(static_cast<std::size_t>(scores.rows), 0.0);
    search_.column_prices.assign(columns_, 0.0);
    search_.row_of.assign(columns_, kUnmatched);
    search_.distances.assign(columns_, kFar);
    search_.parents.resize(columns_);
    std::fill(column_of_.begin(), column_of_.end(), kUnmatched);
    find_links();
  }

  void add(std::int32_t row) {
    double price = 0.0;  // the most this row can gain; at 0 it stays alone
    for (const std::int32_t c : links_of(row)) {
      price = std::max(price, scores_.at(at(row), at(c)) - search_.column_prices[at(c)]);
    }
    search_.row_prices[at(row)] = price;
    if (price <= 0.0) return;
    augment(row);
    for (const std::int32_t c : search_.tree) search_.distances[at(c)] = kFar;
    for (const std::int32_t c : search_.open) search_.distances[at(c)] = kFar;
  }

 private:
  static constexpr double kFar = std::numeric_limits<double>::infinity();

  /// A link without positive weight is never better than to leave its row alone.
  void find_links() {
    search_.links.clear();
    search_.link_starts.assign(1, 0);
    for (std::size_t r = 0; r < column_of_.size(); ++r) {
      for (std::size_t c = 0; c < columns_; ++c) {
        if (scores_.at(r, c) > 0.0) search_.links.push_back(static_cast<std::int32_t>(c));
      }
      search_.link_starts.push_back(search_.links.size());
    }
  }

  std::span<const std::int32_t> links_of(std::int32_t row) const {
    const std::size_t begin = search_.link_starts[at(row)];
    return {search_.links.data() + begin, search_.link_starts[at(row) + 1] - begin};
  }

  /// Grows a tree of shortest paths from `root` until it is cheapest to end at a free column or to
  /// leave a row of the tree alone, and makes the change along that path.
  void augment(std::int32_t root) {
    search_.tree.clear();
    search_.open.clear();
    std::int32_t loner = root;  // the row that is cheapest to leave alone
    double loner_distance = search_.row_prices[at(root)];
    std::int32_t row = root;
    double distance = 0.0;
    while (true) {
      const std::int32_t next = nearest_after(row, distance);
      if (next == kUnmatched || search_.distances[at(next)] >= loner_distance) {
        update_prices(root, loner_distance);
        release(root, loner);
        return;
      }
      distance = search_.distances[at(next)];
      row = search_.row_of[at(next)];
      if (row == kUnmatched) {
        update_prices(root, distance);
        shift_along(root, next);
        return;
      }
      reach(next);
      if (distance + search_.row_prices[at(row)] < loner_distance) {
        loner_distance = distance + search_.row_prices[at(row)];
        loner = row;
      }
    }
  }

  void reach(std::int32_t column) {
    search_.tree.push_back(column);
    const auto found = std::find(search_.open.begin(), search_.open.end(), column);
    *found = search_.open.back();
    search_.open.pop_back();
  }

  /// Takes the links of `row`, itself at `distance`, into account; then the nearest column in
  /// sight, a free one if there are several.
  std::int32_t nearest_after(std::int32_t row, double distance) {
    poll_.spend(links_of(row).size() + search_.open.size());
    const double base = distance + search_.row_prices[at(row)];
    for (const std::int32_t c : links_of(row)) {
      double& best = search_.distances[at(c)];
      const double through = base + search_.column_prices[at(c)] - scores_.at(at(row), at(c));
      if (through >= best || best <= distance) continue;  // those of the tree are not farther
      if (best == kFar) search_.open.push_back(c);
      best = std::max(distance, through);
      search_.parents[at(c)] = row;
    }
    std::int32_t nearest = kUnmatched;
    double least = kFar;
    for (const std::int32_t c : search_.open) {
      const double found = search_.distances[at(c)];
      const bool is_first_free = found == least && search_.row_of[at(c)] == kUnmatched &&
                                 search_.row_of[at(nearest)] != kUnmatched;
      if (found < least || is_first_free) {
        least = found;
        nearest = c;
      }
    }
    return nearest;
  }

  void update_prices(std::int32_t root, double distance) {
    const auto lower = [&](std::int32_t row, double by) {
      search_.row_prices[at(row)] = std::max(0.0, search_.row_prices[at(row)] - by);
    };
    lower(root, distance);
    for (const std::int32_t c : search_.tree) {
      const double by = distance - search_.distances[at(c)];
      lower(search_.row_of[at(c)], by);
      search_.column_prices[at(c)] += by;
    }
  }

  /// Leaves `loner` alone; its column goes to the rows before it on the path.
  void release(std::int32_t root, std::int32_t loner) {
    search_.row_prices[at(loner)] = 0.0;
    if (loner == root) return;
    const std::int32_t column = column_of_[at(loner)];
    column_of_[at(loner)] = kUnmatched;
    shift_along(root, column);
  }

  /// Gives `column` to its parent, that one's column to the parent of it, and so on up to the root.
  void shift_along(std::int32_t root, std::int32_t column) {
    while (true) {
      const std::int32_t row = search_.parents[at(column)];
      const std::int32_t before = column_of_[at(row)];
      column_of_[at(row)] = column;
      search_.row_of[at(column)] = row;
      if (row == root) return;
      column = before;
    }
  }

  const MatchingScores& scores_;
  std::size_t columns_;
  MatchingSearch& search_;
  std::span<std::int32_t> column_of_;
  StopPoll poll_;
};

}  // namespace

double max_weight_matching(const MatchingScores& scores, MatchingSearch& search,
                           std::span<std::int32_t> column_of) {
  assert(std::ssize(column_of) == scores.rows);
  RowByRow matching(scores, search, column_of);
  for (std::int32_t row = 0; row < scores.rows; ++row) matching.add(row);
  take_first_of_ties(scores, search, column_of);
  double value = 0.0;
  for (std::size_t r = 0; r < column_of.size(); ++r) {
    if (column_of[r] != kUnmatched) value += scores.at(r, at(column_of[r]));
  }
  return value;
}

}  // namespace gapwise::internal
