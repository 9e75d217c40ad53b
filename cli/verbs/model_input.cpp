#include "verbs/model_input.h"

namespace gapwise::internal::cli {

OptionTable ModelInput::rows() {
  Option format = option("format", source.format, "NAME", "form of the data");
  format.fallback = "the one the model was trained on";
  Option count = option("threads", threads, between(1, 1024), "N",
                        "threads to use; results do not depend on it");
  count.fallback = "all cores";
  return {option("model", model, "FILE", "the model, as 'train' wrote it"),
          option("data", source.path, "FILE", "the data; '-' is standard input"), std::move(format),
          option("folds", source.folds, "FOLDS", "only these folds, as in 0 or 1,3,5-7"),
          std::move(count)};
}

std::unique_ptr<Predictor> ModelInput::open() const {
  ModelRecord loaded = load_model(model);
  const auto driver = make_task_driver(loaded.task);
  return driver->open(std::move(loaded));
}

std::unique_ptr<Threads> make_threads(const std::optional<Index>& count) {
  if (!count) return std::make_unique<Threads>();
  return std::make_unique<Threads>(static_cast<int>(*count));
}

}  // namespace gapwise::internal::cli
