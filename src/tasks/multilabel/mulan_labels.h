#pragma once

#include <string>
#include <vector>

namespace gapwise::internal {

/// The names of the label attributes that a file of the Mulan library lists:
/// <labels><label name="a"/>...</labels>. Labels inside labels are labels too.
std::vector<std::string> read_label_names(const std::string& path);

}  // namespace gapwise::internal
