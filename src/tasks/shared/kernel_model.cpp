#include "tasks/shared/kernel_model.h"

#include <fmt/format.h>

#include "io/fields.h"

namespace gapwise::internal {
namespace {

Kernel decode_kernel(const ModelFields& parts) {
  return {parts.choice<KernelKind>("kernel"), parts.number("kernel-degree", 1, 100),
          parts.real("kernel-gamma", 0.0, kLargestValue),
          parts.real("kernel-offset", 0.0, kLargestValue)};
}

}  // namespace

void encode_support(const KernelExpansion& expansion, const FeatureRows& inputs,
                    ModelRecord& model) {
  model.settings["kernel"] = name_of(expansion.kernel.kind);
  model.settings["kernel-degree"] = fmt::to_string(expansion.kernel.degree);
  model.settings["kernel-gamma"] = detail::show_number(expansion.kernel.gamma);
  model.settings["kernel-offset"] = detail::show_number(expansion.kernel.offset);
  std::vector<std::int64_t>& sizes = model.numbers["support-sizes"];
  std::vector<std::int64_t>& attributes = model.numbers["support-attributes"];
  model.w.insert(model.w.end(), expansion.coefficients.begin(), expansion.coefficients.end());
  for (const Index s : expansion.inputs) {
    const FeatureRow row = inputs.row(static_cast<std::size_t>(s));
    const std::size_t before = attributes.size();
    for (std::size_t f = 0; f < row.size; ++f) {
      const double value = row.values != nullptr ? row.values[f] : 1.0;
      if (value == 0.0) continue;
      attributes.push_back(row.attributes != nullptr ? row.attributes[f] : static_cast<Index>(f));
      model.w.push_back(value);
    }
    sizes.push_back(static_cast<Index>(attributes.size() - before));
  }
}

std::optional<SupportScorer> decode_support(ModelFields& parts, std::size_t attributes,
                                            std::size_t labels) {
  if (!parts.model().settings.contains("kernel")) return std::nullopt;
  const Kernel kernel = decode_kernel(parts);
  const std::vector<std::int64_t>& sizes = parts.numbers("support-sizes");
  const std::vector<std::int64_t>& ids = parts.numbers("support-attributes");
  const std::size_t num_coefficients = sizes.size() * labels;
  std::vector<double>& w = parts.model().w;
  const Index rest = std::ssize(w) - static_cast<Index>(num_coefficients + ids.size());
  if (rest < 0) parts.fail("fewer weights than its support inputs need");
  const auto coefficients = w.begin() + rest;
  const auto values = coefficients + static_cast<std::ptrdiff_t>(num_coefficients);

  FeatureRows rows;
  std::size_t at = 0;
  for (const std::int64_t size : sizes) {
    if (size < 0 || static_cast<std::size_t>(size) > ids.size() - at) {
      parts.fail("support inputs larger than the attributes there are");
    }
    for (const std::size_t end = at + static_cast<std::size_t>(size); at < end; ++at) {
      if (ids[at] < 0 || static_cast<std::size_t>(ids[at]) >= attributes) {
        parts.fail(fmt::format("attribute {} of {}", ids[at], attributes));
      }
      rows.add(static_cast<std::uint32_t>(ids[at]), values[static_cast<std::ptrdiff_t>(at)]);
    }
    rows.end_row();
  }
  if (at != ids.size()) parts.fail("attributes that belong to no support input");
  rows.finish(static_cast<std::uint32_t>(attributes));
  SupportScorer scorer(kernel, std::move(rows), {coefficients, values}, static_cast<int>(labels));
  w.resize(static_cast<std::size_t>(rest));
  return scorer;
}

}  // namespace gapwise::internal
