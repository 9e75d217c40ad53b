#include "gapwise/core/problem.h"

#include "gapwise/core/sums.h"

namespace gapwise {

double Oracle::squared_length(Weights w) const {
  return dot(w, w);
}

std::vector<WeightGroup> Problem::weight_groups() const {
  return {{"all", 0, dimension()}};
}

}  // namespace gapwise
