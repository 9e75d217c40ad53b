#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gapwise/types.h"
#include "io/lines.h"

namespace gapwise::internal {

/// More columns than this are taken for an error.
constexpr int kMostColumns = 1000;

/// Squares of larger values, summed over an example, would leave the range of a double.
constexpr double kLargestValue = 1e100;

/// What a text is as the value of a feature.
enum class ValueText { kGood, kNotANumber, kOutOfRange };

/// Reads a finite number of at most kLargestValue in size.
ValueText parse_value(std::string_view text, double& value);

/// Says what is wrong with the value of a feature, such as "index 3". `hint` is what to do if it is
/// no number, or empty.
[[noreturn]] void refuse_value(const LineReader& lines, ValueText found, std::string_view text,
                               std::string_view feature, std::string_view hint = {});

/// Reads a whole number from 0 on; false if the text is not one.
bool parse_index(std::string_view text, Index& value);

inline bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// Without spaces and tabs at both ends.
std::string_view trim_blanks(std::string_view text);

/// "1 column", "2 columns".
std::string counted(std::size_t count, std::string_view noun);

/// The fields between runs of spaces and tabs.
void split_blanks(std::string_view line, std::vector<std::string_view>& fields);

/// The fields of the next line that has any before a '#', which starts a comment; false and none at
/// the end. They look into the line.
bool next_fields(LineReader& lines, std::vector<std::string_view>& fields);

/// What stands between the separators, without blanks around it; one empty piece of an empty text.
std::vector<std::string> split(std::string_view text, char separator);

/// The items of a list such as "a,b", without blanks around them; none for an empty text.
std::vector<std::string> split_commas(std::string_view text);

}  // namespace gapwise::internal
