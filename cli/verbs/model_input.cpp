#include "verbs/model_input.h"

namespace gapwise::internal::cli {

OptionTable ModelInput::rows() {
  Option format = option("format", source.format, "NAME", "form of the data");
  format.fallback = "the one the model was trained on";
  return {option("model", model, "FILE", "the model, as 'train' wrote it"),
          option("data", source.path, "FILE", "the data; '-' is standard input"), std::move(format),
          option("folds", source.folds, "FOLDS", "only these folds, as in 0 or 1,3,5-7"),
          threads_row(threads)};
}

Option threads_row(ThreadCount& threads) {
  Option row = option("threads", threads, between(1, 1024), "N",
                      "threads to use; results do not depend on it");
  row.fallback = "all cores";
  return row;
}

}  // namespace gapwise::internal::cli
