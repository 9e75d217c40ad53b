#include "verbs/model_input.h"

#include <fmt/format.h>

#include "gapwise/path.h"

namespace gapwise::internal::cli {

OptionTable ModelChoice::rows() {
  return {option("model", model, "FILE", "the model, as 'train' wrote it"),
          option("path", path, "FILE", "in its place: a path, as 'path' wrote it, with --lambda"),
          option("lambda", lambda, at_least(0.0), "X", "where to take the path")};
}

Model ModelChoice::load() const {
  if (model.empty() == path.empty()) {
    throw OptionError("give --model FILE, or --path FILE with --lambda X");
  }
  if (path.empty() == lambda.has_value()) {
    throw OptionError("--path FILE and --lambda X go together");
  }
  if (path.empty()) return gapwise::load_model(model);
  const Path whole = load_path(path);
  const PathValue value = whole.at(*lambda);
  fmt::print(stderr,
             "lambda {}: the weights found at {:.5g}{}; objective {:.6g}, {} {:.3g} above "
             "its optimum\n",
             *lambda, whole.points()[value.point].lambda,
             value.factor == 1.0 ? "" : fmt::format(" times {:.5g}", value.factor), value.primal,
             value.is_certified ? "certified to be at most" : "not certified: about", value.gap());
  return whole.model(*lambda);
}

OptionTable ModelInput::rows() {
  Option format = option("format", source.format, "NAME", "form of the data");
  format.fallback = "the one the model was trained on";
  OptionTable rows = model.rows();
  rows.push_back(option("data", source.path, "FILE", "the data; '-' is standard input"));
  rows.push_back(std::move(format));
  rows.push_back(option("folds", source.folds, "FOLDS", "only these folds, as in 0 or 1,3,5-7"));
  rows.push_back(threads_row(threads));
  return rows;
}

Option threads_row(ThreadCount& threads) {
  Option row = option("threads", threads, between(1, 1024), "N",
                      "threads to use; results do not depend on it");
  row.fallback = "all cores";
  return row;
}

}  // namespace gapwise::internal::cli
