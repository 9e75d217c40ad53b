#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gapwise/types.h"

namespace gapwise::internal {

/// Which examples are to be parted from which.
struct SplitPlan {
  Index examples = 0;
  /// How much of the examples each part should have, relative to the others; two or more.
  std::vector<double> shares;
  /// The group of each example, which stays in one part; empty: each is one by itself.
  std::vector<std::string> groups;
  std::uint64_t seed = 1;
};

/// The part of every example, drawn at random. Every part has an example. OptionError if there are
/// not enough of them.
std::vector<Index> split(const SplitPlan& plan);

/// The examples of a part, or all others.
std::vector<Index> examples_in(const std::vector<Index>& parts, Index part);
std::vector<Index> examples_outside(const std::vector<Index>& parts, Index part);

}  // namespace gapwise::internal
