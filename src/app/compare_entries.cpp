#include "app/compare_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/suggestion.h"
#include "gapwise/train.h"
#include "io/fields.h"

namespace gapwise::internal {
namespace {

constexpr std::size_t kLongestLabel = 100;
constexpr std::size_t kMostGaps = 10;

/// Options besides lambda that decide what is minimised, not how.
constexpr std::array<std::string_view, 5> kObjectiveOptions{
    "kernel", "kernel-degree", "kernel-gamma", "kernel-offset", "nonnegative"};

bool decides_objective(std::string_view name) {
  return std::find(kObjectiveOptions.begin(), kObjectiveOptions.end(), name) !=
         kObjectiveOptions.end();
}

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const SolverInfo& solver : solvers()) names.emplace_back(solver.name);
  return names;
}

void set_solver(const std::string& name, TrainOptions& options) {
  const std::vector<std::string> names = solver_names();
  if (name.empty()) throw OptionError("a solver is missing");
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw OptionError(fmt::format("there is no solver '{}'{} (there are {})", name,
                                  suggestion(name, names), fmt::join(names, ", ")));
  }
  options.solver = name;
}

/// One "name=value" of an entry; a flag needs no value.
void set_option(const std::string& setting, const OptionTable& table, std::set<std::string>& seen) {
  const std::size_t equals = setting.find('=');
  const std::string name = setting.substr(0, equals);
  const auto row = std::find_if(table.begin(), table.end(),
                                [&](const Option& option) { return option.name == name; });
  if (row == table.end()) {
    std::vector<std::string> names;
    for (const Option& option : table) names.push_back(option.name);
    throw OptionError(fmt::format("there is no setting '{}'{}", name, suggestion(name, names)));
  }
  if (!seen.insert(name).second) throw OptionError(fmt::format("'{}' is set twice", name));
  if (equals != std::string::npos) {
    row->set(setting.substr(equals + 1));
  } else if (row->is_flag) {
    row->set("yes");
  } else {
    throw OptionError(fmt::format("'{0}' needs a value, as in {0}={1}", name, row->placeholder));
  }
}

/// What of the options given for all entries is for this solver.
TrainOptions those_of(const std::string& solver, TrainOptions common) {
  TrainOptions options;
  set_solver(solver, options);
  const SolverInfo& info = solver_info(options.solver);
  if (!allows(info, common.sampling)) common.sampling = options.sampling;
  if (has_option(info, "sampling")) options.order = common.order;
  const OptionTable given = option_table(common);
  const OptionTable table = option_table(options);
  for (std::size_t k = 0; k < table.size(); ++k) {
    if (table[k].name == "solver" || given[k].get() == table[k].get()) continue;
    if (has_option(info, table[k].name)) {
      table[k].set(given[k].get());
    } else if (decides_objective(table[k].name)) {
      throw OptionError(
          fmt::format("\1{0} {1} is for all entries, but has no meaning for solver {2}; set it for "
                      "single entries, as in SOLVER:{0}={1}",
                      table[k].name, given[k].get(), options.solver));
    }
  }
  return options;
}

TrainOptions parse_options(const std::string& text, const TrainOptions& common) {
  const std::vector<std::string> pieces = split(text, ':');
  TrainOptions options = those_of(pieces.front(), common);
  OptionTable table = option_table(options);
  std::erase_if(table, [](const Option& row) { return row.name == "solver"; });
  std::set<std::string> seen;
  for (std::size_t k = 1; k < pieces.size(); ++k) set_option(pieces[k], table, seen);
  validate(table);
  return options;
}

std::string objective_of(TrainOptions options) {
  std::string objective;
  for (const Option& row : option_table(options)) {
    if (!decides_objective(row.name)) continue;
    objective += fmt::format("{}={} ", row.name, row.get());
  }
  const bool is_l2 = solver_info(options.solver).objective == Objective::kL2;
  return objective + (is_l2 ? "l2" : "l1");
}

/// Other characters than letters, digits and a few signs are dangerous in the name of a file.
std::string safe_name(const std::string& text) {
  std::string name;
  for (const char c : text.substr(0, kLongestLabel)) {
    const bool is_safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '-' || c == '=' || c == '.';
    name += is_safe ? c : c == ':' ? '+' : '_';
  }
  return name;
}

std::string new_label(const std::string& text, std::set<std::string>& taken) {
  const std::string name = safe_name(text);
  std::string label = name;
  for (int k = 2; !taken.insert(label).second; ++k) label = fmt::format("{}-{}", name, k);
  return label;
}

}  // namespace

std::vector<CompareEntry> parse_entries(const std::string& list, const TrainOptions& common) {
  std::vector<CompareEntry> entries;
  std::set<std::string> labels;
  for (const std::string& text : split(list, ',')) {
    try {
      const TrainOptions options = parse_options(text, common);
      entries.push_back({text, new_label(text, labels), options, objective_of(options)});
    } catch (const OptionError& error) {
      throw OptionError(fmt::format("\1solvers, entry '{}': {}", text, error.marked()));
    }
  }
  return entries;
}

std::vector<double> parse_gaps(const std::string& list) {
  std::set<double, std::greater<>> gaps;
  for (const std::string& text : split(list, ',')) {
    const double gap = detail::parse_number("gaps", text);
    if (!(gap > 0.0 && gap <= 1.0)) {
      throw OptionError(
          fmt::format("\1gaps: {} is not a relative gap; it must be > 0 and <= 1", gap));
    }
    gaps.insert(gap);
  }
  if (gaps.size() > kMostGaps) {
    throw OptionError(fmt::format("\1gaps names {} gaps; name at most {}", gaps.size(), kMostGaps));
  }
  return {gaps.begin(), gaps.end()};
}

}  // namespace gapwise::internal
