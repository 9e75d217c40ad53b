#pragma once

#include "solve/factorwise/beliefs.h"

namespace gapwise::internal {

/// Where a factorwise run stands: all that the certificate of the relaxed problem looks at. Beliefs
/// were just rebuilt.
struct Standpoint {
  const Beliefs& beliefs;
  Weights w;
  double price = 0.0;      ///< 1 / rho: messages are multipliers + price * residuals
  double penalty = 0.0;    ///< what the soft coupling costs
  double smoothing = 0.0;  ///< sigma of maxima that are soft; 0: they are not
};

}  // namespace gapwise::internal
