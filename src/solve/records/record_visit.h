#pragma once

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

/// What is done with records; owns scratch memory.
class RecordVisit {
 public:
  /// The best and the worst corner of a record at w, given the weights of its corners (0 in lanes
  /// without one). Every h is added up in the same order whatever the vector width.
  CornerPair find(const CornerRecord& record, const double* w, const double* alpha);
  /// w += scale * sum_p amounts[p] psi_p, over all lanes of the record.
  void add_corners(const CornerRecord& record, std::span<const double> amounts, double scale,
                   double* w);

 private:
  /// Of four corners.
  static constexpr std::size_t kSubsets = 16;

  void fill_subset_sums(std::span<const double> amounts);

  std::vector<double> scores_;  ///< of the elements
  std::vector<double> h_;
  std::vector<double> subset_sums_;  ///< of four amounts after the other: a look for each half mask
};

/// w += amount * (psi_s - psi_a).
void add_pair(const CornerRecord& record, int s, int a, double amount, double* w);

}  // namespace gapwise::internal
