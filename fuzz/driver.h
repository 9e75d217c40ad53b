#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "gapwise/errors.h"
#include "tasks/partly_known.h"
#include "tasks/task.h"

namespace gapwise::internal::fuzz {

/// A file that lives in memory.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : file_(::memfd_create("fuzz", 0)) {
    const ssize_t written = file_ < 0 ? -1 : ::write(file_, bytes.data(), bytes.size());
    if (written != static_cast<ssize_t>(bytes.size())) std::abort();
  }
  ~MemoryFile() { ::close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

inline void check(bool holds) {
  if (!holds) std::abort();
}

/// How bytes are read: the task, its format, and perhaps an option of the task with its value.
struct Reading {
  std::string_view task;
  std::string format;
  std::string_view option = {};
  std::string value = {};
};

inline std::vector<double> ones(const TrainingSet& examples) {
  return std::vector<double>(static_cast<std::size_t>(examples.problem().dimension()), 1.0);
}

/// Training data, with labels that are not known completed as the first round of training does.
inline std::unique_ptr<TrainingSet> read_completed(TaskDriver& driver, const DataSource& source,
                                                   const Threads& threads) {
  std::unique_ptr<TrainingSet> training = driver.read_training(source, threads);
  const PartlyKnown* partly = training->partly_known();
  if (partly == nullptr) return training;
  return std::move(partly->complete(ones(*partly->known_alone()), threads).set);
}

/// Reads the file as training data. It may be refused, but only by an InputError; what is accepted
/// must make a model that works on the same file.
inline void read_and_use_path(const std::string& path, const Reading& reading) {
  static const Threads threads(1);
  const DataSource source{path, reading.format, ""};
  const auto driver = make_task_driver(reading.task);
  if (!reading.option.empty()) set_option(driver->options(), reading.option, reading.value);
  std::unique_ptr<TrainingSet> training;
  try {
    training = read_completed(*driver, source, threads);
  } catch (const InputError&) {
    return;
  }
  const auto predictor = driver->open(training->make_model(ones(*training)));
  for (const Metric& metric : predictor->evaluate(source, threads)) {
    check(metric.value >= 0.0 && metric.value <= 1.0);
  }
  std::string out;
  predictor->predict(source, threads, [&](std::string_view text) { out += text; });
  check(!out.empty());
}

/// The same for bytes in memory.
inline void read_and_use(std::string_view bytes, const Reading& reading) {
  const MemoryFile file(bytes);
  read_and_use_path(file.path(), reading);
}

/// The same for an input whose part before the first "---" line, if there is one, goes into a file
/// named by the option.
inline void read_and_use_with_file(std::string_view bytes, Reading reading) {
  constexpr std::string_view kDivider = "---\n";
  const std::size_t divider = bytes.find(kDivider);
  if (divider == std::string_view::npos) {
    reading.option = {};
    read_and_use(bytes, reading);
  } else {
    const MemoryFile file(bytes.substr(0, divider));
    reading.value = file.path();
    read_and_use(bytes.substr(divider + kDivider.size()), reading);
  }
}

}  // namespace gapwise::internal::fuzz
