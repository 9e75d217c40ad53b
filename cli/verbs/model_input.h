#pragma once

#include <memory>
#include <optional>
#include <string>

#include "gapwise/option_table.h"
#include "tasks/task.h"

namespace gapwise::internal::cli {

/// The options that `predict` and `evaluate` share: a model, and data to use it on.
struct ModelInput {
  std::string model;
  DataSource source;
  std::optional<Index> threads;

  OptionTable rows();
  std::unique_ptr<Predictor> open() const;
};

/// As many as asked for, or as the machine has cores.
std::unique_ptr<Threads> make_threads(const std::optional<Index>& count);

}  // namespace gapwise::internal::cli
