#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gapwise/types.h"

namespace gapwise::internal {

/// One row of input features: attribute numbers with values. `values` is null for binary rows (all
/// ones), `attributes` is null for dense rows (0, 1, 2, ...).
struct FeatureRow {
  const std::uint32_t* attributes = nullptr;
  const double* values = nullptr;
  std::size_t size = 0;
};

/// The input features of many tokens, row after row, kept in the cheapest of three forms: binary
/// (attribute numbers only), sparse (with values) or dense (values only).
class FeatureRows {
 public:
  std::size_t num_rows() const { return starts_.size() - 1; }
  bool is_binary() const { return values_.empty(); }
  bool is_dense() const { return dense_width_ > 0; }

  FeatureRow row(std::size_t r) const {
    if (is_dense()) return {nullptr, values_.data() + r * dense_width_, dense_width_};
    const std::size_t begin = starts_[r];
    return {attributes_.data() + begin, is_binary() ? nullptr : values_.data() + begin,
            starts_[r + 1] - begin};
  }

  /// Adds to the row being built, in any order; an attribute given twice counts twice (its values
  /// add up).
  void add(std::uint32_t attribute, double value = 1.0);
  /// The same with value 1 each.
  void add(std::span<const std::uint32_t> attributes);
  void end_row();
  /// After the last row: picks the cheapest form for `num_attributes` attributes.
  void finish(std::uint32_t num_attributes);

  std::size_t num_values() const { return attributes_.size(); }
  void hash_into(std::uint64_t& seed) const;

 private:
  std::vector<std::size_t> starts_{0};
  std::vector<std::uint32_t> attributes_;
  std::vector<double> values_;
  std::size_t dense_width_ = 0;
};

}  // namespace gapwise::internal
