#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gapwise/types.h"

namespace gapwise {

/// Which weights the scores of some parts of a block are made of. Parts that share input features,
/// as the labels of a token do, stand in one row:
///   begin_row();  add_feature(offset, value) for each;  add_part(k, base, factor) for each
/// adds factor * sum_f value_f * w[base + offset_f] to the score of part k. A part may stand in
/// several rows, whose sums add up.
class PartRows {
 public:
  /// One of the features of a row.
  struct Feature {
    Index offset;  ///< from the base of a part to the weight
    double value;  ///< of the feature
  };
  /// A part that stands in a row.
  struct Member {
    std::size_t part;  ///< its place in the list of parts that was asked about
    Index base;        ///< added to all offsets
    double factor;     ///< of the whole sum
  };

  void clear() {  ///< back to no rows
    rows_.clear();
    features_.clear();
    members_.clear();
  }
  void begin_row() { rows_.push_back({features_.size(), members_.size()}); }  ///< an empty one
  /// To the row that began last.
  void add_feature(Index offset, double value = 1.0) { features_.push_back({offset, value}); }
  /// To the row that began last, likewise.
  void add_part(std::size_t part, Index base = 0, double factor = 1.0) {
    members_.push_back({part, base, factor});
  }
  /// A row of one part and one weight: adds factor * w[at] to its score.
  void add_weight(std::size_t part, Index at, double factor = 1.0) {
    begin_row();
    add_feature(at);
    add_part(part, 0, factor);
  }

  /// Makes all scores so many times as large.
  void scale(double factor) {
    for (Member& member : members_) member.factor *= factor;
  }

  std::size_t size() const { return rows_.size(); }  ///< how many rows
  /// Of one row, in the order in which they were added.
  std::span<const Feature> features(std::size_t row) const {
    const std::size_t end = row + 1 < size() ? rows_[row + 1].feature : features_.size();
    return {features_.data() + rows_[row].feature, end - rows_[row].feature};
  }
  /// Likewise.
  std::span<const Member> members(std::size_t row) const {
    const std::size_t end = row + 1 < size() ? rows_[row + 1].member : members_.size();
    return {members_.data() + rows_[row].member, end - rows_[row].member};
  }

 private:
  struct Begin {
    std::size_t feature;
    std::size_t member;
  };
  std::vector<Begin> rows_;
  std::vector<Feature> features_;
  std::vector<Member> members_;
};

}  // namespace gapwise
