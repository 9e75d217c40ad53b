// A checkpoint whose bytes were changed before it was packed and sealed is either refused with an
// InputError or resumed to the end of a short run, for every solver on every task. The input says
// which of them, and how to change the bytes.

#include <array>
#include <cstring>
#include <limits>
#include <map>

#include "app/checkpoint.h"
#include "driver.h"
#include "io/files.h"
#include "support/run_options.h"

namespace gapwise::internal {
namespace {

/// Takes numbers from the input until there are no more.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  bool is_over() const { return left_ == 0; }
  std::size_t below(std::size_t n) {
    std::size_t value = 0;
    for (std::size_t range = 1; range < n; range <<= 8) value = value << 8 | next();
    return n > 0 ? value % n : 0;
  }
  std::uint8_t next() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

/// Stops a run after some steps and keeps what a checkpoint would hold.
class Snapshooter final : public Observer {
 public:
  explicit Snapshooter(int steps) : left_(steps) {}
  bool wants_stop() override { return left_-- <= 0; }
  void on_stop(const Progress&, const Snapshot& run) override { bytes = checkpoint_bytes({}, run); }
  std::string bytes;

 private:
  int left_;
};

TrainOptions short_run(const std::string& solver) {
  TrainOptions options = testing::options_for(solver, Lambda::over_n(0.5));
  options.gap_every = 2;
  options.max_passes = 5;
  options.max_oracle_calls = 80;
  options.kernel_cache_mb = 1;
  return options;
}

const Problem& problem_of(std::string_view task) {
  static std::map<std::string, std::unique_ptr<TrainingSet>> read;
  std::unique_ptr<TrainingSet>& set = read[std::string(task)];
  if (!set) {
    const auto driver = make_task_driver(task);
    Rng rng(1);
    const fuzz::MemoryFile file(driver->sample(3, rng));
    set = driver->read_training({file.path(), "", ""}, Threads(1));
  }
  return set->problem();
}

/// A run that was begun; no bytes if the solver does not take the problem.
const std::string& begun_run(std::string_view task, const std::string& solver, int steps) {
  static std::map<std::string, std::string> begun;
  const std::string name = std::string(task) + " " + solver + " " + std::to_string(steps);
  const auto found = begun.find(name);
  if (found != begun.end()) return found->second;
  Snapshooter snapshooter(steps);
  try {
    train(problem_of(task), short_run(solver), snapshooter);
  } catch (const OptionError&) {
  }
  return begun[name] = snapshooter.bytes;
}

/// Numbers that are easily forgotten.
double odd_number(Choices& choices) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr std::array kOdd{0.0,   -0.0,  1.0,    -1.0,   0.5,       2.0,        1e-320,
                            1e300, 1e308, -1e308, 1e-300, kInfinity, -kInfinity, kNan};
  return kOdd[choices.below(kOdd.size())];
}

void patch(Choices& choices, std::string& bytes) {
  const std::size_t at = choices.below(bytes.size() + 1);
  switch (choices.below(6)) {
    case 0:
      if (at < bytes.size()) bytes[at] = static_cast<char>(choices.next());
      break;
    case 1: {
      const double odd = odd_number(choices);
      if (at + sizeof odd <= bytes.size()) std::memcpy(bytes.data() + at, &odd, sizeof odd);
      break;
    }
    case 2:
      bytes.insert(at, choices.below(9) + 1, static_cast<char>(choices.next()));
      break;
    case 3:
      bytes.erase(at, choices.below(9) + 1);
      break;
    case 4:
      bytes.resize(at);
      break;
    default:
      if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << choices.below(8)));
      break;
  }
}

void resume_patched(Choices& choices) {
  const auto tasks = task_names();
  const auto& all = solvers();
  const std::string_view task = tasks[choices.below(tasks.size())];
  const std::string solver(all[choices.below(all.size())].name);
  const int steps = std::array{1, 4, 7, 20}[choices.below(4)];
  std::string bytes = begun_run(task, solver, steps);
  if (bytes.empty()) return;
  while (!choices.is_over()) patch(choices, bytes);

  const fuzz::MemoryFile file(seal_checkpoint(bytes));
  Training training(problem_of(task), short_run(solver));
  try {
    resume(file.path(), {}, training);
  } catch (const InputError&) {
    return;
  }
  try {
    Observer nobody;
    training.run(nobody);
  } catch (const OptionError&) {  // numbers have grown beyond what a double holds
  } catch (const OracleError&) {  // a forged mixture that no outputs have was found out
  }
}

}  // namespace
}  // namespace gapwise::internal

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gapwise::internal::Choices choices(data, size);
  gapwise::internal::resume_patched(choices);
  return 0;
}
