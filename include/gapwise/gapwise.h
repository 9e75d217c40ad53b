#pragma once

/// \namespace gapwise
/// Everything a user of gapwise needs; docs/api.md is the guide.

#include "gapwise/argmax_problem.h"  // IWYU pragma: export
#include "gapwise/calibration.h"     // IWYU pragma: export
#include "gapwise/check_oracle.h"    // IWYU pragma: export
#include "gapwise/evaluation.h"      // IWYU pragma: export
#include "gapwise/examples.h"        // IWYU pragma: export
#include "gapwise/fit.h"             // IWYU pragma: export
#include "gapwise/lambda_search.h"   // IWYU pragma: export
#include "gapwise/model.h"           // IWYU pragma: export
#include "gapwise/path.h"            // IWYU pragma: export
#include "gapwise/proof.h"           // IWYU pragma: export
#include "gapwise/ranking.h"         // IWYU pragma: export
#include "gapwise/tasks.h"           // IWYU pragma: export
#include "gapwise/train.h"           // IWYU pragma: export
