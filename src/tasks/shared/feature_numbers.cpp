#include "tasks/shared/feature_numbers.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/svmlight.h"

namespace gapwise::internal {
namespace {

constexpr std::size_t kFewestRecent = std::size_t{1} << 16;

}  // namespace

void FeatureNumbers::add_row(std::span<const std::uint32_t> row_indices,
                             std::span<const double> values, FeatureRows& rows) const {
  auto at = indices.begin();
  for (std::size_t f = 0; f < row_indices.size(); ++f) {
    at = std::lower_bound(at, indices.end(), row_indices[f]);
    if (at == indices.end()) break;
    if (*at != row_indices[f]) continue;
    rows.add(static_cast<std::uint32_t>(at - indices.begin()), values[f]);
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
  recent_.insert(recent_.end(), numbers.begin(), numbers.end());
  if (recent_.size() > kFewestRecent + members_.size()) merge();
}

std::vector<std::uint32_t> NumberSet::take() {
  merge();
  return std::move(members_);
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
  return used;
}

void encode_features(const FeatureNumbers& features, ModelRecord& model) {
  model.settings["bias"] = features.has_bias ? "yes" : "no";
  model.numbers["features"].assign(features.indices.begin(), features.indices.end());
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
  return features;
}

}  // namespace gapwise::internal
