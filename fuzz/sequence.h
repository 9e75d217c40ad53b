#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "gapwise/core/errors.h"
#include "gapwise/io/task_driver.h"

namespace gapwise::fuzz {

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

/// Reads `bytes` as training data. They may be refused, but only by an InputError; what is accepted
/// must make a model that works on the same bytes.
inline void read_and_use(std::string_view bytes, std::string_view format,
                         const std::string& template_path = "") {
  static const Threads threads(1);
  const MemoryFile file(bytes);
  const DataSource source{file.path(), std::string(format), ""};
  const auto driver = make_task_driver("sequence");
  for (const Option& option : driver->options()) {
    if (option.name == "template") option.set(template_path);
  }
  std::unique_ptr<TrainingSet> training;
  try {
    training = driver->read_training(source, threads);
  } catch (const InputError&) {
    return;
  }
  const std::vector<double> w(static_cast<std::size_t>(training->problem().dimension()), 1.0);
  const auto predictor = driver->open(training->make_model(w));
  for (const auto& [name, value] : predictor->evaluate(source, threads)) {
    check(value >= 0.0 && value <= 1.0);
  }
  std::ostringstream out;
  predictor->predict(source, threads, out);
  check(!out.str().empty());
}

}  // namespace gapwise::fuzz
