#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gapwise/option_table.h"
#include "io/model_record.h"
#include "tasks/shared/feature_rows.h"
#include "tasks/shared/model_fields.h"

namespace gapwise::internal {

/// How the values of features are scaled: not, to at most 1 in size, or to a mean square of 1 over
/// all examples. Nothing is ever shifted, so zeros stay zeros.
enum class Scale { kNone, kRange, kStandard };
constexpr std::array<std::string_view, 3> enum_names(Scale) {
  return {"none", "range", "standard"};
}
/// The row of an option for it.
Option scale_option(Scale& slot);

/// Which features have weights, and under which attribute number: the indices of the data in
/// increasing order, then perhaps a constant.
struct FeatureNumbers {
  std::vector<std::uint32_t> indices;
  bool has_bias = false;
  std::vector<double> factors = {};  ///< of the values of each of `indices`; empty: all 1

  std::size_t size() const { return indices.size() + (has_bias ? 1 : 0); }
  /// Adds a row; features without a number are left out.
  void add_row(std::span<const std::uint32_t> row_indices, std::span<const double> values,
               FeatureRows& rows) const;
  /// Finds the factors from the rows, whose attributes are indices.
  void learn_factors(Scale scale, const FeatureRows& rows);
  /// Weights of scaled values, `width` for each feature, as weights of the values in the data.
  std::vector<double> unscaled(Weights w, Index width) const;
  /// The rows, whose attributes are indices, with attribute numbers.
  FeatureRows number(const FeatureRows& rows) const;
  /// What attribute number k is, for people.
  std::string name(std::size_t k) const;
  std::vector<std::string> names() const;  ///< of all of them
};

/// Words that tell of features whose largest values differ by more than a factor of 100, to be
/// added to a description; empty if there are none.
std::string size_notice(const FeatureNumbers& features, const FeatureRows& rows);

/// A growing set of numbers that takes little more room than its members.
class NumberSet {
 public:
  void add(std::span<const std::uint32_t> numbers);
  void add(const NumberSet& other);
  /// In increasing order.
  std::vector<std::uint32_t> take();

 private:
  /// Numbers below this are bits.
  static constexpr std::uint32_t kSmall = std::uint32_t{1} << 22;

  void merge();

  std::vector<bool> small_;
  std::vector<std::uint32_t> members_;  ///< of the rest, in increasing order
  std::vector<std::uint32_t> recent_;   ///< of the rest, not yet among them
};

/// Puts the features into a model, and their weights, `width` side by side for each: all of them,
/// or only those with a weight other than zero, since the others score like unknown ones. Returns
/// which these are.
std::vector<std::uint32_t> encode_features(const FeatureNumbers& features, Weights w, Index width,
                                           Keep keep, ModelRecord& model);
/// Puts all features into a model, without weights.
void encode_features(const FeatureNumbers& features, ModelRecord& model);
/// Reads them back.
FeatureNumbers decode_features(const ModelFields& parts);

}  // namespace gapwise::internal
