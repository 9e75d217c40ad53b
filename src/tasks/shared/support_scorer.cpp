#include "tasks/shared/support_scorer.h"

#include <algorithm>

#include "tasks/shared/dense_row.h"

namespace gapwise::internal {

struct SupportScorer::Support {
  Kernel kernel;
  FeatureRows rows;
  std::vector<double> coefficients;
  std::size_t labels;
  std::vector<double> squared_norms;
  DenseRowPool pool;
};

SupportScorer::SupportScorer(const Kernel& kernel, FeatureRows rows,
                             std::vector<double> coefficients, int labels) {
  const auto support = std::make_shared<Support>();
  support->kernel = kernel;
  support->rows = std::move(rows);
  support->coefficients = std::move(coefficients);
  support->labels = static_cast<std::size_t>(labels);
  for (std::size_t s = 0; s < support->rows.num_rows(); ++s) {
    const FeatureRow row = support->rows.row(s);
    support->squared_norms.push_back(
        support->pool.with(row, [&](const DenseRow& dense) { return dense.dot(row); }));
  }
  support_ = support;
}

void SupportScorer::score(const FeatureRow& x, double* out) const {
  const Support& support = *support_;
  std::fill_n(out, support.labels, 0.0);
  support.pool.with(x, [&](const DenseRow& dense) {
    const double squared_norm = dense.dot(x);
    const double* coefficients = support.coefficients.data();
    for (std::size_t s = 0; s < support.rows.num_rows(); ++s, coefficients += support.labels) {
      const double value =
          support.kernel(dense.dot(support.rows.row(s)), squared_norm, support.squared_norms[s]);
      for (std::size_t k = 0; k < support.labels; ++k) out[k] += coefficients[k] * value;
    }
  });
}

}  // namespace gapwise::internal
