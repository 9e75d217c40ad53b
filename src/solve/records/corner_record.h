#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gapwise/problem.h"
#include "solve/frank_wolfe/corner_set.h"

namespace gapwise::internal {

/// Corners are handled in groups of so many, a bit of a mask byte each.
inline constexpr std::size_t kLanes = 8;

/// All that a visit without the oracle needs to know of a block, next to each other in memory: the
/// remembered corners of a CornerSet in terms of w. Corner p has
///   h_p = loss_p - sum_e [p in mask_e] factor_e * (sum_f value_f w[base_e + offset_f])
/// where an *element* e is a part together with one of the values that corners have of it. Elements
/// of parts that share features, as the labels of a token do, stand in one *row* and share its
/// offsets (PartRows). Most elements of a chain are transitions: the last ones are *singles*, which
/// have one weight, w[base_e], and no row. Masks say for 8 corners per byte who has the element, so
/// that a visit has no loop over corners (record_visit.h).
///
/// The bytes, from a multiple of 8 on:
///   Head
///   f64 loss[lanes]           corners rounded up to kLanes; -infinity where there is no corner
///   f64 distance[pairs]       |psi_p - psi_q|^2 for q < p, row after row; NaN: not asked for yet
///   f64 factor[elements]
///   f64 value[offsets]        only if some feature has another one than 1
///   u32 base[elements]
///   Row row[rows]             elements and features of each row, in order
///   u32 offset[offsets]
///   u8 mask[elements][lanes / 8]
class CornerRecord {
 public:
  struct Row {
    std::uint32_t elements;
    std::uint32_t features;
  };

  explicit CornerRecord(std::uint64_t* words)
      : words_(words), head_(*reinterpret_cast<const Head*>(words)) {}

  /// Of the record that begins at `words`, 8 bytes each.
  static std::size_t words_at(const std::uint64_t* words) {
    return reinterpret_cast<const Head*>(words)->words;
  }
  std::size_t words() const { return head_.words; }
  int corners() const { return static_cast<int>(head_.corners); }
  std::size_t lanes() const { return (head_.corners + kLanes - 1) / kLanes * kLanes; }
  std::size_t elements() const { return head_.elements; }
  bool has_values() const { return head_.has_values != 0; }

  const double* losses() const { return doubles(0); }
  double* distances() { return doubles(lanes()); }
  static std::size_t pair(int p, int q) {
    const auto row = static_cast<std::size_t>(p > q ? p : q);
    return row * (row - 1) / 2 + static_cast<std::size_t>(p > q ? q : p);
  }
  const double* factors() const { return doubles(lanes() + num_pairs()); }
  const double* values() const { return factors() + elements(); }
  const std::uint32_t* bases() const {
    return reinterpret_cast<const std::uint32_t*>(values() + (has_values() ? head_.offsets : 0));
  }
  std::span<const Row> rows() const {
    return {reinterpret_cast<const Row*>(bases() + elements()), head_.rows};
  }
  const std::uint32_t* offsets() const {
    return bases() + elements() + head_.rows * (sizeof(Row) / sizeof(std::uint32_t));
  }
  const std::uint8_t* masks() const {
    return reinterpret_cast<const std::uint8_t*>(offsets() + head_.offsets);
  }

  /// What a visit counts as, in scores of single parts.
  double cost() const;

 private:
  friend class RecordPacker;
  struct Head {
    std::uint32_t words;  ///< of the whole record, 8 bytes each
    std::uint32_t corners;
    std::uint32_t rows;
    std::uint32_t elements;
    std::uint32_t offsets;
    std::uint32_t has_values;
  };
  static constexpr std::size_t kHeadWords = sizeof(Head) / sizeof(std::uint64_t);

  std::size_t num_pairs() const {
    return static_cast<std::size_t>(head_.corners) * (head_.corners - 1) / 2;
  }
  double* doubles(std::size_t at) const {
    return reinterpret_cast<double*>(words_ + kHeadWords + at);
  }

  std::uint64_t* words_;
  const Head& head_;
};

/// Writes records; owns scratch memory.
class RecordPacker {
 public:
  /// The record of block i; nothing if the oracle cannot describe its parts. Valid until the next
  /// call.
  std::span<const std::uint64_t> pack(Oracle& oracle, Index i, const CornerSet& corners);

 private:
  struct Element {
    double factor;
    std::uint32_t base;
    std::uint32_t use;  ///< which of uses_ it stands for
  };
  /// A value that corners have of a part, and where the next one of the same part stands.
  struct Use {
    double value;
    std::uint32_t next;
  };
  static constexpr std::uint32_t kNoUse = ~std::uint32_t{0};

  void find_uses(const CornerSet& corners, std::size_t mask_bytes);
  /// Which of uses_ it is that corners have this value of a part.
  std::uint32_t use_of(std::size_t part, double value);
  bool add_row(std::size_t row);
  bool add_single(Index at, double factor, std::size_t part);
  void write(const CornerSet& corners, std::size_t mask_bytes);

  PartRows parts_;
  std::vector<Use> uses_;
  std::vector<std::uint8_t> masks_;       ///< of uses_: who has it
  std::vector<std::uint32_t> first_use_;  ///< of each part
  std::vector<CornerRecord::Row> rows_;
  std::vector<Element> elements_;  ///< in rows
  std::vector<Element> singles_;
  std::vector<std::uint32_t> offsets_;
  std::vector<double> values_;
  bool has_values_ = false;
  std::vector<std::uint64_t> words_;
};

}  // namespace gapwise::internal
