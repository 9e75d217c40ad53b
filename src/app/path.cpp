#include "gapwise/path.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "app/checkpoint.h"
#include "app/path_file.h"
#include "app/training_run.h"
#include "io/fields.h"
#include "solve/path_start.h"

namespace gapwise::internal {
namespace {

/// What decides the path besides the data, by name.
std::map<std::string, std::string> identity_of(const TrainingData& data,
                                               const TrainOptions& options) {
  std::map<std::string, std::string> identity = data.identity();
  for (const auto& [name, value] : values_of(options)) {
    if (name != "lambda" && !may_change(name)) identity[name] = value;
  }
  return identity;
}

void check_settings(const TrainOptions& options, const PathSettings& settings) {
  const SolverInfo& solver = solver_info(options.solver);
  if (!solver.has_dual || solver.objective != Objective::kL1 ||
      options.kernel != KernelKind::kLinear || options.average != Average::kNone) {
    throw OptionError(
        fmt::format("a path needs a solver with a dual of the hinge loss, without kernel and "
                    "average; \1solver {} with \1average {} is not one: take auto, or leave out "
                    "\1average",
                    options.solver, name_of(options.average)));
  }
  const auto check = [](const char* name, double value, bool is_right, const char* wanted) {
    if (!is_right) throw OptionError(fmt::format("\1{} = {} must be {}", name, value, wanted));
  };
  const double epsilon = settings.epsilon.value_or(settings.relative_epsilon);
  check(settings.epsilon ? "epsilon" : "relative-epsilon", epsilon, epsilon > 0.0, "> 0");
  check("kappa", settings.kappa, settings.kappa > 0.0 && settings.kappa < 1.0, "> 0 and < 1");
  check("lambda-min", settings.lambda_min, settings.lambda_min > 0.0, "> 0");
  check("checkpoint-seconds", settings.checkpoint_seconds, settings.checkpoint_seconds >= 0.0,
        ">= 0");
}

/// Makes a path: break point after break point, each run started from the one before.
class PathMaker final : public Observer {
 public:
  PathMaker(const Examples& examples, const TrainOptions& options, const PathSettings& settings,
            PathObserver& user)
      : settings_(settings),
        user_(user),
        data_(std::make_shared<const TrainingData>(examples, settings.test, settings.oracle_delay)),
        options_(fitted(options, data_->problem())),
        threads_(make_threads(options.threads)),
        file_(settings.file) {}

  Path make() {
    OracleTeam team(data_->problem(), threads_->count());
    const PathStart start = find_path_start(data_->problem(), nonnegative(), team);
    const double epsilon =
        settings_.epsilon ? *settings_.epsilon : settings_.relative_epsilon * start.mean_loss;
    if (!(epsilon > 0.0)) {
      throw InputError(
          "no output of any training example has a loss, so there is nothing to learn");
    }
    target_ = settings_.kappa * epsilon;
    open(start.mean_loss);
    path_->set_epsilon(epsilon);
    if (!covers_above()) begin(start);
    while (path_->lambda_end() > settings_.lambda_min) {
      if (!next_point()) break;
    }
    if (!is_saved_) save_state();
    return Path(path_);
  }

  void on_pass(const Progress& progress, const Snapshot& run) override {
    user_.on_pass(progress, run);
    if (seconds_since_save() >= settings_.checkpoint_seconds) save_state();
  }
  void on_measure(const Progress& progress, Weights w) override { user_.on_measure(progress, w); }
  void on_stop(const Progress& progress, const Snapshot& run) override {
    // Before the last gap pass, which a run with a larger budget would not make here.
    if (!progress.primal) save_state();
    is_saved_ = !progress.primal;
    user_.on_stop(progress, run);
  }
  bool wants_stop() override { return user_.wants_stop(); }

 private:
  NonnegativeSet nonnegative() const {
    return {data_->problem().weight_groups(), options_.nonnegative};
  }

  /// An empty path, or that of the file with the run that was under way.
  void open(double mean_loss) {
    const Problem& problem = data_->problem();
    PathHeader header;
    header.identity = identity_of(*data_, options_);
    header.fingerprint = problem.fingerprint();
    header.mean_loss = mean_loss;
    const std::vector<double> nothing(static_cast<std::size_t>(problem.dimension()), 0.0);
    header.model = data_->make_record(nothing, nullptr, Keep::kAll);
    if (!file_.exists()) {
      path_ = std::make_shared<PathData>(std::move(header));
      std::error_code ignored;
      std::filesystem::remove(state_path(), ignored);  // of a path that is gone
      if (file_.is_kept()) file_.start(path_->header());
      return;
    }
    path_ = std::make_shared<PathData>(file_.read());
    if (path_->header().fingerprint != header.fingerprint) {
      throw InputError(
          fmt::format("{}: is a path of other training data or other features; name another file",
                      file_.path()));
    }
    check_same_options(file_.path(), path_->header().identity, header.identity);
    std::error_code ignored;
    if (std::filesystem::exists(state_path(), ignored)) restore();
  }

