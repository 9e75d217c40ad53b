#pragma once

#include <array>
#include <string_view>

#include "gapwise/core/options.h"

namespace gapwise {

/// Whether a model scores what two neighbours of a structure are together.
enum class Pairwise { kYes, kNo };
template <>
struct EnumNames<Pairwise> {
  static constexpr std::array<std::string_view, 2> value{"yes", "no"};
};

}  // namespace gapwise
