#include "solve/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "solve/frank_wolfe/kernel_bcfw.h"
#include "solve/spot_check.h"

namespace gapwise::internal {
namespace {

Hinge hinge_of(const TrainOptions& options) {
  const bool is_squared = solver_info(options.solver).objective == Objective::kL2;
  return is_squared ? Hinge::kSquared : Hinge::kPlain;
}

using Clock = StopCondition::Clock;

double seconds_since(Clock::time_point began) {
  return std::chrono::duration<double>(Clock::now() - began).count();
}

int thread_count(const TrainOptions& options) {
  return options.threads ? static_cast<int>(*options.threads) : Threads().count();
}

}  // namespace

bool may_change(std::string_view option) {
  static const std::set<std::string_view> names{
      "gap",     "relative-gap",   "max-passes", "max-seconds", "max-oracle-calls",
      "threads", "kernel-cache-mb"};
  return names.contains(option);
}

Training::Training(const Problem& problem, const TrainOptions& options, Ranks* ranks)
    : options_(fitted(options, problem)),
      kernel_(make_kernel_problem(problem, options_, thread_count(options))),
      form_(kernel_ ? *kernel_ : problem, problem.block_weights(), hinge_of(options_)),
      problem_(form_.problem()),
      lambda_(options.lambda.resolve(problem.num_blocks())),
      team_(problem_, thread_count(options), ranks),
      rng_(options.seed),
      solver_(make_solver({problem_, options_, lambda_, team_, rng_})),
      stopper_(options_),
      schedule_(options_.gap_every),
      consensus_(ranks) {
  if (ranks != nullptr && !options_.deterministic) {
    throw OptionError(
        "\1deterministic no lets clocks decide, and every rank has its own; leave it out");
  }
}

Report Training::run(Observer& observer, const StopRequest& stop) {
  stop_ = stop;
  pass_began_ = Clock::now();
  watch_.go();
  std::optional<StopReason> reason = reached_already();
  while (!reason) {
    reason = should_stop(observer);
    if (reason) break;
    try {
      reason = advance(observer);
    } catch (const GivenUp&) {
      consensus_.settle_given_up();
      go_back();
      reason =
          consensus_.verdict(is_flag_raised()) ? StopReason::kInterrupted : StopReason::kMaxSeconds;
    }
  }
  return finish(*reason, observer);
}

/// A step and, if one is due, a gap pass; why the run is over, if it is.
std::optional<StopReason> Training::advance(Observer& observer) {
  if (is_pass_end_) pass_began_ = Clock::now();
  if (consensus_.is_alone() ? is_point_due() : consensus_.keeps_point()) keep_restore_point();
  may_give_up([&] { is_pass_end_ = solver_->step(); }, [&] { return step_condition(); });
  ++steps_;
  measured_.reset();
  if (!is_pass_end_) return std::nullopt;
  ++passes_;
  std::optional<StopReason> reason;
  if (solver_->measures_for_free() || schedule_.is_due(stopper_, progress())) {
    may_give_up([&] { gap_pass(); }, [&] { return step_condition(); });
    reason = stopper_.after_measure(progress(), stall_);
    look(observer);
  }
  pause([&] { observer.on_pass(progress(), *this); });
  point_.pass_took(std::max(seconds_since(pass_began_), gap_pass_seconds()), stop_.patience);
  return reason;
}

bool Training::is_flag_raised() const {
  return stop_.flag != nullptr && stop_.flag->load(std::memory_order_relaxed);
}

/// Whether the run should have a place to go back to from the next step.
bool Training::is_point_due() const {
  return can_stop_inside() && point_.is_due(stop_.patience, passes_);
}

bool Training::can_stop_inside() const {
  return stop_.flag != nullptr || options_.max_seconds.has_value();
}

/// Work of the solver that may be given up, if there is a place to go back to.
template <class Work, class Condition>
void Training::may_give_up(Work work, Condition condition) {
  if (!point_.is_kept() || !consensus_.leads()) return work();
  const StopCondition now = condition();
  const StopScope scope(&now);
  work();
}

/// The condition for a step that begins now.
StopCondition Training::step_condition() const {
  StopCondition condition{.flag = stop_.flag, .earliest = seconds_from_now(stop_.patience)};
  if (options_.max_seconds) {
    condition.deadline = seconds_from_now(*options_.max_seconds - watch_.seconds());
  }
  return condition;
}

/// The condition for the last gap pass: whoever interrupts has some patience left.
StopCondition Training::last_pass_condition(StopReason reason) const {
  StopCondition condition = step_condition();
  if (reason == StopReason::kInterrupted) {
    condition.earliest = seconds_from_now(Stopper::kPatience);
  }
  if (options_.max_seconds) {
    condition.deadline = seconds_from_now(most_seconds(*options_.max_seconds) - watch_.seconds());
  }
  return condition;
}

void Training::keep_restore_point() {
  const Clock::time_point began = Clock::now();
  std::string now = state();
  point_.keep(std::move(now), began, Clock::now());
}

/// To the last restore point, with a new solver, as the old one may stand in the middle of a step.
/// Only the clocks go on: the time was spent.
void Training::go_back() {
  watch_.hold();  // somebody may have been looking on
  const double seconds = watch_.seconds();
  const double oracle_seconds_before = oracle_seconds_before_;
  solver_ = make_solver({problem_, options_, lambda_, team_, rng_});
  restore(point_.state(), "the state of the run");
  calls_before_ -= team_.calls();
  oracle_seconds_before_ = oracle_seconds_before;
  watch_.set(seconds);
  watch_.go();
  went_back_ = true;
}

void Training::start_from(Weights w) {
  check_start(w);
  solver_->start_from({w});
}

void Training::start_from(const Training& earlier, Keeps keeps) {
  if (earlier.problem_.fingerprint() != problem_.fingerprint()) {
    throw OptionError("a run starts only from one on the same training data and features");
  }
  std::vector<double> w;
  earlier.weights(w);
  check_start(w);
  const double share = keeps == Keeps::kWeights ? std::min(1.0, lambda_ / earlier.lambda_) : 1.0;
  std::optional<DualMixtures> mixtures = earlier.solver_->mixtures();
  if (mixtures) {
    for (BlockState& block : *mixtures) {
      block.parts.scale(share);
      block.loss *= share;
    }
  }
  solver_->start_from({w, mixtures ? &*mixtures : nullptr, earlier.solver_->corners(), share,
                       earlier.solver_->working_sets()});
}

void Training::start_from(const DualMixtures& mixtures) {
  solver_->start_from({{}, &mixtures});
}

Report Training::certify_start() {
  watch_.go();
  gap_pass();
  watch_.hold();
  return report(StopReason::kConverged);
}

double Training::dual_loss() const {
  const std::optional<DualMixtures> mixtures = solver_->mixtures();
  if (!mixtures) {
    throw OptionError(
        fmt::format("solver {} keeps no dual point by example, from which another run could start; "
                    "take \1solver auto",
                    options_.solver));
  }
  double sum = 0.0;
  for (const BlockState& block : *mixtures) sum += block.loss;
  return sum / static_cast<double>(mixtures->size());
}

DualOutputs Training::outputs() const {
  std::optional<DualOutputs> outputs = solver_->outputs();
  if (outputs) return *std::move(outputs);
  throw OptionError(
      options_.keep_outputs
          ? "a run that began at the dual point of another one does not know the outputs behind "
            "it; start from the beginning"
          : "the outputs behind the dual point were not kept; train with keep-outputs");
}

std::string Training::state() const {
  StateWriter out;
  out.u64(problem_.fingerprint());
  const auto values = values_of(options_);
  out.count(values.size());
  for (const auto& [name, value] : values) {
    out.text(name);
    out.text(value);
  }
  out.i64s(options_.order);
  out.count(steps_);
  out.count(passes_);
  out.flag(is_pass_end_);
  out.count(oracle_calls());
  out.f64(oracle_seconds());
  out.f64(watch_.seconds());
  for (const std::uint64_t word : rng_.state()) out.u64(word);
  schedule_.save(out);
  stall_.save(out);
  save_measurement(out);
  solver_->save(out);
  return out.take();
}

void Training::restore(std::string_view state, const std::string& where) {
  StateReader in(state, where, problem_);
  if (in.u64() != problem_.fingerprint()) {
    in.fail(
        "was made from other training data or other features; give the same data and the same "
        "options of the task as then, or start a new run");
  }
  check_options(in);
  steps_ = in.count();
  passes_ = in.count_up_to(steps_);
  is_pass_end_ = in.flag();
  calls_before_ = in.count();
  oracle_seconds_before_ = in.finite();
  const double seconds = in.finite();
  in.require(oracle_seconds_before_ >= 0.0 && seconds >= 0.0, "a time before the beginning");
  watch_.set(seconds);
  Rng::State random;
  for (std::uint64_t& word : random) word = in.u64();
  in.require(random != Rng::State{}, "a generator that makes nothing but zeros");
  rng_.set_state(random);
  schedule_.load(in, passes_);
  stall_.load(in);
  load_measurement(in);
  solver_->load(in);
  in.expect_end();
}

void Training::check_start(Weights w) const {
  if (steps_ > 0) throw OptionError("a run that has begun cannot start from somewhere else");
  if (std::ssize(w) != problem_.dimension()) {
    throw OptionError(
        fmt::format("a run of {} weights cannot start from {}", problem_.dimension(), w.size()));
  }
  if (!std::all_of(w.begin(), w.end(), [](double x) { return std::isfinite(x); })) {
    throw OptionError("a run cannot start from weights that are not finite numbers");
  }
}

/// A restored run may stand where it has nothing left to do.
std::optional<StopReason> Training::reached_already() const {
  if (!measured_) return std::nullopt;
  return stopper_.after_measure(progress(), StallWatch());
}

std::optional<StopReason> Training::should_stop(Observer& observer) {
  if (!consensus_.is_alone()) return decide_together(observer);
  if (observer.wants_stop() || is_flag_raised()) return StopReason::kInterrupted;
  return used_up(true);
}

std::optional<StopReason> Training::used_up(bool by_clock) const {
  if (steps_ == 0) return std::nullopt;  // every budget allows one step
  if (!is_pass_end_ && !stopper_.has_budget_within_pass()) return std::nullopt;
  Progress now = progress();
  if (!by_clock) now.seconds = 0.0;
  return stopper_.before_step(now, by_clock ? gap_pass_seconds() : 0.0);
}

/// Budgets that are counted run out at the same step on every rank; of clock and signals rank 0
/// tells when the ranks meet.
std::optional<StopReason> Training::decide_together(Observer& observer) {
  if (const auto reason = used_up(false)) return reason;
  if (!consensus_.is_due(oracle_calls())) return std::nullopt;
  RankWish wish;
  if (observer.wants_stop() || is_flag_raised()) wish.reason = StopReason::kInterrupted;
  if (consensus_.leads()) {
    if (!wish.reason) wish.reason = used_up(true);
    wish.wants_point = is_point_due();
  }
  return consensus_.decide(wish, standing());
}

Standing Training::standing() const {
  return {steps_, passes_, oracle_calls(), solver_->dual()};
}

/// How long a gap pass should take, from the calls so far.
double Training::gap_pass_seconds() const {
  const Index calls = oracle_calls();
  if (calls == 0) return 0.0;
  return oracle_seconds() / static_cast<double>(calls) *
         static_cast<double>(problem_.num_blocks()) / static_cast<double>(team_.workers());
}

/// A gap pass of the solver; what it found is checked and kept.
void Training::gap_pass() {
  const double estimate = solver_->estimated_gap();
  measured_ = solver_->gap_pass();
  foreseen_gap_.reset();
  if (solver_->gap_unevenness() && std::isfinite(estimate)) foreseen_gap_ = estimate;
  if (!std::isfinite(measured_->primal)) {
    throw OptionError(
        fmt::format("with lambda = {} the primal is {}: numbers grow beyond what a double holds; "
                    "choose a lambda nearer to 1/n",
                    lambda_, measured_->primal));
  }
  if (!measured_->is_certified) {  // an estimate from below, and no primal is below any dual
    measured_->primal = std::max(measured_->primal, measured_->dual);
  }
  const double gap = measured_->primal - measured_->dual;
  measured_->is_certified = measured_->is_certified && std::isfinite(gap);
  stall_.measured(measured_->dual, gap);
  schedule_.measured(gap, estimate, passes_);
}

void Training::look(Observer& observer) {
  pause([&] {
    std::vector<double> w;
    solver_->result(w);
    observer.on_measure(progress_at(w), w);
  });
}

Report Training::finish(StopReason reason, Observer& observer) {
  // Saved before the last gap pass, which a run with a larger budget would not make here.
  pause([&] { observer.on_stop(progress(), *this); });
  if (!measured_ && !went_back_ &&
      consensus_.verdict(stopper_.may_measure_after(reason, progress(), gap_pass_seconds()))) {
    reason = measure_last(reason, observer);
  }
  watch_.hold();
  return report(reason);
}

Report Training::report(StopReason reason) {
  Report report{reason, {}, lambda_, {}};
  solver_->result(report.w);
  report.progress = progress_at(report.w);
  // A solver that relaxes by itself never asked the max oracle.
  if (report.progress.is_certified && !solver_->is_relaxed()) {
    spot_check(team_, problem_.num_blocks(), report.w, oracle_calls());
  }
  return report;
}

/// The gap pass of a run that is over; why it is over, which may be a better reason now.
StopReason Training::measure_last(StopReason reason, Observer& observer) {
  if (consensus_.verdict(point_.is_kept())) keep_restore_point();
  try {
    may_give_up([&] { gap_pass(); }, [&] { return last_pass_condition(reason); });
    look(observer);
  } catch (const GivenUp&) {
    consensus_.settle_given_up();
    go_back();
    return reason;
  }
  // A budget may run out at the very moment at which the target is reached.
  const auto verdict = stopper_.after_measure(progress(), StallWatch());
  return verdict && reason != StopReason::kInterrupted ? *verdict : reason;
}

Progress Training::progress() const {
  Progress now;
  now.n = problem_.num_blocks();
  now.passes = passes_;
  now.cached_steps = solver_->cached_steps();
  now.steps = steps_;
  now.oracle_calls = oracle_calls();
  now.oracle_seconds = oracle_seconds();
  now.seconds = watch_.seconds();
  now.estimated_gap = solver_->estimated_gap();
  now.decision = solver_->decision();
  now.dual = solver_->dual();
  now.is_relaxed = solver_->is_relaxed() || problem_.is_relaxed();
  if (measured_) {
    now.soft_gap = solver_->soft_gap();
    now.soft_primal = solver_->soft_primal();
    now.foreseen_gap = foreseen_gap_;
    now.gap_unevenness = solver_->gap_unevenness();
    now.primal = measured_->primal;
    now.dual = measured_->dual;
    now.is_certified = measured_->is_certified;
  }
  return now;
}

/// With what is only known from the weights.
Progress Training::progress_at(Weights w) const {
  Progress now = progress();
  if (kernel_) now.support_structures = kernel_->count_support(w);
  return now;
}

void Training::check_options(StateReader& in) const {
  std::map<std::string, std::string> saved;
  for (std::size_t left = in.size(2 * sizeof(std::uint64_t)); left > 0; --left) {
    std::string name = in.text();
    saved[std::move(name)] = in.text();
  }
  // An option that is younger than the checkpoint had its default.
  for (const auto& [name, value] : values_of(TrainOptions())) saved.emplace(name, value);
  for (const auto& [name, value] : values_of(options_)) {
    if (may_change(name)) continue;
    const std::string& then = saved.at(name);
    if (then != value) {
      in.fail(fmt::format(
          "was made with \1{0} {1}, this run has {2}; give \1{0} {1} to resume it, "
          "or start a new run",
          name, then.empty() ? "(not set)" : then, value.empty() ? "(not set)" : value));
    }
  }
  if (in.i64s() != options_.order) {
    in.fail("was made with another order of the examples; give the same one, or start a new run");
  }
}

void Training::save_measurement(StateWriter& out) const {
  out.flag(measured_.has_value());
  if (!measured_) return;
  out.f64(measured_->primal);
  out.f64(measured_->dual);
  out.flag(measured_->is_certified);
  out.flag(foreseen_gap_.has_value());
  if (foreseen_gap_) out.f64(*foreseen_gap_);
}

void Training::load_measurement(StateReader& in) {
  measured_.reset();
  if (!in.flag()) return;
  Measurement found;
  found.primal = in.finite();
  found.dual = in.number();
  found.is_certified = in.flag();
  measured_ = found;
  foreseen_gap_.reset();
  if (in.flag()) foreseen_gap_ = in.finite();
}

}  // namespace gapwise::internal

namespace gapwise {

Report train(const Problem& problem, const TrainOptions& options, Observer& observer) {
  return internal::Training(problem, options).run(observer);
}

Report train(const Problem& problem, const TrainOptions& options) {
  Observer nobody;
  return train(problem, options, nobody);
}

}  // namespace gapwise