  /// Takes over the run of the state file, and forgets points that came after it: they will come
  /// again.
  void restore() {
    const auto notes = read_checkpoint_notes(state_path());
    Index count = 0;
    double lambda = 0.0;
    if (notes.trace.size() != 2 || !parse_index(notes.trace[0], count) ||
        parse_value(notes.trace[1], lambda) != ValueText::kGood || lambda <= 0.0) {
      throw InputError(fmt::format("{}: is the checkpoint of no path; remove it", state_path()));
    }
    const auto points = static_cast<std::size_t>(count);
    if (points > file_.size()) return;  // the file was cut short, and the state is ahead of it
    run_ = make_run(lambda);
    resume(state_path(), data_->identity(), run_->training);
    path_ = std::make_shared<PathData>(file_.read(points));
    is_restored_ = true;
  }

  std::shared_ptr<FinishedRun> make_run(double lambda) const {
    TrainOptions options = options_;
    options.lambda = Lambda::of(lambda);
    options.gap = target_;
    options.relative_gap.reset();
    // Budgets are those of the whole path, but for the passes of a point.
    if (options.max_seconds) *options.max_seconds = std::max(1e-3, *options.max_seconds - seconds_);
    if (options.max_oracle_calls) {
      *options.max_oracle_calls = std::max<Index>(1, *options.max_oracle_calls - oracle_calls_);
    }
    auto run = std::make_shared<FinishedRun>(data_, options);
    if (run->training.kernel() != nullptr) {
      throw OptionError("a path has no kernel models; take another solver, such as auto");
    }
    return run;
  }

  /// Whether the first point is good for every lambda above its own.
  bool covers_above() const {
    if (path_->points().empty()) return false;
    const PathPoint& first = path_->points().front();
    const double rest =
        path_->header().mean_loss - first.dual - 0.5 * first.lambda * first.squared_length;
    return std::max(first.gap(), rest) <= path_->epsilon();
  }

  /// The point at which every block gives its largest loss.
  void begin(const PathStart& start) {
    const double lambda = std::max(start.reach / target_, settings_.lambda_min);
    const auto run = make_run(lambda);
    run->training.start_from(start.mixtures);
    add(run->training.certify_start());
    run_ = run;
  }

  /// False if there is none: the run was stopped, or could not get near enough.
  bool next_point() {
    const double lambda = path_->lambda_end();
    if (!is_restored_ || run_->training.lambda() != lambda) {
      const auto next = make_run(lambda);
      if (run_) next->training.start_from(run_->training, Training::Keeps::kWeights);
      run_ = next;
    }
    is_restored_ = false;
    const Report report = run_->training.run(*this, {.flag = settings_.stop});
    seconds_ += report.progress.seconds;
    oracle_calls_ += report.progress.oracle_calls;
    if (report.reason == StopReason::kConverged) add(report);
    const bool goes_on = path_->lambda_end() < lambda;
    if (!goes_on) path_->set_reason(report.reason);
    return goes_on;
  }

  void add(const Report& report) {
    PathPoint point;
    point.lambda = report.lambda;
    point.primal = *report.progress.primal;
    point.dual = report.progress.dual;
    point.is_certified = report.progress.is_certified;
    for (const double x : report.w) point.squared_length += x * x;
    point.passes = report.progress.passes;
    point.oracle_calls = report.progress.oracle_calls;
    point.cached_steps = report.progress.cached_steps;
    if (settings_.has_clock) point.seconds = report.progress.seconds;
    if (data_->has_test()) point.test = data_->test(report.w, nullptr, *threads_);
    std::string weights = encode_weights(report.w);
    file_.add(point, path_->epsilon(), weights);
    user_.on_point(point);
    path_->add(std::move(point), std::move(weights));
  }

  std::string state_path() const { return settings_.file + ".state"; }

  void save_state() {
    if (!file_.is_kept() || !run_) return;
    try {
      save_checkpoint(state_path(),
                      {data_->identity(),
                       {std::to_string(file_.size()), fmt::format("{}", run_->training.lambda())}},
                      run_->training);
    } catch (const InputError& error) {
      user_.on_failure(error.what());  // the points are safe, and the path goes on
    }
    saved_at_ = std::chrono::steady_clock::now();
  }
  double seconds_since_save() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - saved_at_).count();
  }

  const PathSettings& settings_;
  PathObserver& user_;
  std::shared_ptr<const TrainingData> data_;
  TrainOptions options_;
  std::unique_ptr<Threads> threads_;
  PathFile file_;
  std::shared_ptr<PathData> path_;
  double target_ = 0.0;               ///< the gap of break points
  double seconds_ = 0.0;              ///< that this call has spent on runs that are over
  Index oracle_calls_ = 0;            ///< likewise
  std::shared_ptr<FinishedRun> run_;  ///< the last one, or the one that goes on
  bool is_restored_ = false;          ///< it is not known whether it was over
  bool is_saved_ = false;             ///< where it broke off
  std::chrono::steady_clock::time_point saved_at_ = std::chrono::steady_clock::now();
};

}  // namespace
}  // namespace gapwise::internal

namespace gapwise {

Path fit_path(const Examples& examples, const TrainOptions& options, const PathSettings& settings,
              PathObserver& observer) {
  internal::check_settings(options, settings);
  return internal::PathMaker(examples, options, settings, observer).make();
}

Path fit_path(const Examples& examples, const TrainOptions& options, const PathSettings& settings) {
  PathObserver nobody;
  return fit_path(examples, options, settings, nobody);
}

Path load_path(const std::string& file) {
  return Path(std::make_shared<internal::PathData>(internal::PathFile(file).read()));
}

}  // namespace gapwise
