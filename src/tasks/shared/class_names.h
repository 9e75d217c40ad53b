#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace gapwise::internal {

/// Throws an InputError that says where the thing complained of stands: a line of a file, or an
/// example in memory.
using Complain = std::function<void(const std::string& what)>;

/// Whether class a comes before class b: numbers first, by size, then other names by their bytes.
bool is_class_before(std::string_view a, std::string_view b);

/// The name of the class that `text` stands for: "+1", "1" and "1.0" are the same. Complains about
/// a number that is not finite.
std::string class_name(std::string_view text, const Complain& complain);

}  // namespace gapwise::internal
