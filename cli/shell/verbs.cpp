#include <fmt/format.h>

#include "core/suggestion.h"
#include "shell/arguments.h"
#include "shell/command.h"

namespace gapwise::internal::cli {

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> kVerbs{
      {"train", "--data F [--test F] [--model OUT] [--trace OUT] ...",
       "learn a model and certify its duality gap", make_train},
      {"predict", "--model M --data F [--output F]", "label new data with a model", make_predict},
      {"evaluate", "--model M --data F", "measure a model on labelled data", make_evaluate},
      {"calibrate", "--model M --data F [--test F] [--output M2]",
       "fit the probabilities of a model to labelled data", make_calibrate},
      {"verify", "--model M --proof P --data F ...",
       "prove that a model is as near to the optimum as it claims", make_verify},
      {"compare", "--data F [--test F] --solvers LIST --output DIR ...",
       "run several solvers on the same data with the same budget", make_compare},
      {"path", "--data F [--test F] --path OUT [--epsilon E] ...",
       "weights for every lambda, each within epsilon of its optimum", make_path},
      {"inspect", "M [--top N]", "show what is in a model: settings, sizes, top weights",
       make_inspect},
      {"report", "RUN... [--output F] [--model M --data F]",
       "one HTML page of curves, tables and what a model gets wrong", make_report},
      {"export", "RUN... [--csv F] [--script F]",
       "the numbers of runs as CSV, with a script that draws them", make_export},
      {"cite", "RUN...", "BibTeX entries of the methods that runs have used", make_cite},
      {"demo", "[--output DIR]", "make a small data set, train on it, show what came out",
       make_demo},
      {"sample", "--task T [--examples N] [--output F]",
       "write a small random data set of a task, to try it or to see its format", make_sample},
      {"help", "[VERB]", "list the verbs, or everything about one of them", make_help},
  };
  return kVerbs;
}

const Verb& find_verb(const std::string& name) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) {
    if (verb.name == name) return verb;
    names.emplace_back(verb.name);
  }
  throw OptionError(fmt::format("unknown verb '{}'{} ('gapwise help' lists them)", name,
                                suggestion(name, names)));
}

}  // namespace gapwise::internal::cli
