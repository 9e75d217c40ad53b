#include "gapwise/examples.h"

#include <fmt/format.h>

#include <limits>

#include "app/example_set.h"
#include "core/weighted_problem.h"

namespace gapwise {

Examples::Examples(std::shared_ptr<const Problem> own)
    : set_(std::make_shared<const internal::ExampleSet>(std::move(own))) {}

const std::string& Examples::task() const {
  return set_->task();
}
const Problem& Examples::problem() const {
  return weighted_ ? *weighted_ : set_->problem();
}
Examples Examples::with_weights(std::vector<double> weights) const {
  Examples result(set_);
  if (!weights.empty()) {
    result.weighted_ = internal::make_weighted_problem(set_->problem(), std::move(weights));
  }
  return result;
}
std::string Examples::describe() const {
  return set_->describe();
}

Examples open_examples(std::string_view task, const DataSource& source,
                       const TaskOptions& options) {
  return Examples(std::make_shared<const internal::ExampleSet>(
      internal::make_task_driver(task, options), source));
}

Examples read_examples(std::string_view task, const DataSource& source,
                       const TaskOptions& options) {
  Examples examples = open_examples(task, source, options);
  examples.set().training();
  return examples;
}

ExampleRows::ExampleRows(std::string_view task, TaskOptions options)
    : task_(task), options_(std::move(options)), store_(std::make_unique<internal::RowStore>()) {
  internal::make_task_driver(task_, options_)->make_rows();  // refuses tasks without rows
}
ExampleRows::~ExampleRows() = default;
ExampleRows::ExampleRows(ExampleRows&&) noexcept = default;
ExampleRows& ExampleRows::operator=(ExampleRows&&) noexcept = default;

ExampleRows& ExampleRows::attribute(std::string_view name, double value) {
  store_->attribute(name, value);
  return *this;
}

ExampleRows& ExampleRows::feature(Index number, double value) {
  constexpr Index kLargest = std::numeric_limits<std::int32_t>::max();
  if (number < 1 || number > kLargest) {
    throw InputError(fmt::format("feature {} of example {}: numbers go from 1 to {}", number,
                                 store_->size() + 1, kLargest));
  }
  store_->feature(static_cast<std::uint32_t>(number), value);
  return *this;
}

ExampleRows& ExampleRows::features(std::span<const double> values) {
  store_->open_row();  // all of them may be zero
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k] != 0.0) feature(static_cast<Index>(k) + 1, values[k]);
  }
  return *this;
}

ExampleRows& ExampleRows::label(std::string_view name) {
  store_->label(name);
  return *this;
}

void ExampleRows::end_row() {
  store_->end_row();
}

void ExampleRows::end_example() {
  if (store_->has_open_row()) store_->end_row();
  store_->end_example();
}

Examples ExampleRows::finish() {
  if (store_->has_open_row() || store_->has_open_example()) end_example();
  auto rows = std::exchange(store_, std::make_unique<internal::RowStore>());
  return Examples(std::make_shared<const internal::ExampleSet>(
      internal::make_task_driver(task_, options_), std::move(*rows)));
}

}  // namespace gapwise
