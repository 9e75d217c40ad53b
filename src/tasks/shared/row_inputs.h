#pragma once

#include <memory>
#include <vector>

#include "gapwise/kernel.h"
#include "gapwise/problem.h"
#include "tasks/shared/dense_row.h"
#include "tasks/shared/feature_rows.h"

namespace gapwise::internal {

/// The inputs of a task whose features are rows of attributes, one row per input.
class RowInputs final : public KernelInputs {
 public:
  /// Block i begins at input starts[i]; no starts: one input per block. `rows` and `starts` outlive
  /// this.
  RowInputs(const FeatureRows& rows, const std::vector<std::size_t>* starts, int labels,
            std::unique_ptr<Problem> rest)
      : rows_(rows), starts_(starts), labels_(labels), rest_(std::move(rest)) {}

  Index num_inputs() const override { return static_cast<Index>(rows_.num_rows()); }
  int num_labels() const override { return labels_; }
  Index first_input(Index i) const override {
    return starts_ == nullptr ? i : static_cast<Index>((*starts_)[static_cast<std::size_t>(i)]);
  }
  void products(Index t, Index begin, Index end, double* out) const override;
  const Problem& rest() const override { return *rest_; }

 private:
  const FeatureRows& rows_;
  const std::vector<std::size_t>* starts_;
  int labels_;
  std::unique_ptr<Problem> rest_;
  DenseRowPool pool_;
};

/// |x|^2 of each row x.
std::vector<double> squared_norms(const FeatureRows& rows);

/// As many rows as `rows`, all without features.
FeatureRows empty_rows(const FeatureRows& rows);

}  // namespace gapwise::internal
