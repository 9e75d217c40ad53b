#include "app/rounds/label_rounds.h"

#include <fmt/format.h>

#include "app/training_run.h"
#include "tasks/partly_known.h"

namespace gapwise::internal {
namespace {

/// Passes the wish to stop on to the runs of rounds.
class RoundWatcher final : public Observer {
 public:
  explicit RoundWatcher(Observer& user) : user_(user) {}
  bool wants_stop() override { return user_.wants_stop(); }

 private:
  Observer& user_;
};

void check_options(const TrainOptions& options, const FitSettings& settings) {
  if (options.lambda.is_auto) {
    throw OptionError(
        "lambda cannot be chosen while labels are not known; give \1lambda a number, or 1/n");
  }
  if (options.keep_outputs) {
    throw OptionError(
        "a proof is of labels that others can read, but some are not known; leave out \1proof and "
        "\1keep-outputs, or complete the labels first");
  }
  const auto& needs = solver_info(options.solver).needs;
  if (std::find(needs.begin(), needs.end(), Capability::kKernelInputs) != needs.end()) {
    throw OptionError(fmt::format(
        "labels that are not known are completed by weights, which solver {} does not have; take "
        "another one",
        options.solver));
  }
  if (settings.label_rounds < 2) {
    throw OptionError(fmt::format("label-rounds = {} must be >= 2", settings.label_rounds));
  }
}

/// Labels that are others than before; all of them if there were none.
Index count_changes(const std::vector<std::int32_t>& before,
                    const std::vector<std::int32_t>& after) {
  if (before.empty()) return std::ssize(after);
  Index changed = 0;
  for (std::size_t k = 0; k < after.size(); ++k) changed += before[k] != after[k] ? 1 : 0;
  return changed;
}

}  // namespace

bool has_unknown_labels(const Examples& examples) {
  const ExampleSet& set = examples.set();
  return !set.is_own() && set.training().partly_known() != nullptr;
}

Examples complete_labels(const Examples& examples, const TrainOptions& options, Observer& observer,
                         const FitSettings& settings) {
  check_options(options, settings);
  const ExampleSet& whole = examples.set();
  const PartlyKnown& partly = *whole.training().partly_known();
  const auto threads = make_threads(options.threads);
  FitSettings plain;
  plain.stop = settings.stop;
  RoundWatcher watcher(observer);

  LabelRounds done{partly.num_unknown(), {}};
  std::unique_ptr<TrainingSet> next = partly.known_alone();
  std::vector<std::int32_t> labels;
  for (Index number = 1; number < settings.label_rounds; ++number) {
    const Index pieces = next->problem().num_blocks();
    TrainOptions now = options;
    // What is known may come in more pieces than there are examples; together they weigh the same.
    const double share = static_cast<double>(partly.num_examples()) / static_cast<double>(pieces);
    now.lambda = Lambda::of(share * options.lambda.resolve(partly.num_examples()));
    const Examples part(std::make_shared<const ExampleSet>(whole, std::move(next), LabelRounds()));
    const auto data =
        std::make_shared<const TrainingData>(part, std::nullopt, settings.oracle_delay);
    const Fit round = run_fit(data, now, plain, watcher);
    CompletedExamples completed = partly.complete(round.report.w, *threads);
    const Index changed = count_changes(labels, completed.labels);
    labels = std::move(completed.labels);
    next = std::move(completed.set);
    done.rounds.push_back({number, changed, round.report.reason, round.report.progress});
    observer.on_round(done.rounds.back());
    if (changed == 0 || round.report.reason == StopReason::kInterrupted) break;
  }
  return Examples(std::make_shared<const ExampleSet>(whole, std::move(next), std::move(done)));
}

}  // namespace gapwise::internal
