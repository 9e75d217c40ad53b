#pragma once

#include <string>

#include "gapwise/model.h"
#include "gapwise/option_table.h"

namespace gapwise::internal::cli {

/// The options that `predict` and `evaluate` share: a model, and data to use it on.
struct ModelInput {
  std::string model;
  DataSource source;
  ThreadCount threads;

  OptionTable rows();
};

/// The option for the number of threads.
Option threads_row(ThreadCount& threads);

}  // namespace gapwise::internal::cli
