#include "tasks/shared/row_inputs.h"

namespace gapwise::internal {

void RowInputs::products(Index t, Index begin, Index end, double* out) const {
  pool_.with(rows_.row(static_cast<std::size_t>(t)), [&](const DenseRow& dense) {
    for (Index s = begin; s < end; ++s) {
      out[s - begin] = dense.dot(rows_.row(static_cast<std::size_t>(s)));
    }
  });
}

std::vector<double> squared_norms(const FeatureRows& rows) {
  std::vector<double> norms;
  DenseRow dense;
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    const FeatureRow row = rows.row(r);
    dense.load(row);
    norms.push_back(dense.dot(row));
    dense.unload(row);
  }
  return norms;
}

FeatureRows empty_rows(const FeatureRows& rows) {
  FeatureRows empty;
  for (std::size_t r = 0; r < rows.num_rows(); ++r) empty.end_row();
  return empty;
}

}  // namespace gapwise::internal
