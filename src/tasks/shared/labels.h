#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "io/alphabet.h"

namespace gapwise::internal {

constexpr std::size_t kMostLabels = 10'000;

constexpr std::int32_t kNoLabel = -1;

/// The name of a label, also of one that the model does not know.
inline std::string_view name_in(const Alphabet& labels, std::int32_t label) {
  const auto id = static_cast<std::size_t>(label);
  return label >= 0 && id < labels.size() ? labels.name(id) : "(unknown)";
}

/// The complaint about a label that is one too many.
inline std::string too_many_labels(std::string_view name) {
  return fmt::format(
      "label '{}' is one more than the {} different labels allowed; is this really the label?",
      name, kMostLabels);
}

/// What a label that is not known is written as, unless told otherwise.
constexpr std::string_view kUnknownLabel = "?";
/// What to say if that is a label like any other.
constexpr std::string_view kNoUnknownLabel = "none";

/// The complaint about one in training data.
inline std::string unknown_label() {
  return fmt::format(
      "the label is '{}', which stands for one that is not known; give the right one, leave the "
      "example out, or rename the label if it is one of its own",
      kUnknownLabel);
}

/// Puts the labels into the order `is_less` of their names, so that their numbers, by which ties
/// are broken, do not depend on the order of the examples. Returns their new numbers by their old.
/// kNoLabel stays as it is.
template <class Less>
std::vector<std::int32_t> sort_labels(Alphabet& alphabet, std::vector<std::int32_t>& labels,
                                      Less is_less) {
  std::vector<std::uint32_t> order(alphabet.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return is_less(alphabet.name(a), alphabet.name(b));
  });
  std::vector<std::int32_t> rank(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) rank[order[k]] = static_cast<std::int32_t>(k);
  for (std::int32_t& label : labels) {
    if (label != kNoLabel) label = rank[static_cast<std::size_t>(label)];
  }
  alphabet = alphabet.select(order);
  return rank;
}

}  // namespace gapwise::internal
