#include "tasks/shared/feature_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "io/svmlight.h"

namespace gapwise::internal {
namespace {

constexpr std::size_t kFewestRecent = std::size_t{1} << 16;

/// Features whose sizes differ by more than this deserve a word.
constexpr double kNoticeableRatio = 100.0;

/// The largest |x| and the sum of x^2 of each feature.
struct Sizes {
  std::vector<double> largest;
  std::vector<double> squares;
};

/// `place` tells where an attribute of the rows stands among `count` features.
template <class Place>
Sizes sizes_of(const FeatureRows& rows, std::size_t count, Place place) {
  Sizes sizes{std::vector<double>(count, 0.0), std::vector<double>(count, 0.0)};
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    const FeatureRow row = rows.row(r);
    for (std::size_t k = 0; k < row.size; ++k) {
      const double x = row.values != nullptr ? row.values[k] : 1.0;
      const std::size_t at = place(row.attributes != nullptr ? row.attributes[k] : k);
      if (at >= count) continue;  // the constant
      sizes.largest[at] = std::max(sizes.largest[at], std::abs(x));
      sizes.squares[at] += x * x;
    }
  }
  return sizes;
}

void encode_factors(const FeatureNumbers& features, std::span<const std::uint32_t> used,
                    ModelRecord& model) {
  if (features.factors.empty()) return;
  std::vector<std::string>& factors = model.lists["factors"];
  for (const std::uint32_t k : used) factors.push_back(detail::show_number(features.factors[k]));
}

}  // namespace

Option scale_option(Scale& slot) {
  return choice("scale", slot,
                "the values of each feature: as they are, over the largest in size, or over the "
                "root of the mean square; never shifted, and kept in the model");
}

void FeatureNumbers::learn_factors(Scale scale, const FeatureRows& rows) {
  factors.clear();
  if (scale == Scale::kNone) return;
  const Sizes sizes = sizes_of(rows, indices.size(), [this](std::size_t index) {
    return static_cast<std::size_t>(std::lower_bound(indices.begin(), indices.end(), index) -
                                    indices.begin());
  });
  for (std::size_t k = 0; k < indices.size(); ++k) {
    const double mean_square = sizes.squares[k] / static_cast<double>(rows.num_rows());
    const double size = scale == Scale::kRange ? sizes.largest[k] : std::sqrt(mean_square);
    const double factor = 1.0 / size;
    factors.push_back(std::isnormal(factor) ? factor : 1.0);  // a feature that is always 0
  }
}

std::vector<double> FeatureNumbers::unscaled(Weights w, Index width) const {
  std::vector<double> raw(w.begin(), w.end());
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const auto each = static_cast<std::size_t>(width);
    for (double& x : std::span(raw).subspan(k * each, each)) x *= factors[k];
  }
  return raw;
}

std::string size_notice(const FeatureNumbers& features, const FeatureRows& rows) {
  if (!features.factors.empty() || rows.is_binary()) return {};
  const Sizes sizes =
      sizes_of(rows, features.indices.size(), [](std::size_t attribute) { return attribute; });
  double least = std::numeric_limits<double>::infinity();
  double most = 0.0;
  for (const double size : sizes.largest) {
    if (size > 0.0) least = std::min(least, size);
    most = std::max(most, size);
  }
  if (!(most > kNoticeableRatio * least)) return {};
  return fmt::format(
      "; the sizes of features differ by a factor of {:.2g}, scale them (option scale) if training "
      "is slow",
      most / least);
}

void FeatureNumbers::add_row(std::span<const std::uint32_t> row_indices,
                             std::span<const double> values, FeatureRows& rows) const {
  auto at = indices.begin();
  for (std::size_t f = 0; f < row_indices.size(); ++f) {
    at = std::lower_bound(at, indices.end(), row_indices[f]);
    if (at == indices.end()) break;
    if (*at != row_indices[f]) continue;
    const auto number = static_cast<std::size_t>(at - indices.begin());
    const double factor = factors.empty() ? 1.0 : factors[number];
    rows.add(static_cast<std::uint32_t>(number), factor * values[f]);
  }
  if (has_bias) rows.add(static_cast<std::uint32_t>(indices.size()));
  rows.end_row();
}

