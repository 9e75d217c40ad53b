#pragma once

#include <string>
#include <vector>

#include "io/model_record.h"
#include "tasks/shared/factor_graphs/problem.h"
#include "tasks/shared/relaxed_problem.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// What wrong states cost and what training looked for; kept in the model.
struct FactorGraphSettings {
  std::string format;
  FactorGraphLoss loss = FactorGraphLoss::kHamming;
  Inference inference = Inference::kExact;
};

/// A model of factor graphs in terms of its task; `ModelRecord` is its form in a file.
struct FactorGraphModel {
  FactorGraphSettings settings;
  GraphVocabulary names;
  std::vector<double> w;
};

/// InputError that starts with `source` if there would be too many weights.
void check_dimension(const GraphWeightLayout& layout, const std::string& source);

/// Leaves out attributes whose weights are all zero, which score like unknown ones, unless all are
/// to be kept.
ModelRecord encode_factor_graph_model(const FactorGraphSettings& settings,
                                      const GraphVocabulary& names, Weights w, Keep keep);

/// Takes the model apart. InputError if it does not fit together.
FactorGraphModel decode_factor_graph_model(ModelRecord model);

}  // namespace gapwise::internal
