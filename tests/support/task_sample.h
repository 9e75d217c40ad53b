#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/files.h"
#include "support/scratch_folder.h"
#include "tasks/task.h"

namespace gapwise::internal::testing {

/// A random sample of a task, as text.
inline std::string sample_text(std::string_view task, Index examples, std::uint64_t seed) {
  Rng rng(seed);
  return make_task_driver(task)->sample(examples, rng);
}

/// Data of a task in a file, read as a user's file would be.
struct TaskSample {
  TaskSample(std::string_view name, const std::string& text)
      : task(name), path(folder.path("sample")), driver(make_task_driver(name)) {
    write_file(path, text);
    training = driver->read_training({path, "", ""}, Threads(1));
  }
  explicit TaskSample(std::string_view name, Index examples = 8, std::uint64_t seed = 1)
      : TaskSample(name, sample_text(name, examples, seed)) {}
  const Problem& problem() const { return training->problem(); }

  ScratchFolder folder;
  std::string task;
  std::string path;
  std::unique_ptr<TaskDriver> driver;
  std::unique_ptr<TrainingSet> training;
};

}  // namespace gapwise::internal::testing
