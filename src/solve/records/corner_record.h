#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gapwise/problem.h"
#include "solve/frank_wolfe/corner_set.h"
#include "solve/records/weight_index.h"

namespace gapwise::internal {

/// Corners are handled in groups of so many, a bit of a mask byte each.
inline constexpr std::size_t kLanes = 8;

/// All that a visit without the oracle needs to know of a block, next to each other in memory: the
/// remembered corners of a CornerSet in terms of w. Corner p has
///   h_p = loss_p - sum_e [p in mask_e] factor_e * (sum_f value_f w[base_e + offset_f])
/// where an *element* e is a part together with one of the values that corners have of it. An
/// element that all corners have makes no difference between them, and is left out. Elements of
/// parts that share features, as the labels of a token do, follow each other and share offsets and
/// values. Most elements of a chain are transitions: the last ones are *singles*, which have one
/// weight, w[base_e], and no list. Masks say for 8 corners per byte who has the element, so that a
/// visit has no loop over corners (record_visit.h).
///
/// The bytes, from a multiple of 8 on:
///   Head
///   f64 loss[lanes]           corners rounded up to kLanes; -infinity where there is no corner
///   f64 distance[pairs]       |psi_p - psi_q|^2 for q < p, row after row; NaN: not asked for yet
///   f64 factor[elements]
///   f64 value[values]         only if some feature has another one than 1
///   u32 base[elements]
///   List list[lists]          where the weights of an element are, of all but the singles
///   u32 offset[offsets]
///   u8 mask[elements][lanes / 8]
class CornerRecord {
 public:
  struct List {
    std::uint32_t first;  ///< of offset[]
    std::uint32_t count;
    std::uint32_t value;  ///< of value[], the first
  };

  explicit CornerRecord(std::uint64_t* words)
      : words_(words), head_(*reinterpret_cast<const Head*>(words)) {}

  /// Of the record that begins at `words`, 8 bytes each.
  static std::size_t words_at(const std::uint64_t* words) {
    return reinterpret_cast<const Head*>(words)->words;
  }
  std::uint64_t* begin() const { return words_; }
  std::size_t words() const { return head_.words; }
  int corners() const { return static_cast<int>(head_.corners); }
  std::size_t lanes() const { return (head_.corners + kLanes - 1) / kLanes * kLanes; }
  std::size_t elements() const { return head_.elements; }
  bool has_values() const { return head_.values != 0; }

  const double* losses() const { return doubles(0); }
  double* distances() { return doubles(lanes()); }
  static std::size_t pair(int p, int q) {
    const auto row = static_cast<std::size_t>(p > q ? p : q);
    return row * (row - 1) / 2 + static_cast<std::size_t>(p > q ? q : p);
  }
  const double* factors() const { return doubles(lanes() + num_pairs()); }
  const double* values() const { return factors() + elements(); }
  const std::uint32_t* bases() const {
    return reinterpret_cast<const std::uint32_t*>(values() + head_.values);
  }
  const List* lists() const { return reinterpret_cast<const List*>(bases() + elements()); }
  std::size_t num_lists() const { return head_.lists; }
  const std::uint32_t* offsets() const {
    return reinterpret_cast<const std::uint32_t*>(lists() + head_.lists);
  }
  const std::uint8_t* masks() const {
    return reinterpret_cast<const std::uint8_t*>(offsets() + head_.offsets);
  }

 private:
  friend class RecordPacker;
  struct Head {
    std::uint32_t words;  ///< of the whole record, 8 bytes each
    std::uint32_t corners;
    std::uint32_t elements;
    std::uint32_t lists;
    std::uint32_t offsets;
    std::uint32_t values;
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

/// What visits of records count as, in scores of single parts as the cost of the max oracle is;
/// rough.
inline double visit_cost(double visits, double elements) {
  constexpr double kPerVisit = 1.0;
  constexpr double kPerElement = 0.5;
  return kPerVisit * visits + kPerElement * elements;
}

/// Writes records; owns scratch memory.
class RecordPacker {
 public:
  /// The record of block i, with its weights as `index` numbers them; nothing if the oracle cannot
  /// describe its parts. Valid until the next call.
  std::span<const std::uint64_t> pack(Oracle& oracle, Index i, const CornerSet& corners,
                                      WeightIndex& index);

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
  void drop_common_uses(int corners, std::size_t mask_bytes);
  /// visit(use, factor) for the elements of a part.
  template <class Visit>
  void for_each_use(const PartRows::Member& member, Visit visit) const;
  void add_row(std::size_t row, WeightIndex& index);
  void write(const CornerSet& corners, std::size_t mask_bytes);

  PartRows parts_;
  std::vector<Use> uses_;
  std::vector<std::uint8_t> masks_;       ///< of uses_: who has it
  std::vector<std::uint32_t> first_use_;  ///< of each part
  std::vector<Element> elements_;         ///< with lists
  std::vector<CornerRecord::List> lists_;
  std::vector<Element> singles_;
  std::vector<std::uint32_t> offsets_;
  std::vector<double> values_;
  bool has_values_ = false;
  std::vector<std::uint64_t> words_;
};

}  // namespace gapwise::internal
