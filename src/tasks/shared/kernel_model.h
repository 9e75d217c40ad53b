#pragma once

#include <optional>
#include <vector>

#include "gapwise/kernel.h"
#include "tasks/shared/feature_rows.h"
#include "tasks/shared/model_fields.h"
#include "tasks/shared/support_scorer.h"

namespace gapwise::internal {

/// Adds the kernel, the rows of `inputs` that support it and their coefficients to a model whose
/// weights so far are those of the rest.
void encode_support(const KernelExpansion& expansion, const FeatureRows& inputs,
                    ModelRecord& model);

bool is_kernel_model(const ModelRecord& model);

/// Takes them apart again and leaves the weights of the rest, `rest` many, in the model. InputError
/// if they do not fit together.
SupportScorer decode_support(ModelFields& parts, Index rest, std::size_t attributes,
                             std::size_t labels);

}  // namespace gapwise::internal
