#pragma once

#include "solve/oracle_team.h"
#include "solve/solver.h"

namespace gapwise::internal {

/// Where a regularisation path begins, [OALDL16] section 4.1: every block at an output with the
/// largest loss, which is optimal up to `reach` / lambda for every lambda.
struct PathStart {
  DualMixtures mixtures;
  /// |w~|^2 + mean of theta_i, where w~ = lambda w is what the mixtures add up to and
  /// theta_i = max_y -<w~, psi_i(y)>.
  double reach = 0.0;
  /// Mean over the blocks of the largest loss, the primal at w = 0; at least that if the oracle is
  /// not exact but gives bounds.
  double mean_loss = 0.0;
};

PathStart find_path_start(const Problem& problem, const NonnegativeSet& nonnegative,
                          OracleTeam& team);

}  // namespace gapwise::internal
