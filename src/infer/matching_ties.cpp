#include "infer/matching_ties.h"

#include <algorithm>
#include <cmath>

namespace gapwise {
namespace {

/// Prices differ by rounding from those of a tie.
constexpr double kTieTolerance = 1e-12;

/// Equally good matchings differ by cycles of links without slack. To make that true of rows and
/// columns that stay alone as well, each row r gets a column of its own, columns + r, and each
/// column c a row of its own, rows + c; these are linked to their owners, if the owner has no
/// price, and all with each other. Everybody then has a partner in every optimal matching.
class Ties {
 public:
  Ties(const MatchingScores& scores, MatchingSearch& search, std::span<std::int32_t> column_of)
      : scores_(scores),
        rows_(static_cast<std::int32_t>(scores.rows)),
        columns_(static_cast<std::int32_t>(scores.columns)),
        search_(search),
        column_of_(column_of) {
    double largest = 0.0;
    for (Index k = 0; k < scores.rows * scores.columns; ++k) {
      largest = std::max(largest, std::fabs(scores.weights[k]));
    }
    tolerance_ = kTieTolerance * largest;
  }

  void settle() {
    bool is_ready = false;
    for (std::int32_t r = 0; r < rows_; ++r) {
      const std::int32_t now = column_of_[index(r)];
      if (now == kUnmatched || !has_earlier_choice(r, now)) continue;
      if (!is_ready) find_holders();
      is_ready = true;
      improve(r, now);
    }
  }

 private:
  static std::size_t index(std::int32_t k) { return static_cast<std::size_t>(k); }

  bool is_tied(std::int32_t r, std::int32_t c) const {
    if (r >= rows_ && c >= columns_) return true;
    if (r >= rows_) return r - rows_ == c && search_.column_prices[index(c)] <= tolerance_;
    if (c >= columns_) return c - columns_ == r && search_.row_prices[index(r)] <= tolerance_;
    return search_.row_prices[index(r)] + search_.column_prices[index(c)] -
               scores_.at(index(r), index(c)) <=
           tolerance_;
  }

  bool has_earlier_choice(std::int32_t r, std::int32_t now) const {
    if (is_tied(r, columns_ + r)) return true;
    for (std::int32_t c = 0; c < now; ++c) {
      if (is_tied(r, c)) return true;
    }
    return false;
  }

  /// Who holds each column, the added ones too.
  void find_holders() {
    std::vector<std::int32_t>& holder = search_.holder;
    holder.assign(index(rows_ + columns_), 0);
    for (std::int32_t c = 0; c < columns_; ++c) holder[index(c)] = rows_ + c;
    for (std::int32_t r = 0; r < rows_; ++r) {
      const std::int32_t c = column_of_[index(r)];
      holder[index(columns_ + r)] = c == kUnmatched ? r : rows_ + c;
      if (c != kUnmatched) holder[index(c)] = r;
    }
  }

  /// Gives row r, at column `now`, its first choice for which everybody after it still finds a
  /// partner: the holder of that column must reach `now` along links without slack. Rows before r
  /// keep what they have.
  void improve(std::int32_t r, std::int32_t now) {
    std::vector<std::int32_t>& holder = search_.holder;
    std::vector<std::int32_t>& next_column =
        search_.next_column;  // of each row on its way to `now`
    next_column.assign(index(rows_ + columns_), kUnmatched);
    std::vector<std::int32_t>& reached = search_.reached;  // columns whose holder may leave
    reached.assign(1, now);
    for (std::size_t k = 0; k < reached.size(); ++k) {
      const std::int32_t column = reached[k];
      for (std::int32_t c = 0; c < rows_ + columns_; ++c) {
        const std::int32_t row = holder[index(c)];
        if (row <= r || next_column[index(row)] != kUnmatched || !is_tied(row, column)) continue;
        next_column[index(row)] = column;
        reached.push_back(c);
      }
    }
    const auto can_take = [&](std::int32_t c) {
      return is_tied(r, c) && next_column[index(holder[index(c)])] != kUnmatched;
    };
    if (can_take(columns_ + r)) return pass_on(r, columns_ + r, now);
    for (std::int32_t c = 0; c < now; ++c) {
      if (can_take(c)) return pass_on(r, c, now);
    }
  }

  /// Row r takes `column`, the row that had it goes on to its next one, until one takes `last`.
  void pass_on(std::int32_t r, std::int32_t column, std::int32_t last) {
    std::int32_t row = r;
    while (true) {
      const std::int32_t displaced = search_.holder[index(column)];
      search_.holder[index(column)] = row;
      if (row < rows_) column_of_[index(row)] = column < columns_ ? column : kUnmatched;
      if (column == last) return;
      row = displaced;
      column = search_.next_column[index(row)];
    }
  }

  const MatchingScores& scores_;
  std::int32_t rows_;
  std::int32_t columns_;
  MatchingSearch& search_;
  std::span<std::int32_t> column_of_;
  double tolerance_ = 0.0;
};

}  // namespace

void take_first_of_ties(const MatchingScores& scores, MatchingSearch& search,
                        std::span<std::int32_t> column_of) {
  Ties(scores, search, column_of).settle();
}

}  // namespace gapwise
