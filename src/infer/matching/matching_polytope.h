#pragma once

#include <span>
#include <vector>

#include "gapwise/types.h"

namespace gapwise::internal {

/// Room for a projection, kept from call to call. Also holds the prices it ended with, from which
/// the next call of the same shape may start.
struct MatchingProjection {
  std::vector<double> row_prices;     ///< at least 0; positive only where the row adds up to 1
  std::vector<double> column_prices;  ///< the same for columns
  Index sweeps = 0;                   ///< how often all rows and columns were visited

  std::vector<double> sorted;  ///< scratch
};

enum class ProjectionStart { kCold, kWarm };

/// The Euclidean projection of a matrix onto the matching polytope
///   { z >= 0, every row adds up to at most 1, every column adds up to at most 1 },
/// in place: z[r * columns + c]. Dykstra's algorithm in its dual form: the projection is
/// max(0, z - row price - column price), and rows and columns take turns in setting their prices
/// exactly, with a Newton step on all prices in between. Ends when no row, column or price is off
/// by more than 1e-12 (the matrix then is by less than 1e-10), or after a million sweeps. `kWarm`
/// starts from the prices left by the last call, which changes nothing but the time taken.
void project_onto_matchings(std::span<double> z, Index rows, Index columns, ProjectionStart start,
                            MatchingProjection& projection);

}  // namespace gapwise::internal
