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

/// Takes them apart again and leaves the weights of the rest in the model; nothing if the model has
/// no kernel. InputError if they do not fit together.
std::optional<SupportScorer> decode_support(ModelFields& parts, std::size_t attributes,
                                            std::size_t labels);

}  // namespace gapwise::internal
