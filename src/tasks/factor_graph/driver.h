#pragma once

#include <memory>
#include <string>

#include "core/random.h"
#include "tasks/factor_graph/model.h"
#include "tasks/task.h"

namespace gapwise::internal {

// What the driver is made of.

std::unique_ptr<TrainingSet> make_factor_graph_training_set(const DataSource& source,
                                                            FactorGraphSettings settings);

std::unique_ptr<Predictor> make_factor_graph_predictor(FactorGraphModel model);

/// Rings of friends who each like one of three sports, with a guess of which; friends mostly like
/// the same, and three that meet play together if all like the same.
std::string sample_factor_graphs(Index examples, Rng& rng);

}  // namespace gapwise::internal
