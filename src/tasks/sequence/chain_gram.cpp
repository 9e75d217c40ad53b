#include "tasks/sequence/chain_gram.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tasks/shared/dense_row.h"

namespace gapwise::internal {
namespace {

void fill(const SequenceData& data, Index i, DenseRow& scratch, double* products) {
  const std::size_t first = data.starts[static_cast<std::size_t>(i)];
  const int length = data.length(i);
  double* out = products;
  for (int t = 0; t < length; ++t) {
    const FeatureRow row = data.nodes.row(first + static_cast<std::size_t>(t));
    scratch.load(row);
    for (int s = 0; s <= t; ++s) {
      *out++ = scratch.dot(data.nodes.row(first + static_cast<std::size_t>(s)));
    }
    scratch.unload(row);
  }
  products[0] += 1.0;  // the start weight
  out[-1] += 1.0;      // the end weight
}

}  // namespace

ChainGram::ChainGram(const SequenceData& data, std::size_t max_bytes)
    : offsets_(static_cast<std::size_t>(data.size()), kNotCovered) {
  std::vector<Index> by_length(offsets_.size());
  std::iota(by_length.begin(), by_length.end(), Index{0});
  std::stable_sort(by_length.begin(), by_length.end(),
                   [&](Index a, Index b) { return data.length(a) < data.length(b); });
  std::size_t total = 0;
  for (const Index i : by_length) {
    const auto length = static_cast<std::size_t>(data.length(i));
    const std::size_t size = length * (length + 1) / 2;
    if ((total + size) * sizeof(double) > max_bytes) break;
    offsets_[static_cast<std::size_t>(i)] = total;
    total += size;
  }
  products_.resize(total);

  const Threads threads;
  std::vector<DenseRow> scratch(static_cast<std::size_t>(threads.count()));
  threads.run(data.size(), [&](Index begin, Index end, int slot) {
    for (Index i = begin; i < end; ++i) {
      if (covers(i)) fill(data, i, scratch[static_cast<std::size_t>(slot)], &products_[offset(i)]);
    }
  });
}

double ChainGram::absolute_sum(Index i, int length) const {
  double sum = 0.0;
  for (int t = 0; t < length; ++t) {
    const double* products = row(i, t);
    for (int s = 0; s < t; ++s) sum += 2.0 * std::abs(products[s]);
    sum += products[t];
  }
  return sum;
}

}  // namespace gapwise::internal
