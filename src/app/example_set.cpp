#include "app/example_set.h"

#include <fmt/format.h>

#include "io/files.h"
#include "io/lines.h"

namespace gapwise::internal {
namespace {

TaskOptions values_of(TaskDriver& driver) {
  TaskOptions values;
  for (const Option& row : driver.options()) values[row.name] = row.get();
  return values;
}

/// Another task whose data look like this file, if there is just one; empty otherwise.
std::string likely_task(const TaskDriver& driver, const DataSource& source) {
  if (!can_be_read_again(source.path) || !source.format.empty()) return {};
  std::string found;
  try {
    LineReader lines(source.path);
    const std::string_view head = lines.head();
    if (driver.looks_familiar(head)) return {};
    for (const std::string_view name : task_names()) {
      if (name == driver.name() || !make_task_driver(name)->looks_familiar(head)) continue;
      if (!found.empty()) return {};
      found = name;
    }
  } catch (const InputError&) {
    return {};
  }
  return found;
}

}  // namespace

ExampleSet::ExampleSet(std::unique_ptr<TaskDriver> driver, DataSource source)
    : task_(driver->name()),
      driver_(std::move(driver)),
      options_(values_of(*driver_)),
      source_(std::move(source)) {}

ExampleSet::ExampleSet(std::unique_ptr<TaskDriver> driver, RowStore rows)
    : task_(driver->name()),
      driver_(std::move(driver)),
      options_(values_of(*driver_)),
      rows_(std::move(rows)) {}

ExampleSet::ExampleSet(const ExampleSet& whole, std::unique_ptr<TrainingSet> training,
                       LabelRounds rounds)
    : task_(whole.task_),
      driver_(internal::make_task_driver(task_)),
      options_(whole.options_),
      rounds_done_(std::move(rounds)) {
  std::call_once(is_made_, [&] { training_ = std::move(training); });
}

ExampleSet::ExampleSet(std::shared_ptr<const Problem> own)
    : task_(kOwnTask), own_(std::move(own)) {}

std::string ExampleSet::describe() const {
  if (!is_own()) return training().describe();
  return fmt::format("{} examples, {} weights", own_->num_blocks(), own_->dimension());
}

std::unique_ptr<TrainingSet> ExampleSet::make_training() const {
  if (rows_) {
    const auto sink = driver_->make_rows();
    rows_->replay(*sink);
    return sink->finish();
  }
  try {
    return driver_->read_training(*source_, Threads());
  } catch (const InputError& error) {
    const std::string other = likely_task(*driver_, *source_);
    if (other.empty()) throw;
    throw InputError(fmt::format("{}\n(the file looks like data of task {}: give \1task {})",
                                 error.marked(), other, other));
  }
}

const TrainingSet& ExampleSet::training() const {
  std::call_once(is_made_, [this] { training_ = make_training(); });
  return *training_;
}

/// All rows have labels to compare with.
void ExampleSet::check_labels() const {
  const Index bare = rows_->first_without_labels();
  if (bare == 0 || driver_->allows_no_labels()) return;
  throw InputError(fmt::format(
      "example {} has no label to compare with; give labels to what is evaluated", bare));
}

std::vector<std::unique_ptr<Batch>> ExampleSet::batches(const Predictor& predictor,
                                                        Purpose purpose) const {
  if (source_) return predictor.read(*source_, purpose);
  if (purpose == Purpose::kEvaluate) check_labels();
  const auto sink = predictor.make_rows();
  rows_->replay(*sink);
  std::vector<std::unique_ptr<Batch>> batches;
  batches.push_back(sink->finish());
  return batches;
}

std::vector<std::unique_ptr<Batch>> ExampleSet::single_batches(const Predictor& predictor) const {
  std::vector<std::unique_ptr<Batch>> batches;
  if (source_) {
    const auto examples = predictor.open(*source_, Purpose::kEvaluate);
    while (examples->read()) batches.push_back(examples->take());
    return batches;
  }
  check_labels();
  for (Index i = 0; i < rows_->size(); ++i) {
    const auto sink = predictor.make_rows();
    rows_->replay(*sink, i, i + 1);
    batches.push_back(sink->finish());
  }
  return batches;
}

std::unique_ptr<TaskDriver> make_task_driver(std::string_view task, const TaskOptions& options) {
  auto driver = make_task_driver(task);
  const OptionTable table = driver->options();
  for (const auto& [name, value] : options) set_option(table, name, value);
  validate(table);
  return driver;
}

std::unique_ptr<Threads> make_threads(const std::optional<Index>& count) {
  if (!count) return std::make_unique<Threads>();
  if (const Range range = between(1, 1024); !range.holds(static_cast<double>(*count))) {
    throw OptionError(fmt::format("threads = {} {}", *count, range.words));
  }
  return std::make_unique<Threads>(static_cast<int>(*count));
}

}  // namespace gapwise::internal
