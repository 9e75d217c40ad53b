#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gapwise::internal::cli {

/// Two columns, the right one wrapped at 79 characters; a left entry that is too wide for
/// `column` gets a line of its own.
std::string two_columns(const std::vector<std::pair<std::string, std::string>>& rows,
                        std::size_t column);

/// Left entries padded to the widest, two spaces, right entries; nothing is wrapped.
std::string aligned(const std::vector<std::pair<std::string, std::string>>& rows);

/// Rows of equally many cells, the first one to the left, the others to the right.
std::string columns(const std::vector<std::vector<std::string>>& rows);

/// A number for people: six significant digits.
std::string show(double value);
/// The same without trailing noise for fractions: "0.94 %".
std::string show_percent(double fraction);
std::string show_count(long long count);    ///< "47,363"; count >= 0
std::string show_duration(double seconds);  ///< "12 s", "3 min", "2.5 h"

}  // namespace gapwise::internal::cli
