#pragma once

#include <array>
#include <string_view>

#include "gapwise/option_table.h"

namespace gapwise::internal {

/// Whether a model scores what two neighbours of a structure are together.
enum class Pairwise { kYes, kNo };
}  // namespace gapwise::internal

template <>
struct gapwise::EnumNames<gapwise::internal::Pairwise> {
  static constexpr std::array<std::string_view, 2> value{"yes", "no"};
};

namespace gapwise::internal {}  // namespace gapwise::internal