FeatureRows FeatureNumbers::number(const FeatureRows& rows) const {
  FeatureRows numbered;
  std::vector<double> ones;
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    const FeatureRow row = rows.row(r);
    ones.resize(std::max(ones.size(), row.size), 1.0);
    add_row({row.attributes, row.size},
            {row.values != nullptr ? row.values : ones.data(), row.size}, numbered);
  }
  numbered.finish(static_cast<std::uint32_t>(size()));
  return numbered;
}

std::string FeatureNumbers::name(std::size_t k) const {
  return k < indices.size() ? fmt::to_string(indices[k]) : "bias";
}

std::vector<std::string> FeatureNumbers::names() const {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < size(); ++k) all.push_back(name(k));
  return all;
}

void NumberSet::add(std::span<const std::uint32_t> numbers) {
  for (const std::uint32_t number : numbers) {
    if (number >= kSmall) {
      recent_.push_back(number);
    } else {
      if (number >= small_.size()) small_.resize(std::max<std::size_t>(number + 1, 2 * number));
      small_[number] = true;
    }
  }
  if (recent_.size() > kFewestRecent + members_.size()) merge();
}

void NumberSet::add(const NumberSet& other) {
  small_.resize(std::max(small_.size(), other.small_.size()));
  for (std::size_t k = 0; k < other.small_.size(); ++k) {
    if (other.small_[k]) small_[k] = true;
  }
  add(other.members_);
  add(other.recent_);
}

std::vector<std::uint32_t> NumberSet::take() {
  merge();
  std::vector<std::uint32_t> all;
  for (std::size_t k = 0; k < small_.size(); ++k) {
    if (small_[k]) all.push_back(static_cast<std::uint32_t>(k));
  }
  all.insert(all.end(), members_.begin(), members_.end());
  return all;
}

void NumberSet::merge() {
  members_.insert(members_.end(), recent_.begin(), recent_.end());
  std::sort(members_.begin(), members_.end());
  members_.erase(std::unique(members_.begin(), members_.end()), members_.end());
  recent_.clear();
}

std::vector<std::uint32_t> encode_features(const FeatureNumbers& features, Weights w, Index width,
                                           Keep keep, ModelRecord& model) {
  model.settings["bias"] = features.has_bias ? "yes" : "no";
  const auto add = [&](Index attribute) {
    const auto row =
        w.subspan(static_cast<std::size_t>(attribute * width), static_cast<std::size_t>(width));
    model.w.insert(model.w.end(), row.begin(), row.end());
  };
  const auto count = static_cast<Index>(features.indices.size());
  std::vector<std::uint32_t> used = used_attributes(w, 0, width, count, keep);
  std::vector<std::int64_t>& numbers = model.numbers["features"];
  for (const std::uint32_t attribute : used) {
    numbers.push_back(features.indices[attribute]);
    add(attribute);
  }
  if (features.has_bias) add(count);
  encode_factors(features, used, model);
  return used;
}

void encode_features(const FeatureNumbers& features, ModelRecord& model) {
  model.settings["bias"] = features.has_bias ? "yes" : "no";
  model.numbers["features"].assign(features.indices.begin(), features.indices.end());
  std::vector<std::uint32_t> all(features.indices.size());
  std::iota(all.begin(), all.end(), 0U);
  encode_factors(features, all, model);
}

FeatureNumbers decode_features(const ModelFields& parts) {
  FeatureNumbers features;
  features.has_bias = parts.yes_or_no("bias");
  std::int64_t last = 0;
  for (const std::int64_t index : parts.numbers("features")) {
    if (index <= last || index > kLargestFeature) {
      parts.fail(fmt::format("feature {} after {}, expected larger ones up to {}", index, last,
                             kLargestFeature));
    }
    features.indices.push_back(static_cast<std::uint32_t>(index));
    last = index;
  }
  if (!parts.model().lists.contains("factors")) return features;
  for (const std::string& text : parts.model().list("factors")) {
    constexpr double kLeast = std::numeric_limits<double>::min();
    features.factors.push_back(
        parts.real(text, "factor of a feature", kLeast, std::numeric_limits<double>::max()));
  }
  if (features.factors.size() != features.indices.size()) {
    parts.fail(
        fmt::format("{} factors of {} features", features.factors.size(), features.indices.size()));
  }
  return features;
}

}  // namespace gapwise::internal
