#include <fmt/format.h>

#include <set>

#include "gapwise/train.h"
#include "verbs/help.h"

namespace gapwise::internal::cli {
namespace {

/// What may stand behind an option.
struct Values {
  std::string words;  ///< separated by blanks; empty: anything
  bool is_file = false;
  bool is_folder = false;
};

Values values_of(const Option& row) {
  Values values;
  if (row.is_flag) {
    values.words = "yes no";
  } else if (row.placeholder.find('|') != std::string::npos) {
    for (const char c : row.placeholder) values.words += c == '|' ? ' ' : c;
  }
  if (row.name == "solver" || row.name == "solvers") {  // too many for a placeholder
    for (const SolverInfo& solver : solvers()) values.words += fmt::format("{} ", solver.name);
  }
  values.is_file = row.placeholder == "FILE" || row.placeholder == "RUN";
  values.is_folder = row.placeholder == "DIR";
  return values;
}

/// All options of a verb, whatever the task, each once.
OptionTable rows_of(const Verb& verb) {
  OptionTable rows;
  std::set<std::string> seen;
  for (const OptionGroup& group : groups_of(verb)) {
    for (const Option& row : group.rows) {
      if (seen.insert(row.name).second) rows.push_back(row);
    }
  }
  return rows;
}

std::string verb_names() {
  std::string names;
  for (const Verb& verb : verbs())
    names += fmt::format("{}{}", names.empty() ? "" : " ", verb.name);
  return names;
}

/// The first part of a help text, without what a shell or its list would mistake.
std::string short_help(const Option& row) {
  const std::string help = with_options(row.help, "--");
  std::string out;
  for (const char c : help.substr(0, help.find(';'))) {
    if (std::string_view("'\"[]\\:`$").find(c) == std::string_view::npos) out += c;
  }
  return out;
}

std::string bash_completion() {
  std::string out =
      "# bash completion of gapwise; made by 'gapwise help --completion bash'.\n"
      "_gapwise() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"" +
      verb_names() +
      " --version --help\" -- \"$word\"))\n"
      "    return\n  fi\n"
      "  case \"${COMP_WORDS[1]} $before\" in\n";
  std::string options;
  for (const Verb& verb : verbs()) {
    std::string names;
    for (const Option& row : rows_of(verb)) {
      names += fmt::format("{}--{}", names.empty() ? "" : " ", row.name);
      const Values values = values_of(row);
      const std::string how = !values.words.empty() ? fmt::format("-W \"{}\"", values.words)
                              : values.is_folder    ? "-d"
                              : values.is_file      ? "-f"
                                                    : "";
      if (how.empty() || row.is_flag) continue;
      out += fmt::format("    '{} --{}') COMPREPLY=($(compgen {} -- \"$word\")); return ;;\n",
                         verb.name, row.name, how);
    }
    options +=
        fmt::format("    {}) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")) ;;\n", verb.name, names);
  }
  return out +
         "  esac\n  case $word in\n    -*) ;;\n    *) COMPREPLY=($(compgen -f -- \"$word\")) " +
         (";;\n  esac\n  if [ ${#COMPREPLY[@]} -gt 0 ]; then return; fi\n"
          "  case ${COMP_WORDS[1]} in\n") +
         options + "  esac\n}\ncomplete -o filenames -F _gapwise gapwise\n";
}

std::string zsh_completion() {
  std::string out =
      "#compdef gapwise\n# zsh completion of gapwise; made by 'gapwise help --completion zsh'.\n"
      "_gapwise() {\n  local -a verbs\n  verbs=(\n";
  for (const Verb& verb : verbs()) {
    out += fmt::format("    '{}:{}'\n", verb.name, verb.summary);
  }
  out +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe verb verbs\n    return\n  fi\n"
      "  local verb=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $verb in\n";
  for (const Verb& verb : verbs()) {
    out += fmt::format("    {})\n      _arguments \\\n", verb.name);
    for (const Option& row : rows_of(verb)) {
      const Values values = values_of(row);
      const std::string action = !values.words.empty() ? fmt::format("({})", values.words)
                                 : values.is_folder    ? "_files -/"
                                 : values.is_file      ? "_files"
                                                       : " ";
      out += fmt::format("        '--{}[{}]{}'{} \\\n", row.name, short_help(row),
                         row.is_flag ? "" : fmt::format(":{}:", row.name),
                         row.is_flag ? "" : fmt::format("'{}'", action));
    }
    out += "        '*:file:_files'\n      ;;\n";
  }
  return out + "  esac\n}\n_gapwise \"$@\"\n";
}

std::string fish_completion() {
  std::string out =
      "# fish completion of gapwise; made by 'gapwise help --completion fish'.\n"
      "complete -c gapwise -n __fish_use_subcommand -l version -d 'tell the version'\n";
  for (const Verb& verb : verbs()) {
    out += fmt::format("complete -c gapwise -f -n __fish_use_subcommand -a {} -d '{}'\n", verb.name,
                       verb.summary);
  }
  for (const Verb& verb : verbs()) {
    for (const Option& row : rows_of(verb)) {
      const Values values = values_of(row);
      std::string how = " -x";
      if (row.is_flag) {
        how = "";
      } else if (!values.words.empty()) {
        how = fmt::format(" -xa '{}'", values.words);
      } else if (values.is_folder) {
        how = " -xa '(__fish_complete_directories)'";
      } else if (values.is_file) {
        how = " -rF";
      }
      out +=
          fmt::format("complete -c gapwise -n '__fish_seen_subcommand_from {}' -l {}{} -d '{}'\n",
                      verb.name, row.name, how, short_help(row));
    }
  }
  return out;
}

}  // namespace

std::string completion(Shell shell) {
  switch (shell) {
    case Shell::kBash:
      return bash_completion();
    case Shell::kZsh:
      return zsh_completion();
    case Shell::kFish:
      break;
  }
  return fish_completion();
}

}  // namespace gapwise::internal::cli
