#include "shell/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

[[noreturn]] void refuse(const std::string& word, const OptionTable& rows) {
  if (!word.starts_with("-")) {
    throw OptionError(fmt::format(
        "unexpected argument '{}'; every value needs an option before it (see 'gapwise help')",
        word));
  }
  std::vector<std::string> names;
  for (const Option& row : rows) names.push_back("--" + row.name);
  throw OptionError(fmt::format("unknown option '{}'{}", word, suggestion(word, names)));
}

/// The words of a command line, taken one option at a time: `--name value`, `--name=value`, a flag
/// with or without yes or no behind it, or a bare word for the positional option.
class WordReader {
 public:
  WordReader(const Arguments& words, const OptionTable& rows, std::string_view positional)
      : words_(words), rows_(rows), positional_(positional) {}

  bool has_more() const { return next_ < words_.size(); }

  /// The next option with its value.
  std::pair<const Option*, std::string> take() {
    const std::string& word = words_[next_++];
    if (!word.starts_with("--")) {
      const Option* const row = find(positional_);
      if (row == nullptr || word.starts_with("-")) refuse(word, rows_);
      return {row, word};
    }
    const std::size_t equals = std::min(word.find('='), word.size());
    const Option* const row = find(word.substr(2, equals - 2));
    if (row == nullptr) refuse(word.substr(0, equals), rows_);
    if (equals < word.size()) return {row, word.substr(equals + 1)};
    return {row, row->is_flag ? flag_value() : value_of(*row)};
  }

 private:
  const Option* find(std::string_view name) const {
    const auto row = std::find_if(rows_.begin(), rows_.end(),
                                  [&](const Option& option) { return option.name == name; });
    return row == rows_.end() ? nullptr : &*row;
  }

  std::string flag_value() {
    const bool has_value = has_more() && (words_[next_] == "yes" || words_[next_] == "no");
    return has_value ? words_[next_++] : "yes";
  }

  std::string value_of(const Option& row) {
    if (!has_more()) throw OptionError(fmt::format("--{} needs a value behind it", row.name));
    if (words_[next_].starts_with("--")) {
      throw OptionError(fmt::format("--{} needs a value {}, found the option '{}'", row.name,
                                    row.placeholder, words_[next_]));
    }
    return words_[next_++];
  }

  const Arguments& words_;
  const OptionTable& rows_;
  std::string_view positional_;
  std::size_t next_ = 0;
};

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
  std::set<std::string> given;
  WordReader words(args, rows, command.positional());
  while (words.has_more()) {
    const auto [row, value] = words.take();
    const bool may_repeat = command.takes_many() && row->name == command.positional();
    if (!given.insert(row->name).second && !may_repeat) {
      throw OptionError(fmt::format("--{} is given more than once; give it once", row->name));
    }
    if (value.empty()) {
      throw OptionError(
          fmt::format("--{} needs a value {}, found an empty one", row->name, row->placeholder));
    }
    row->set(value);
  }
  check_required(command, rows, given);
  validate(rows);
  return given;
}

}  // namespace gapwise::internal::cli
