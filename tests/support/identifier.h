#pragma once

#include <algorithm>
#include <string>

namespace gapwise::internal::testing {

/// A name of the product as part of the name of a test.
inline std::string identifier(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace gapwise::internal::testing
