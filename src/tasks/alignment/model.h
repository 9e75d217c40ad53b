#pragma once

#include <vector>

#include "io/alphabet.h"
#include "io/model_record.h"
#include "tasks/alignment/input.h"
#include "tasks/alignment/problem.h"

namespace gapwise::internal {

/// An alignment model in terms of its task; `ModelRecord` is its form in a file.
struct AlignmentModel {
  AlignmentPlan plan;
  Alphabet attributes;
  std::vector<double> w;
};

/// Leaves out attributes whose weight is zero, unless all are to be kept.
ModelRecord encode_alignment_model(const AlignmentPlan& plan, const AlignmentCosts& costs,
                                   const Alphabet& attributes, Weights w, Keep keep);

/// Takes the model apart. InputError if it does not fit together.
AlignmentModel decode_alignment_model(ModelRecord model);

}  // namespace gapwise::internal
