#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "gapwise/train.h"
#include "tasks/task.h"
#include "verbs/help.h"

namespace gapwise::internal::cli {
namespace {

/// Text that means itself in troff.
std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (out.empty() && (c == '.' || c == '\'')) {
      out += fmt::format("\\&{}", c);
    } else {
      out += c;
    }
  }
  return out;
}

/// A word that may stand in quotes.
std::string argument(std::string_view text) {
  std::string out = quoted(text);
  for (std::size_t at = 0; (at = out.find('"', at)) != std::string::npos; at += 4) {
    out.replace(at, 1, "\\(dq");
  }
  return out;
}

/// Choices may be many: a line may break behind each.
std::string breakable(std::string_view text) {
  std::string out;
  for (const char c : argument(text)) {
    out += c;
    if (c == '|') out += "\\:";
  }
  return out;
}

std::string head(const std::string& name, std::string_view summary) {
  std::string title = name;
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return fmt::format(".TH {} 1 \"\" \"gapwise {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                     quoted(title), GAPWISE_VERSION, quoted(name), quoted(summary));
}

std::string entry(const std::string& term, std::string_view words) {
  return fmt::format(".TP\n{}\n{}\n", term, quoted(words));
}

std::string solver_list() {
  std::string out = ".SH SOLVERS\n";
  for (const SolverInfo& solver : solvers()) {
    out += entry(fmt::format(".B {}", quoted(solver.name)), solver.help);
  }
  return out;
}

std::string task_list() {
  std::string out = ".SH TASKS\n";
  for (const std::string_view name : task_names()) {
    const auto driver = make_task_driver(name);
    out +=
        entry(fmt::format(".B {}", quoted(name)),
              fmt::format("{}; formats: {}", driver->help(), fmt::join(driver->formats(), ", ")));
  }
  return out;
}

}  // namespace

std::string man_page() {
  std::string out = head("gapwise", "trains structured predictors and proves how good they are");
  out +=
      ".SH SYNOPSIS\n.B gapwise\n.I VERB\n[\n.I OPTION\n]...\n.SH DESCRIPTION\n"
      "Sequence taggers, parsers, aligners, segmenters and classifiers of several labels are "
      "trained by large\\-margin optimisation. Training stops on a certified duality gap: a bound "
      "on the distance to the best possible value of the objective.\n.PP\nStart with\n"
      ".BR \"gapwise demo\" .\n.SH VERBS\n";
  for (const Verb& verb : verbs()) {
    out += entry(fmt::format(".BR gapwise\\-{} (1)", quoted(verb.name)), verb.summary);
  }
  out +=
      ".SH EXIT STATUS\n0 done; 1 internal error; 2 usage or an option out of range; 3 bad data or "
      "a file that cannot be written; 4 ended by a signal with everything saved; 5 "
      "\\-\\-require\\-converged and the gap was not reached; 6 not proven.\n"
      ".SH ENVIRONMENT\n" +
      entry(".B NO_COLOR", "no colours, whatever the terminal");
  return out;
}

std::string man_page(const Verb& verb) {
  const auto command = verb.make();
  std::string out = head(fmt::format("gapwise-{}", verb.name), verb.summary);
  out += fmt::format(".SH SYNOPSIS\n.B gapwise {}\n{}\n.SH OPTIONS\n", quoted(verb.name),
                     quoted(verb.usage));
  for (const OptionGroup& group : groups_of(verb)) {
    out += fmt::format(".SS {}\n", quoted(group.title));
    for (const Option& row : group.rows) {
      out +=
          entry(fmt::format(".BI \\-\\-{} \" {}\"", quoted(row.name), breakable(row.placeholder)),
                fmt::format("{} ({})", with_options(row.help, "--"), note_of(*command, row)));
    }
  }
  if (command->depends_on_task()) out += solver_list() + task_list();
  return out + ".SH SEE ALSO\n.BR gapwise (1)\n";
}

}  // namespace gapwise::internal::cli
