#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solve/records/corner_record.h"

namespace gapwise::internal {

/// The pair of a visit: the corner with the largest h and, among those with weight, the one with
/// the least. The first of equal ones.
struct CornerPair {
  int best = 0;
  int worst = 0;
  double difference = 0.0;  ///< of their h, >= 0
};

/// A visit that is to be made: the record of a block, and what changes with it.
struct RecordCall {
  std::uint64_t* record = nullptr;
  double* alpha = nullptr;       ///< of its corners, 0 in lanes without one
  std::uint8_t* used = nullptr;  ///< by corner: set to 1 where it was of use
};

/// Amounts of corners are looked up by half a mask byte: sums of all subsets of four of them.
inline constexpr std::size_t kSubsets = 16;

/// What visits did to the dual point besides w.
struct VisitSum {
  double ell = 0.0;
  double gain = 0.0;
  std::uint64_t elements = 0;  ///< looked at
};

/// What is done with records; owns scratch memory. Every number is added up in the same order
/// whatever the vector width.
class RecordVisit {
 public:
  /// Records work on so many weights and have at most so many elements and lanes.
  void make_room(std::size_t weights, std::size_t elements, std::size_t lanes);

  /// The best and the worst corner of a record at w.
  CornerPair find(const CornerRecord& record, const double* w, const double* alpha);
  /// |psi_s - psi_a|^2, from the record; `w` may be anything.
  double distance(const CornerRecord& record, int s, int a);
  /// A pairwise step of each block, one after the other, at n blocks and scale = 1 / (lambda n):
  /// w follows, and pairwise gaps before the steps go to `gaps`.
  VisitSum visit(std::span<const RecordCall> calls, double n, double scale, double* w,
                 std::span<double> gaps);
  /// w += scale * sum_p amounts[p] psi_p, over all lanes of the record. The amounts add up to 0.
  void add_corners(const CornerRecord& record, std::span<const double> amounts, double scale,
                   double* w);

 private:
  std::vector<double> scores_;   ///< of the elements
  std::vector<double> h_;        ///< of the corners
  std::vector<double> zeros_;    ///< as long as w, to add up a difference in
  std::vector<double> subsets_;  ///< sums of amounts
};

}  // namespace gapwise::internal
