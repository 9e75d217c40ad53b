#include "run/checkpoint.h"
#include "run/outputs.h"
#include "run/session.h"
#include "verbs/model_input.h"
#include "verbs/train.h"

namespace gapwise::internal::cli {
namespace {

void check_files(const TrainSettings& settings) {
  check_output("model", settings.model);
  check_output("trace", settings.trace);
  check_output("checkpoint", settings.checkpoint);
  check_regular("trace", settings.trace);
  check_distinct("model", settings.model, "trace", settings.trace);
  check_distinct("model", settings.model, "checkpoint", settings.checkpoint);
  check_distinct("trace", settings.trace, "checkpoint", settings.checkpoint);
  for (const auto& [name, input] :
       {std::pair{"data", settings.data}, std::pair{"test", settings.test},
        std::pair{"order", settings.order}}) {
    check_distinct(name, input, "model", settings.model);
    check_distinct(name, input, "trace", settings.trace);
    check_distinct(name, input, "checkpoint", settings.checkpoint);
  }
  if (!settings.resume.empty()) check_checkpoint(settings.resume);
}

}  // namespace

Trained run_training(TaskDriver& driver, const TrainSettings& settings,
                     const TrainOptions& options) {
  check_files(settings);
  const Session session(driver, settings, *make_threads(options.threads));
  return session.run(settings, options, session.describe());
}

}  // namespace gapwise::internal::cli
