#include "infer/matching/matching_ties.h"

#include <algorithm>
#include <cmath>

namespace gapwise::internal {
namespace {

/// Prices differ by rounding from those of a tie.
constexpr double kTieTolerance = 1e-12;

constexpr std::int32_t kStays = -2;  ///< of a row that cannot move

std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

/// A matching is optimal if its links have no slack and whoever is alone has no price. So optimal
/// matchings differ by moves along links without slack: a row takes a column, the row that had it
/// moves on, and so on until a row takes the column that the first one left. A row without a price
/// may also become alone, or take a free column; then somewhere else a column without a price is
/// left free, or a row that was alone takes one: the *exit* of such moves.
class Ties {
 public:
  Ties(const MatchingScores& scores, MatchingSearch& search, std::span<std::int32_t> column_of)
      : scores_(scores), search_(search), column_of_(column_of) {
    double largest = 0.0;
    for (Index k = 0; k < scores.rows * scores.columns; ++k) {
      largest = std::max(largest, std::fabs(scores.weights[k]));
    }
    tolerance_ = kTieTolerance * largest;
  }

  void settle() {
    find_tied_links();
    for (std::int32_t r = 0; r < rows(); ++r) {
      const std::int32_t now = column_of_[at(r)];
      if (now == kUnmatched || !has_earlier_choice(r, now)) continue;
      find_moves(r, now);
      take_first_choice(r, now);
    }
  }

 private:
  std::int32_t rows() const { return static_cast<std::int32_t>(scores_.rows); }
  std::int32_t columns() const { return static_cast<std::int32_t>(scores_.columns); }
  bool may_row_be_alone(std::int32_t r) const { return search_.row_prices[at(r)] <= tolerance_; }
  bool may_column_be_free(std::int32_t c) const {
    return search_.column_prices[at(c)] <= tolerance_;
  }
  bool is_tied(std::int32_t r, std::int32_t c) const {
    return search_.row_prices[at(r)] + search_.column_prices[at(c)] - scores_.at(at(r), at(c)) <=
           tolerance_;
  }
  std::span<const std::int32_t> tied_rows(std::int32_t c) const {
    const std::size_t begin = search_.tied_starts[at(c)];
    return {search_.tied_rows.data() + begin, search_.tied_starts[at(c) + 1] - begin};
  }

  void find_tied_links() {
    search_.tied_rows.clear();
    search_.tied_starts.assign(1, 0);
    for (std::int32_t c = 0; c < columns(); ++c) {
      for (std::int32_t r = 0; r < rows(); ++r) {
        if (is_tied(r, c)) search_.tied_rows.push_back(r);
      }
      search_.tied_starts.push_back(search_.tied_rows.size());
    }
  }

  bool has_earlier_choice(std::int32_t r, std::int32_t now) const {
    if (may_row_be_alone(r)) return true;
    for (std::int32_t c = 0; c < now; ++c) {
      if (is_tied(r, c)) return true;
    }
    return false;
  }

  /// Which of the rows behind r can move, ending at `now`, and where to first. Rows before r keep
  /// what they have.
  void find_moves(std::int32_t r, std::int32_t now) {
    search_.next.assign(column_of_.size(), kStays);
    search_.open.assign(1, now);  // columns that may be taken
    has_exit_ = false;
    for (std::size_t k = 0; k < search_.open.size(); ++k) {
      const std::int32_t c = search_.open[k];
      if (may_column_be_free(c)) open_exit(r, c == now ? kUnmatched : search_.row_of[at(c)], c);
      for (const std::int32_t row : tied_rows(c)) {
        if (row <= r || search_.next[at(row)] != kStays) continue;
        search_.next[at(row)] = c;
        if (column_of_[at(row)] == kUnmatched) {
          open_exit(r, row, kUnmatched);
        } else {
          search_.open.push_back(column_of_[at(row)]);
        }
      }
    }
  }

  /// From now on rows without a price may become alone and free columns may be taken, since then
  /// `row`, if any, can move on from `column`, if any, which may stay free.
  void open_exit(std::int32_t r, std::int32_t row, std::int32_t column) {
    if (has_exit_) return;
    has_exit_ = true;
    exit_row_ = row;
    exit_column_ = column;
    for (std::int32_t other = r + 1; other < rows(); ++other) {
      const bool is_alone = column_of_[at(other)] == kUnmatched;
      if (is_alone || search_.next[at(other)] != kStays || !may_row_be_alone(other)) continue;
      search_.next[at(other)] = kUnmatched;
      search_.open.push_back(column_of_[at(other)]);
    }
    for (std::int32_t c = 0; c < columns(); ++c) {
      if (search_.row_of[at(c)] == kUnmatched) search_.open.push_back(c);
    }
  }

  void take_first_choice(std::int32_t r, std::int32_t now) {
    if (has_exit_ && may_row_be_alone(r)) return move(r, kUnmatched, now);
    for (std::int32_t c = 0; c < now; ++c) {
      if (!is_tied(r, c)) continue;
      const std::int32_t holder = search_.row_of[at(c)];
      const bool is_open = holder == kUnmatched ? has_exit_ : search_.next[at(holder)] != kStays;
      if (is_open) return move(r, c, now);
    }
  }

  /// Row r leaves `now` for `column`, and everybody moves on until `now` is taken or stays free.
  void move(std::int32_t row, std::int32_t column, std::int32_t now) {
    search_.row_of[at(now)] = kUnmatched;
    while (true) {
      std::int32_t displaced = kUnmatched;
      if (column != kUnmatched) std::swap(displaced, search_.row_of[at(column)]);
      column_of_[at(row)] = column;
      if (column != kUnmatched) search_.row_of[at(column)] = row;
      if (column == now) return;
      if (displaced == kUnmatched) {
        displaced = exit_row_;
        if (displaced == kUnmatched) return;
        if (exit_column_ != kUnmatched) search_.row_of[at(exit_column_)] = kUnmatched;
      }
      row = displaced;
      column = search_.next[at(row)];
    }
  }

  const MatchingScores& scores_;
  MatchingSearch& search_;
  std::span<std::int32_t> column_of_;
  double tolerance_ = 0.0;
  bool has_exit_ = false;
  std::int32_t exit_row_ = kUnmatched;
  std::int32_t exit_column_ = kUnmatched;
};

}  // namespace

void take_first_of_ties(const MatchingScores& scores, MatchingSearch& search,
                        std::span<std::int32_t> column_of) {
  Ties(scores, search, column_of).settle();
}

}  // namespace gapwise::internal
