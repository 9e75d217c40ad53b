#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/model_record.h"
#include "tasks/sequence/builder.h"
#include "tasks/sequence/problem.h"
#include "tasks/shared/kernel_model.h"

namespace gapwise::internal {

inline constexpr Index kWidestBeam = 1'000'000;

/// How sequences were read and what their labels cost; kept in the model.
struct SequenceSettings {
  std::string format;
  std::vector<std::string> template_lines;  ///< format conll only
  int num_columns = 0;                      ///< format conll only; the label included
  int hash_bits = 0;                        ///< 0: a dictionary of attributes
  Index min_count = 1;
  SequenceLoss loss = SequenceLoss::kNormalizedHamming;
  SequenceVariant variant;
  std::string rule = {};           ///< that the constraints were made of; empty: none
  int longest_segment = 0;         ///< 0: labellings are not cut into segments
  bool dictionary = false;         ///< tokens list the labels that they may have
  std::string label_weights = {};  ///< the rule that they are made of; empty: none
  std::string unknown_label = {};  ///< of training data; kNoUnknownLabel: none
};

/// A chain model in terms of its task; `ModelRecord` is its form in a file.
struct SequenceModel {
  SequenceSettings settings;
  SequenceAlphabets alphabets;
  ChainLayout layout;  ///< without node attributes if there is a kernel
  std::vector<double> w;
  std::optional<SupportScorer> kernel;  ///< between tokens, in the place of node weights
};

/// Layout of the weights for these alphabets. InputError that starts with `source` if there would
/// be too many.
ChainLayout chain_layout(const SequenceAlphabets& alphabets, const SequenceVariant& variant,
                         const std::string& source);

/// Leaves out attributes whose weights are all zero, which score like unknown ones, unless all are
/// to be kept.
ModelRecord encode_sequence_model(const SequenceSettings& settings,
                                  const SequenceAlphabets& alphabets, const ChainLayout& layout,
                                  Weights w, Keep keep);

/// Kernel models keep all node attributes: each counts in the distance between two tokens.
ModelRecord encode_sequence_kernel_model(const SequenceSettings& settings,
                                         const SequenceAlphabets& alphabets, ChainLayout layout,
                                         const KernelExpansion& expansion,
                                         const FeatureRows& inputs, Keep keep);

/// Takes the model apart. InputError if it does not fit together.
SequenceModel decode_sequence_model(ModelRecord model);

}  // namespace gapwise::internal
