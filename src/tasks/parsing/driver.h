#pragma once

#include <memory>
#include <string>

#include "tasks/parsing/model.h"
#include "tasks/task.h"

// What the driver is made of.

namespace gapwise::internal {

/// The sentences of `source` as a training set; `settings.format` is found out.
std::unique_ptr<TrainingSet> make_parsing_training_set(const DataSource& source,
                                                       ParsingSettings settings);

std::unique_ptr<Predictor> make_parsing_predictor(ParsingModel model);

/// Random sentences of a small grammar in format conllu. Where phrases attach is partly told by
/// words and partly up to chance, so that there is something to learn and something to miss.
std::string make_parsing_sample(Index sentences, Rng& rng);

}  // namespace gapwise::internal
