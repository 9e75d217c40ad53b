#pragma once

#include "solve/oracle_team.h"

namespace gapwise::internal {

/// A last look at the oracle behind a certificate of w: some examples are asked about at w and at a
/// few other weights, and none of the answers may beat another one at its own weights; OracleError
/// if one does (docs/design/oracle.md). The calls, about one for each fifty of `calls` and forty at
/// the least, are not counted.
void spot_check(OracleTeam& team, Index n, Weights w, Index calls);

}  // namespace gapwise::internal
