#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/alphabet.h"
#include "io/model_record.h"
#include "tasks/multilabel/problem.h"
#include "tasks/shared/feature_numbers.h"
#include "tasks/shared/kernel_model.h"
#include "tasks/shared/relaxed_problem.h"

namespace gapwise::internal {

/// Scoring all pairs of more labels than this is hopeless.
inline constexpr std::size_t kMostCoupledLabels = 1000;

/// How examples were read and what wrong labels cost; kept in the model.
struct MultilabelSettings {
  std::string format;
  Couplings couplings = Couplings::kBias;
  MultilabelLoss loss = MultilabelLoss::kHamming;
  Inference inference = Inference::kExact;  ///< in training
  std::string label_weights = {};           ///< a rule; empty: all weigh the same
  std::string constraints_file = {};        ///< empty: none
  std::shared_ptr<const SetConstraints> constraints = {};
};

/// What is learned of: labels and features. Features have names in format arff only.
struct MultilabelNames {
  Alphabet labels;
  FeatureNumbers features;
  std::vector<std::string> feature_names;  ///< of `features.indices`, or empty

  std::string feature(std::size_t attribute) const {
    return attribute < feature_names.size() ? feature_names[attribute] : features.name(attribute);
  }
};

/// A model that finds sets of labels in terms of its task; `ModelRecord` is its form in a file.
struct MultilabelModel {
  MultilabelSettings settings;
  MultilabelNames names;
  MultilabelLayout layout;  ///< without attributes if there is a kernel
  std::vector<double> w;
  std::optional<SupportScorer> kernel;  ///< takes the place of the weights of features
};

/// Layout of the weights. InputError that starts with `source` if there would be too many.
MultilabelLayout multilabel_layout(const MultilabelNames& names, Couplings couplings,
                                   const std::string& source);

/// Leaves out features whose weights are all zero, which score like unknown ones, unless all are to
/// be kept.
ModelRecord encode_multilabel_model(const MultilabelSettings& settings,
                                    const MultilabelNames& names, Weights w, Keep keep);

/// Kernel models keep all features: each counts in the distance between two inputs.
ModelRecord encode_multilabel_kernel_model(const MultilabelSettings& settings,
                                           const MultilabelNames& names,
                                           const KernelExpansion& expansion,
                                           const FeatureRows& inputs);

/// Takes the model apart. InputError if it does not fit together.
MultilabelModel decode_multilabel_model(ModelRecord model);

}  // namespace gapwise::internal
