#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tasks/task.h"

namespace gapwise::internal {

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

}  // namespace gapwise::internal
