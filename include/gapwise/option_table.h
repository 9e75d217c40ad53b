#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gapwise/errors.h"
#include "gapwise/types.h"

namespace gapwise {

/// One option of a settings object: the single source for parsing, validation, `--help`, the
/// option reference in the docs and the settings kept in models and checkpoints. The name is the
/// C++ member's with '-' for '_'.
struct Option {
  std::string name;                           ///< "relative-gap"
  std::string placeholder;                    ///< "E", "FILE" or the choices "line-search|fixed"
  std::string help;                           ///< one line
  std::string fallback;                       ///< the default as text; empty if none
  std::function<void(std::string_view)> set;  ///< throws OptionError, naming the option
  std::function<std::string()> get;           ///< current value as text; "" if not set
  std::function<std::optional<std::string>()> complaint;  ///< "lambda = 0 must be > 0", or none
  bool is_flag = false;                                   ///< yes or no; the name alone means yes
};

/// The options of one settings object, bound to it.
using OptionTable = std::vector<Option>;

/// Throws one OptionError that names every option out of range.
void validate(const OptionTable& table);

/// Sets one option by its name; OptionError if there is none of that name, or if the value is none
/// of its values. Ranges are the business of `validate`.
void set_option(const OptionTable& table, std::string_view name, std::string_view value);

/// What values a number may take, with the words for it.
struct Range {
  double low;         ///< the smallest one
  bool includes_low;  ///< it is allowed itself
  double high;        ///< the largest one, which is allowed
  std::string words;  ///< "must be > 0"

  bool holds(double value) const {  ///< whether it may be this
    return (includes_low ? value >= low : value > low) && value <= high;
  }
};
Range any_value();                       ///< no limits
Range positive();                        ///< finite and > 0
Range at_least(double low);              ///< finite and >= low
Range between(double low, double high);  ///< both included

namespace detail {

double parse_number(std::string_view name, std::string_view text);
std::int64_t parse_integer(std::string_view name, std::string_view text);
std::uint64_t parse_unsigned(std::string_view name, std::string_view text);
bool parse_bool(std::string_view name, std::string_view text);
std::size_t parse_choice(std::string_view name, std::string_view text,
                         const std::vector<std::string_view>& choices);
std::string show_number(double value);  ///< shortest text that reads back as the same double
std::string join_choices(const std::vector<std::string_view>& choices);

}  // namespace detail

/// A row of a table for a number. `slot` outlives the table, here and below.
Option option(std::string name, double& slot, Range range, std::string placeholder,
              std::string help);
/// The same for a number that need not be set.
Option option(std::string name, std::optional<double>& slot, Range range, std::string placeholder,
              std::string help);
/// For a whole number.
Option option(std::string name, Index& slot, Range range, std::string placeholder,
              std::string help);
/// For a whole number that need not be set.
Option option(std::string name, std::optional<Index>& slot, Range range, std::string placeholder,
              std::string help);
/// For a seed.
Option option(std::string name, std::uint64_t& slot, std::string placeholder, std::string help);
/// For any text.
Option option(std::string name, std::string& slot, std::string placeholder, std::string help);
/// Yes or no.
Option flag(std::string name, bool& slot, std::string help);
/// A name out of an open set, for example a registry.
Option choice(std::string name, std::string& slot, std::vector<std::string_view> choices,
              std::string help);

/// One of a closed set. Next to such an enum stands a function `enum_names` of it, which gives the
/// names of the enumerators in order.
template <class E>
Option choice(std::string name, E& slot, std::string help) {
  const auto all = enum_names(E{});
  const std::vector<std::string_view> names(all.begin(), all.end());
  Option row;
  row.name = std::move(name);
  row.placeholder = detail::join_choices(names);
  row.help = std::move(help);
  row.fallback = names[static_cast<std::size_t>(slot)];
  row.set = [key = row.name, names, &slot](std::string_view text) {
    slot = static_cast<E>(detail::parse_choice(key, text, names));
  };
  row.get = [names, &slot] { return std::string(names[static_cast<std::size_t>(slot)]); };
  row.complaint = [] { return std::optional<std::string>(); };
  return row;
}

/// The name of an enumerator, as options and settings spell it.
template <class E>
std::string_view name_of(E value) {
  return enum_names(value)[static_cast<std::size_t>(value)];
}

}  // namespace gapwise
