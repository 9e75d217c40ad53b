#include "tasks/shared/feature_rows.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <numeric>

namespace gapwise::internal {

void FeatureRows::add(std::uint32_t attribute, double value) {
  // Values are kept only from the first one that is not 1.
  if (values_.empty() && value != 1.0) values_.assign(attributes_.size(), 1.0);
  attributes_.push_back(attribute);
  if (!values_.empty() || value != 1.0) values_.push_back(value);
}

void FeatureRows::add(std::span<const std::uint32_t> attributes) {
  attributes_.insert(attributes_.end(), attributes.begin(), attributes.end());
  if (!values_.empty()) values_.resize(attributes_.size(), 1.0);
}

void FeatureRows::end_row() {
  starts_.push_back(attributes_.size());
}

void FeatureRows::finish(std::uint32_t num_attributes) {
  const auto all_ones = [](double x) { return x == 1.0; };
  if (std::all_of(values_.begin(), values_.end(), all_ones)) values_.clear();
  // A dense row costs one multiplication per attribute, a sparse one also has to look it up.
  const std::size_t cells = num_rows() * num_attributes;
  if (is_binary() || num_attributes == 0 || attributes_.size() * 4 < cells * 3) {
    starts_.shrink_to_fit();
    attributes_.shrink_to_fit();
    values_.shrink_to_fit();
    return;
  }
  std::vector<double> dense(cells, 0.0);
  for (std::size_t r = 0; r < num_rows(); ++r) {
    for (std::size_t k = starts_[r]; k < starts_[r + 1]; ++k) {
      dense[r * num_attributes + attributes_[k]] += values_[k];
    }
  }
  values_ = std::move(dense);
  attributes_.clear();
  attributes_.shrink_to_fit();
  dense_width_ = num_attributes;
}

void FeatureRows::hash_into(std::uint64_t& seed) const {
  const auto mix = [&seed](const void* data, std::size_t size) {
    seed = XXH3_64bits_withSeed(data, size, seed);
  };
  mix(starts_.data(), starts_.size() * sizeof starts_[0]);
  mix(attributes_.data(), attributes_.size() * sizeof(std::uint32_t));
  mix(values_.data(), values_.size() * sizeof(double));
}

}  // namespace gapwise::internal
