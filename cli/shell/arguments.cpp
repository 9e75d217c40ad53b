#include "shell/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "core/suggestion.h"

namespace gapwise::internal::cli {
namespace {

OptionTable all_rows(Command& command) {
  OptionTable rows;
  for (OptionGroup& group : command.options()) {
    rows.insert(rows.end(), group.rows.begin(), group.rows.end());
  }
  return rows;
}

[[noreturn]] void refuse_extra(const std::string& extra, const OptionTable& rows) {
  const std::string name = extra.substr(0, extra.find('='));
  if (!name.starts_with("-")) {
    throw OptionError(fmt::format(
        "unexpected argument '{}'; every value needs an option before it (see 'gapwise help')",
        extra));
  }
  std::vector<std::string> names;
  for (const Option& row : rows) names.push_back("--" + row.name);
  throw OptionError(fmt::format("unknown option '{}'{}", name, suggestion(name, names)));
}

void set_row(const Option& row, const std::string& value) {
  if (!row.is_flag && value.starts_with("--")) {
    throw OptionError(fmt::format("--{} needs a value {}, found the option '{}'", row.name,
                                  row.placeholder, value));
  }
  if (!row.is_flag && value.empty()) {
    throw OptionError(
        fmt::format("--{} needs a value {}, found an empty one", row.name, row.placeholder));
  }
  row.set(value);
}

/// The first option that takes a value and has none behind it.
std::string option_without_value(const Arguments& words, const OptionTable& rows) {
  for (std::size_t k = 0; k < words.size(); ++k) {
    const bool is_last = k + 1 == words.size() || words[k + 1].starts_with("--");
    const bool takes_value = std::any_of(rows.begin(), rows.end(), [&](const Option& row) {
      return !row.is_flag && words[k] == "--" + row.name;
    });
    if (is_last && takes_value) return words[k];
  }
  return words.back();
}

void check_required(const Command& command, const OptionTable& rows,
                    const std::set<std::string>& given) {
  std::string missing;
  for (const std::string_view name : command.required()) {
    if (given.contains(std::string(name))) continue;
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const Option& option) { return option.name == name; });
    missing += fmt::format("{}--{} {} ({})", missing.empty() ? "" : ", ", row->name,
                           row->placeholder, row->help);
  }
  if (!missing.empty()) throw OptionError("missing: " + missing);
}

/// `--flag no` as `--flag=no`: a flag takes its value only so, but people write both.
Arguments with_joined_flags(const Arguments& args, const OptionTable& rows) {
  const auto is_flag = [&](const std::string& word) {
    return std::any_of(rows.begin(), rows.end(),
                       [&](const Option& row) { return row.is_flag && word == "--" + row.name; });
  };
  Arguments joined;
  for (const std::string& word : args) {
    const bool is_value = word == "yes" || word == "no";
    if (is_value && !joined.empty() && is_flag(joined.back())) {
      joined.back() += "=" + word;
    } else {
      joined.push_back(word);
    }
  }
  return joined;
}

}  // namespace

std::string peek_argument(const Arguments& args, std::string_view name) {
  const std::string option = fmt::format("--{}", name);
  for (std::size_t k = 0; k < args.size(); ++k) {
    if (args[k] == option && k + 1 < args.size()) return args[k + 1];
    if (args[k].starts_with(option + "=")) return args[k].substr(option.size() + 1);
  }
  return "";
}

std::set<std::string> parse_arguments(const Arguments& args, Command& command) {
  command.prepare(args);
  const OptionTable rows = all_rows(command);
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::map<std::string, CLI::Option*> parsed;
  for (const Option& row : rows) {
    const bool is_positional = row.name == command.positional();
    const std::string name = "--" + row.name + (is_positional ? "," + row.name : "");
    parsed[row.name] = row.is_flag ? app.add_flag(name) : app.add_option(name);
    parsed[row.name]->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  try {
    const Arguments words = with_joined_flags(args, rows);
    app.parse(Arguments(words.rbegin(), words.rend()));
  } catch (const CLI::ArgumentMismatch&) {  // every option takes one value
    throw OptionError(fmt::format("{} needs a value behind it", option_without_value(args, rows)));
  } catch (const CLI::ParseError& error) {
    throw OptionError(error.what());
  }
  if (!app.remaining().empty()) refuse_extra(app.remaining().front(), rows);

  std::set<std::string> given;
  for (const Option& row : rows) {
    const CLI::Option* option = parsed[row.name];
    if (option->count() == 0) continue;
    if (option->count() > 1) {
      throw OptionError(
          fmt::format("--{} is given {} times; give it once", row.name, option->count()));
    }
    set_row(row, option->results().front());
    given.insert(row.name);
  }
  check_required(command, rows, given);
  validate(rows);
  return given;
}

}  // namespace gapwise::internal::cli
