#include "app/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "app/checkpoint.h"
#include "core/weighted_problem.h"
#include "io/fields.h"

namespace gapwise::internal {
namespace {

/// What decides the points besides the data, by name. Those of a path have gaps of their own; the
/// weights of a grid follow from the gap and the passes that are asked for.
std::map<std::string, std::string> identity_of(const TrainingData& data,
                                               const TrainOptions& options,
                                               const PathSettings& settings) {
  static const std::set<std::string_view> decides_grid{"gap", "relative-gap", "max-passes"};
  const bool is_grid = !settings.grid.empty();
  std::map<std::string, std::string> identity = data.identity();
  for (const auto& [name, value] : values_of(options)) {
    const bool decides = !may_change(name) || (is_grid && decides_grid.contains(name));
    if (name != "lambda" && decides) identity[name] = value;
  }
  if (is_grid) identity["warm"] = settings.starts_warm ? "yes" : "no";
  return identity;
}

/// Each run has its own.
TrainOptions without_lambda(TrainOptions options) {
  options.lambda = Lambda();
  return options;
}

void check_path(const TrainOptions& options) {
  const SolverInfo& solver = solver_info(options.solver);
  if (!solver.has_dual || solver.objective != Objective::kL1 || options.average != Average::kNone) {
    throw OptionError(
        fmt::format("a path needs a solver with a dual of the hinge loss, without kernel and "
                    "average; \1solver {} with \1average {} is not one: take auto, leave out "
                    "\1average, or give a \1grid",
                    options.solver, name_of(options.average)));
  }
}

void check_grid(const std::vector<double>& grid) {
  for (std::size_t k = 0; k < grid.size(); ++k) {
    const bool falls = k == 0 || grid[k] < grid[k - 1];
    if (grid[k] > 0.0 && grid[k] <= std::numeric_limits<double>::max() && falls) continue;
    throw OptionError(fmt::format(
        "\1grid: {} comes at place {}; give positive numbers, each smaller than the one "
        "before",
        grid[k], k + 1));
  }
}

}  // namespace

void check_sweep(const TrainOptions& options, const PathSettings& settings) {
  if (solver_info(options.solver).name == "kernel-bcfw" || options.kernel != KernelKind::kLinear) {
    throw OptionError(
        "there are no paths and grids of kernel models; take another \1solver, such "
        "as auto");
  }
  if (settings.grid.empty()) check_path(options);
  check_grid(settings.grid);
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

Sweep::Sweep(std::shared_ptr<const TrainingData> data, const TrainOptions& options,
             const PathSettings& settings, PathObserver& user)
    : settings_(settings),
      user_(user),
      data_(std::move(data)),
      options_(fitted(without_lambda(options), data_->problem())),
      threads_(make_threads(options.threads)),
      file_(settings.file) {
  if (!is_grid()) {
    const ObjectiveForm form(data_->problem(), Hinge::kPlain);
    OracleTeam team(form.problem(), threads_->count());
    start_ = find_path_start(form.problem(), nonnegative(), team);
    const double epsilon =
        settings_.epsilon.value_or(settings_.relative_epsilon * start_.mean_loss);
    if (!(epsilon > 0.0)) {
      throw InputError(
          "no output of any training example has a loss, so there is nothing to learn");
    }
    target_ = settings_.kappa * epsilon;
    open();
    path_->set_epsilon(epsilon);
  } else {
    open();
  }
}

bool Sweep::next() {
  if (!is_grid() && std::isinf(path_->lambda_end())) {
    begin();
    return true;
  }
  const double lambda = next_lambda();
  if (lambda <= 0.0) return false;
  if (!is_restored_ || run_->training.lambda() != lambda) {
    const auto next = make_run(lambda);
    start_warm(next->training);
    run_ = next;
  }
  is_restored_ = false;
  const Report report = run_->training.run(*this, {.flag = settings_.stop});
  seconds_ += report.progress.seconds;
  oracle_calls_ += report.progress.oracle_calls;
  if (is_worth_keeping(report.reason)) add(report);
  const bool goes_on = next_lambda() != lambda;
  if (!goes_on) path_->set_reason(report.reason);
  return goes_on;
}

void Sweep::finish() {
  if (!is_saved_) save_state();
}

void Sweep::on_pass(const Progress& progress, const Snapshot& run) {
  user_.on_pass(progress, run);
  if (seconds_since_save() >= settings_.checkpoint_seconds) save_state();
}

void Sweep::on_stop(const Progress& progress, const Snapshot& run) {
  // Before the last gap pass, which a run with a larger budget would not make here.
  if (!progress.primal) save_state();
  is_saved_ = !progress.primal;
  user_.on_stop(progress, run);
}

PathHeader Sweep::make_header() const {
  const Problem& problem = data_->problem();
  PathHeader header;
  header.identity = identity_of(*data_, options_, settings_);
  header.fingerprint = problem.fingerprint();
  header.mean_loss = start_.mean_loss;
  header.is_grid = is_grid();
  const std::vector<double> nothing(static_cast<std::size_t>(problem.dimension()), 0.0);
  header.model = data_->make_record(nothing, nullptr, Keep::kAll);
  return header;
}

/// An empty path, or that of the file with the run that was under way.
void Sweep::open() {
  PathHeader header = make_header();
  if (!file_.exists()) {
    path_ = std::make_shared<PathData>(std::move(header));
    std::error_code ignored;
    std::filesystem::remove(state_path(), ignored);  // of a path that is gone
    if (file_.is_kept()) file_.start(path_->header());
    return;
  }
  path_ = std::make_shared<PathData>(file_.read());
  if (path_->header().fingerprint != header.fingerprint) {
    throw InputError(fmt::format(
        "{}: is a path of other training data or other features; name another file", file_.path()));
  }
  if (path_->header().is_grid != header.is_grid) {
    throw InputError(fmt::format("{}: is {}; name another file", file_.path(),
                                 header.is_grid ? "a path and no grid" : "a grid and no path"));
  }
  check_same_options(file_.path(), path_->header().identity, header.identity);
  std::error_code ignored;
  if (std::filesystem::exists(state_path(), ignored)) restore();
}

/// Takes over the run of the state file, and forgets points that came after it: they will come
/// again.
void Sweep::restore() {
  const auto notes = read_checkpoint_notes(state_path());
  Index count = 0;
  double lambda = 0.0;
  if (notes.trace.size() != 2 || !parse_index(notes.trace[0], count) ||
      parse_value(notes.trace[1], lambda) != ValueText::kGood || lambda <= 0.0) {
    throw InputError(fmt::format("{}: is the checkpoint of no path; remove it", state_path()));
  }
  const auto points = static_cast<std::size_t>(count);
  if (points > file_.size()) return;  // the state is ahead of the file, whose end comes again
  run_ = make_run(lambda);
  resume(state_path(), data_->identity(), run_->training);
  path_ = std::make_shared<PathData>(file_.read(points));
  is_restored_ = has_state_ = true;
}

std::shared_ptr<FinishedRun> Sweep::make_run(double lambda) const {
  TrainOptions options = options_;
  options.lambda = Lambda::of(lambda);
  if (!is_grid()) {
    options.gap = target_;
    options.relative_gap.reset();
  }
  // Budgets are those of the whole path, but for the passes of a point.
  if (options.max_seconds) *options.max_seconds = std::max(1e-3, *options.max_seconds - seconds_);
  if (options.max_oracle_calls) {
    *options.max_oracle_calls = std::max<Index>(1, *options.max_oracle_calls - oracle_calls_);
  }
  return std::make_shared<FinishedRun>(data_, options);
}

/// The point at which every block gives its largest loss, good for every lambda above its own.
void Sweep::begin() {
  const double lambda = std::max(start_.reach / target_, settings_.lambda_min);
  const auto run = make_run(lambda);
  run->training.start_from(start_.mixtures);
  run_ = run;
  add(run->training.certify_start());
}

double Sweep::next_lambda() const {
  if (!is_grid()) {
    if (path_->lambda_end() <= settings_.lambda_min) return 0.0;
    return std::max(path_->next_lambda(), settings_.lambda_min);
  }
  for (const double lambda : settings_.grid) {
    if (!path_->has_point(lambda)) return lambda;
  }
  return 0.0;
}

void Sweep::start_warm(Training& run) const {
  if (!run_ || (is_grid() && !(settings_.starts_warm && run.has_warm_start()))) return;
  run.start_from(run_->training,
                 keeps_mixtures() ? Training::Keeps::kMixtures : Training::Keeps::kWeights);
}

/// Where lambda is large, w hardly counts in what outputs are best, and mixtures stay good when
/// lambda falls; where it is small, w does. What loses less on the way tells (path_data.h).
bool Sweep::keeps_mixtures() const {
  if (is_grid()) return false;
  for (const PathPoint& point : path_->points()) {
    if (point.lambda != run_->training.lambda()) continue;
    return path_->header().mean_loss - point.dual_loss <
           point.dual - 0.5 * point.lambda * point.squared_length;
  }
  return false;
}

/// A point of a grid may end at its budget of passes; one of a path must be as near as promised.
bool Sweep::is_worth_keeping(StopReason reason) const {
  if (reason == StopReason::kConverged) return true;
  return is_grid() && (reason == StopReason::kMaxPasses || reason == StopReason::kStalled);
}

void Sweep::add(const Report& report) {
  PathPoint point;
  point.lambda = report.lambda;
  point.primal = *report.progress.primal;
  point.dual = report.progress.dual;
  if (!is_grid()) point.dual_loss = run_->training.dual_loss();
  point.is_certified = report.progress.is_certified;
  for (const double x : report.w) point.squared_length += x * x;
  point.passes = report.progress.passes;
  point.oracle_calls = report.progress.oracle_calls;
  point.cached_steps = report.progress.cached_steps;
  if (settings_.has_clock) point.seconds = report.progress.seconds;
  if (data_->has_test()) point.test = data_->test(report.w, nullptr, *threads_);
  std::string weights = settings_.keeps_weights ? encode_weights(report.w) : std::string();
  // What goes on from a point starts where its run ended. The first state goes before its point: if
  // this is the end of the program, there is either no point yet or one with its run.
  if (!has_state_) save_state(file_.size() + 1);
  file_.add(point, path_->epsilon(), weights);
  user_.on_point(point);
  path_->add(std::move(point), std::move(weights));
}

/// Saves the run at hand as that which follows so many points of the file.
void Sweep::save_state(std::size_t points) {
  if (!file_.is_kept() || !run_) return;
  try {
    save_checkpoint(
        state_path(),
        {data_->identity(), {std::to_string(points), fmt::format("{}", run_->training.lambda())}},
        run_->training);
    has_state_ = true;
  } catch (const InputError& error) {
    user_.on_failure(error.what());  // the points are safe, and the path goes on
  }
  saved_at_ = std::chrono::steady_clock::now();
}

double Sweep::seconds_since_save() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - saved_at_).count();
}

}  // namespace gapwise::internal
