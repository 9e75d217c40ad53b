#pragma once

#include <optional>
#include <string>

#include "gapwise/model.h"
#include "gapwise/option_table.h"

namespace gapwise::internal::cli {

/// A model file, or a path and the lambda at which to take it.
struct ModelChoice {
  std::string model;
  std::string path;
  std::optional<double> lambda;

  OptionTable rows();
  /// Reads the model; of a path it is told on standard error what is guaranteed at this lambda.
  Model load() const;
  /// The file, and the option that names it.
  const std::string& file() const { return path.empty() ? model : path; }
  const char* option_name() const { return path.empty() ? "model" : "path"; }
};

/// The options that `predict` and `evaluate` share: a model, and data to use it on.
struct ModelInput {
  ModelChoice model;
  DataSource source;
  ThreadCount threads;

  OptionTable rows();
};

/// The option for the number of threads.
Option threads_row(ThreadCount& threads);

}  // namespace gapwise::internal::cli
