#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/alphabet.h"
#include "io/model_record.h"
#include "tasks/shared/feature_numbers.h"
#include "tasks/shared/kernel_model.h"

namespace gapwise::internal {

/// A multiclass model in terms of its task; `ModelRecord` is its form in a file.
struct MulticlassModel {
  std::string loss;
  Alphabet classes;
  FeatureNumbers features;
  std::vector<double> w;
  std::optional<SupportScorer> kernel;  ///< takes the place of the weights
};

/// InputError that starts with `source` if there would be too many weights.
Index multiclass_dimension(std::size_t features, std::size_t classes, const std::string& source);

/// Leaves out features whose weights are all zero, which score like unknown ones, unless all are to
/// be kept.
ModelRecord encode_multiclass_model(const std::string& loss, const Alphabet& classes,
                                    const FeatureNumbers& features, Weights w, Keep keep);

/// Kernel models keep all features: each counts in the distance between two inputs.
ModelRecord encode_multiclass_kernel_model(const std::string& loss, const Alphabet& classes,
                                           const FeatureNumbers& features,
                                           const KernelExpansion& expansion,
                                           const FeatureRows& inputs);

/// Takes the model apart. InputError if it does not fit together.
MulticlassModel decode_multiclass_model(ModelRecord model);

}  // namespace gapwise::internal
