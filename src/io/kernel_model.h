#pragma once

#include <optional>
#include <vector>

#include "gapwise/core/kernel.h"
#include "gapwise/tasks/feature_rows.h"
#include "gapwise/tasks/support_scorer.h"
#include "io/model_parts.h"

namespace gapwise {

/// Adds the kernel, the rows of `inputs` that support it and their coefficients to a model whose
/// weights so far are those of the rest.
void encode_support(const KernelExpansion& expansion, const FeatureRows& inputs, Model& model);

bool is_kernel_model(const Model& model);

/// Takes them apart again and leaves the weights of the rest, `rest` many, in the model. InputError
/// if they do not fit together.
SupportScorer decode_support(ModelParts& parts, Index rest, std::size_t attributes,
                             std::size_t labels);

}  // namespace gapwise
