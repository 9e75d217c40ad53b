#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "core/suggestion.h"
#include "gapwise/option_table.h"

namespace gapwise {

void validate(const OptionTable& table) {
  std::string all;
  for (const Option& row : table) {
    if (const auto complaint = row.complaint()) all += (all.empty() ? "" : "; ") + *complaint;
  }
  if (!all.empty()) throw OptionError("options out of range: " + all);
}

void set_option(const OptionTable& table, std::string_view name, std::string_view value) {
  std::vector<std::string> names;
  for (const Option& row : table) {
    if (row.name == name) return row.set(value);
    names.push_back(row.name);
  }
  throw OptionError(
      fmt::format("there is no option '{}'{}", name, internal::suggestion(name, names)));
}

namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();
}  // namespace

Range any_value() {
  return {-kInfinity, true, kInfinity, "may be any number"};
}
Range positive() {
  return {0.0, false, kLargest, "must be a finite number > 0"};
}
Range at_least(double low) {
  return {low, true, kLargest, fmt::format("must be >= {}", low)};
}
Range between(double low, double high) {
  return {low, true, high, fmt::format("must be between {} and {}", low, high)};
}

namespace detail {

namespace {

[[noreturn]] void bad_value(std::string_view name, std::string_view text,
                            std::string_view expected) {
  throw OptionError(fmt::format("\1{} = '{}' is not {}", name, text, expected));
}

template <class T>
T parse_whole(std::string_view name, std::string_view text, std::string_view expected) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) bad_value(name, text, expected);
  return value;
}

}  // namespace

double parse_number(std::string_view name, std::string_view text) {
  double value{};
  const auto [end, error] = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) bad_value(name, text, "a number");
  return value;
}

std::int64_t parse_integer(std::string_view name, std::string_view text) {
  return parse_whole<std::int64_t>(name, text, "a whole number");
}

std::uint64_t parse_unsigned(std::string_view name, std::string_view text) {
  return parse_whole<std::uint64_t>(name, text, "a whole number from 0 to 2^64 - 1");
}

bool parse_bool(std::string_view name, std::string_view text) {
  if (text == "yes" || text == "true") return true;
  if (text == "no" || text == "false") return false;
  bad_value(name, text, "yes or no");
}

std::size_t parse_choice(std::string_view name, std::string_view text,
                         const std::vector<std::string_view>& choices) {
  const auto found = std::find(choices.begin(), choices.end(), text);
  if (found == choices.end()) bad_value(name, text, "one of " + join_choices(choices));
  return static_cast<std::size_t>(found - choices.begin());
}

std::string show_number(double value) {
  return fmt::format("{}", value);
}

std::string join_choices(const std::vector<std::string_view>& choices) {
  return fmt::format("{}", fmt::join(choices, "|"));
}

}  // namespace detail

namespace {

/// A row whose value is a number of type T, possibly not set.
template <class Slot, class Parse>
Option numeric(std::string name, Slot& slot, Range range, std::string placeholder, std::string help,
               Parse parse) {
  constexpr bool kOptional = requires {
    slot.has_value();
  };
  const auto show = [&slot]() -> std::string {
    if constexpr (kOptional) {
      return slot ? fmt::format("{}", *slot) : std::string();
    } else {
      return fmt::format("{}", slot);
    }
  };
  Option row;
  row.name = std::move(name);
  row.placeholder = std::move(placeholder);
  row.help = std::move(help);
  row.fallback = show();
  row.set = [key = row.name, &slot, parse](std::string_view text) { slot = parse(key, text); };
  row.get = show;
  row.complaint = [key = row.name, &slot, range]() -> std::optional<std::string> {
    if constexpr (kOptional) {
      if (!slot || range.holds(static_cast<double>(*slot))) return std::nullopt;
      return fmt::format("{} = {} {}", key, *slot, range.words);
    } else {
      if (range.holds(static_cast<double>(slot))) return std::nullopt;
      return fmt::format("{} = {} {}", key, slot, range.words);
    }
  };
  return row;
}

Option textual(std::string name, std::string& slot, std::string placeholder, std::string help) {
  Option row;
  row.name = std::move(name);
  row.placeholder = std::move(placeholder);
  row.help = std::move(help);
  row.fallback = slot;
  row.set = [&slot](std::string_view text) { slot = text; };
  row.get = [&slot] { return slot; };
  row.complaint = [] { return std::optional<std::string>(); };
  return row;
}

}  // namespace

Option option(std::string name, double& slot, Range range, std::string placeholder,
              std::string help) {
  return numeric(std::move(name), slot, std::move(range), std::move(placeholder), std::move(help),
                 detail::parse_number);
}
Option option(std::string name, std::optional<double>& slot, Range range, std::string placeholder,
              std::string help) {
  return numeric(std::move(name), slot, std::move(range), std::move(placeholder), std::move(help),
                 detail::parse_number);
}
Option option(std::string name, Index& slot, Range range, std::string placeholder,
              std::string help) {
  return numeric(std::move(name), slot, std::move(range), std::move(placeholder), std::move(help),
                 detail::parse_integer);
}
Option option(std::string name, std::optional<Index>& slot, Range range, std::string placeholder,
              std::string help) {
  return numeric(std::move(name), slot, std::move(range), std::move(placeholder), std::move(help),
                 detail::parse_integer);
}
Option option(std::string name, std::uint64_t& slot, std::string placeholder, std::string help) {
  return numeric(std::move(name), slot, any_value(), std::move(placeholder), std::move(help),
                 detail::parse_unsigned);
}
Option option(std::string name, std::string& slot, std::string placeholder, std::string help) {
  return textual(std::move(name), slot, std::move(placeholder), std::move(help));
}

Option flag(std::string name, bool& slot, std::string help) {
  Option row;
  row.name = std::move(name);
  row.placeholder = "[yes|no]";
  row.help = std::move(help);
  row.is_flag = true;
  row.fallback = slot ? "yes" : "no";
  row.set = [key = row.name, &slot](std::string_view text) {
    slot = detail::parse_bool(key, text);
  };
  row.get = [&slot] { return std::string(slot ? "yes" : "no"); };
  row.complaint = [] { return std::optional<std::string>(); };
  return row;
}

Option choice(std::string name, std::string& slot, std::vector<std::string_view> choices,
              std::string help) {
  Option row = textual(std::move(name), slot, detail::join_choices(choices), std::move(help));
  row.set = [key = row.name, choices = std::move(choices), &slot](std::string_view text) {
    slot = choices[detail::parse_choice(key, text, choices)];
  };
  return row;
}

}  // namespace gapwise
