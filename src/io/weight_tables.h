#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gapwise/io/task_driver.h"
#include "io/sequence_model.h"

namespace gapwise {

/// The weights w[begin + k * stride], k < size.
struct WeightRun {
  Weights w;
  Index begin;
  Index stride;
  Index size;
};

/// The `count` largest positive and the `count` largest negative weights of a run, largest first.
WeightTable weight_table(std::string title, const WeightRun& run, std::size_t count,
                         const std::function<std::string(Index)>& name_of_entry);

/// The strongest weights of a chain model: for each label the `count` largest positive and the
/// `count` largest negative ones of its attributes, largest first; then those of transitions,
/// starts, ends and edge attributes.
std::vector<WeightTable> sequence_weight_tables(const SequenceModel& model, std::size_t count);

}  // namespace gapwise
