#include "verbs/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "gapwise/train.h"
#include "shell/text.h"
#include "tasks/task.h"

namespace gapwise::internal::cli {
namespace {

constexpr std::size_t kColumn = 26;

std::string head_of(const Option& row) {
  return fmt::format("--{} {}", row.name, row.placeholder);
}

std::string default_of(const Option& row) {
  return row.fallback.empty() ? "none" : row.fallback;
}

bool is_required(const Command& command, const Option& row) {
  const auto names = command.required();
  return std::find(names.begin(), names.end(), row.name) != names.end();
}

std::string solver_list() {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const SolverInfo& solver : solvers()) {
    rows.emplace_back(solver.name, solver.help);
  }
  return two_columns(rows, kColumn);
}

std::string task_list() {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const std::string_view name : task_names()) {
    const auto driver = make_task_driver(name);
    rows.emplace_back(
        name, fmt::format("{}; formats: {}", driver->help(), fmt::join(driver->formats(), ", ")));
  }
  return two_columns(rows, kColumn);
}

std::string markdown_table(const Command& command, const OptionGroup& group) {
  const auto escaped = [](const std::string& text) {
    std::string result;
    for (const char c : text) {
      if (c == '|') result += '\\';
      result += c;
    }
    return result;
  };
  std::string out = "| option | meaning | default |\n|---|---|---|\n";
  for (const Option& row : group.rows) {
    out += fmt::format("| `{}` | {} | {} |\n", escaped(head_of(row)),
                       escaped(with_options(row.help, "--")),
                       is_required(command, row) ? "required" : escaped(default_of(row)));
  }
  return out;
}

/// docs/options.md.
std::string help_markdown() {
  std::string out =
      "# Options\n\nMade by `gapwise help --markdown` from the tables the program itself reads; "
      "do not edit.\n";
  for (const Verb& verb : verbs()) {
    const auto command = verb.make();
    out += fmt::format("\n## gapwise {}\n\n`gapwise {} {}`: {}.\n", verb.name, verb.name,
                       verb.usage, verb.summary);
    for (const OptionGroup& group : groups_of(verb)) {
      out += fmt::format("\n### {}: {}\n\n{}", verb.name, group.title,
                         markdown_table(*command, group));
    }
  }
  out += "\n## Solvers\n\n| solver | what |\n|---|---|\n";
  for (const SolverInfo& solver : solvers()) {
    out += fmt::format("| `{}` | {} |\n", solver.name, solver.help);
  }
  out += "\n## Tasks\n\n| task | what | formats |\n|---|---|---|\n";
  for (const std::string_view name : task_names()) {
    const auto driver = make_task_driver(name);
    out += fmt::format("| `{}` | {} | {} |\n", name, driver->help(),
                       fmt::join(driver->formats(), ", "));
  }
  return out;
}

class Help : public Command {
 public:
  OptionTable rows() override {
    return {option("verb", verb_, "VERB", "the verb to explain; may stand without '--verb'"),
            option("task", task_, "TASK", "show the options of this task"),
            flag("markdown", markdown_, "the reference of all options as a Markdown page"),
            flag("man", man_, "a page of the manual, as troff: of the program or of a verb"),
            choice("completion", shell_, "a script for this shell that completes options")};
  }
  std::string_view positional() const override { return "verb"; }

  void run(const std::set<std::string>& given) override {
    if (given.contains("completion")) {
      fmt::print("{}", completion(shell_));
    } else if (man_) {
      fmt::print("{}", given.contains("verb") ? man_page(find_verb(verb_)) : man_page());
    } else if (markdown_) {
      fmt::print("{}", help_markdown());
    } else if (given.contains("verb")) {
      fmt::print("{}", help_on(find_verb(verb_),
                               given.contains("task") ? Arguments{"--task", task_} : Arguments{}));
    } else {
      fmt::print("{}", help_overview());
    }
  }

 private:
  std::string verb_;
  std::string task_;
  bool markdown_ = false;
  bool man_ = false;
  Shell shell_ = Shell::kBash;
};

}  // namespace

std::string note_of(const Command& command, const Option& row) {
  return is_required(command, row) ? "required" : "default: " + default_of(row);
}

std::vector<OptionGroup> groups_of(const Verb& verb) {
  std::vector<OptionGroup> groups = verb.make()->options();
  for (const std::string_view task : task_names()) {
    const auto command = verb.make();
    command->prepare({"--task", std::string(task)});
    for (OptionGroup& group : command->options()) {
      const bool is_known =
          std::any_of(groups.begin(), groups.end(),
                      [&](const OptionGroup& other) { return other.title == group.title; });
      if (!is_known) groups.push_back(std::move(group));
    }
  }
  return groups;
}

std::string help_overview() {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Verb& verb : verbs()) rows.emplace_back(verb.name, verb.summary);
  return fmt::format(
      "gapwise {}: trains structured predictors and proves how good the result is.\n\n"
      "usage: gapwise VERB [OPTION]...\n\n{}\n"
      "'gapwise help VERB' explains one of them, 'gapwise --version' tells the version.\n"
      "Start with 'gapwise demo'.\n",
      GAPWISE_VERSION, two_columns(rows, 13));
}

std::string help_on(const Verb& verb, const Arguments& args) {
  const auto command = verb.make();
  command->prepare(args);
  std::string out = fmt::format("gapwise {}: {}\n\nusage: gapwise {} {}\n", verb.name, verb.summary,
                                verb.name, verb.usage);
  for (const OptionGroup& group : command->options()) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const Option& row : group.rows) {
      rows.emplace_back(head_of(row), fmt::format("{} ({})", with_options(row.help, "--"),
                                                  note_of(*command, row)));
    }
    out += fmt::format("\n{}\n{}", group.title, two_columns(rows, kColumn));
  }
  if (command->depends_on_task()) {
    out += fmt::format(
        "\nsolvers\n{}\ntasks\n{}\nOther tasks have other options: gapwise help {} --task TASK.\n",
        solver_list(), task_list(), verb.name);
  }
  return out;
}

const MakeCommand make_help = make_command<Help>;

}  // namespace gapwise::internal::cli
