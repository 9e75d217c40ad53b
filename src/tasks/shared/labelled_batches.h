#pragma once

#include <memory>
#include <utility>

#include "tasks/shared/labelled_examples.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// Numbers labelled examples by `names`, which outlive it and have `features`, and puts them into
/// batches of type B, which have `inputs` and number labels themselves.
template <class B, class Names>
class LabelledBatches {
 public:
  explicit LabelledBatches(const Names& names) : names_(names) {}

  void add(const LabelledExample& example) {
    names_.features.add_row(example.indices, example.values, batch_.inputs);
    batch_.add_labels(example, names_);
  }
  double fill() const {
    return static_cast<double>(batch_.inputs.num_values() + batch_.num_labels()) / kBatchSize;
  }
  std::unique_ptr<Batch> take() {
    batch_.inputs.finish(static_cast<std::uint32_t>(names_.features.size()));
    return std::make_unique<B>(std::exchange(batch_, {}));
  }

 private:
  /// Features, labels and examples that should be in memory at once.
  static constexpr double kBatchSize = 1 << 20;

  const Names& names_;
  B batch_;
};

/// Labelled examples of a source in such batches.
template <class Batches>
class LabelledStream : public ExampleStream {
 public:
  template <class Names>
  explicit LabelledStream(const Names& names) : batches_(names) {}

  bool read() final {
    if (!read_example(example_)) return false;
    batches_.add(example_);
    return true;
  }
  double fill() const final { return batches_.fill(); }
  std::unique_ptr<Batch> take() final { return batches_.take(); }

 private:
  virtual bool read_example(LabelledExample& example) = 0;

  Batches batches_;
  LabelledExample example_;
};

}  // namespace gapwise::internal
