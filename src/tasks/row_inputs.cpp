#include "tasks/row_inputs.h"

namespace gapwise {

void RowInputs::products(Index t, Index begin, Index end, double* out) const {
  std::unique_ptr<DenseRow> dense;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      dense = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!dense) dense = std::make_unique<DenseRow>();
  const FeatureRow row = rows_.row(static_cast<std::size_t>(t));
  dense->load(row);
  for (Index s = begin; s < end; ++s) *out++ = dense->dot(rows_.row(static_cast<std::size_t>(s)));
  dense->unload(row);
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(dense));
}

FeatureRows empty_rows(const FeatureRows& rows) {
  FeatureRows empty;
  for (std::size_t r = 0; r < rows.num_rows(); ++r) empty.end_row();
  return empty;
}

}  // namespace gapwise
