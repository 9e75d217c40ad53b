#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/kernel_problem.h"
#include "core/stop.h"
#include "core/weighted_problem.h"
#include "gapwise/train.h"
#include "solve/consensus.h"
#include "solve/restore_point.h"
#include "solve/solver.h"
#include "solve/state_archive.h"
#include "solve/stopper.h"

namespace gapwise::internal {

/// Training time: runs while the run works, stands still while others look on.
class Stopwatch {
 public:
  void go() { since_ = Clock::now(); }
  void hold() { before_ = seconds(), since_.reset(); }
  double seconds() const {
    if (!since_) return before_;
    return before_ + std::chrono::duration<double>(Clock::now() - *since_).count();
  }
  void set(double seconds) { before_ = seconds; }

 private:
  using Clock = std::chrono::steady_clock;
  double before_ = 0.0;
  std::optional<Clock::time_point> since_;
};

/// How a run may be asked to end in the middle of a step.
struct StopRequest {
  const std::atomic<bool>* flag = nullptr;  ///< raised by another thread or a signal handler
  double patience = 1.0;                    ///< seconds; a step that takes less is let end
};

/// Whether an option of training may differ between a run and one that goes on from it.
bool may_change(std::string_view option);

/// One training run of the solver named in the options. Exceptions of the problem's oracle and of
/// the observer pass through.
class Training final : public Snapshot {
 public:
  /// Throws OptionError if the options do not fit. `problem` outlives the run.
  /// `ranks`: the job of which this run is a part on every rank, which outlives it; null: it is
  /// alone.
  Training(const Problem& problem, const TrainOptions& options, Ranks* ranks = nullptr);

  /// As they were given, completed for the problem.
  const TrainOptions& options() const { return options_; }
  double lambda() const { return lambda_; }
  /// The kernel form of the problem, if that is what the solver trains: the weights in reports and
  /// measurements are then weights of this. Null otherwise.
  const KernelProblem* kernel() const { return kernel_.get(); }

  /// Starts at w instead of 0; for solvers that keep weights and no dual. Before `run`. OptionError
  /// if the solver cannot, or if w does not fit.
  void start_from(Weights w);
  /// Whether it can start where an earlier run of the same solver ended.
  bool has_warm_start() const { return solver_->has_warm_start(); }
  /// What stays as it was when lambda changes: the mixture of outputs of every block, from which
  /// another w follows, or w. For the latter the truth of every block gets more weight ([OALDL16]
  /// section 4), which is only possible for a smaller lambda; the mixtures stay for a larger one.
  enum class Keeps { kMixtures, kWeights };
  /// Starts where an earlier run on the same problem ended, perhaps with another lambda or solver.
  /// A solver with a dual takes over the mixtures of all blocks, a solver without one w.
  /// OptionError if it cannot, or if the earlier run was on other data or keeps no mixtures.
  void start_from(const Training& earlier, Keeps keeps = Keeps::kMixtures);
  /// Starts at a dual point.
  void start_from(const DualMixtures& mixtures);

  /// The certificate of where the run starts, without any step.
  Report certify_start();

  /// Runs until something stops it. To go on afterwards, save and restore. A step that takes longer
  /// than the patience of `stop` is given up when the flag is raised or the seconds of the budget
  /// are over; the run then stands where it stood at an earlier step.
  Report run(Observer& observer, const StopRequest& stop = {});
  /// How many places to go back to there were so far: observers that keep what belongs to a state
  /// see from it whether the last such place is newer than what they keep.
  Index restore_points() const { return point_.count(); }
  /// Whether the run had to go back to the last of them.
  bool went_back() const { return went_back_; }

  /// The mean loss of the dual point of the current iterate, by its blocks. OptionError if the
  /// solver does not keep it so.
  double dual_loss() const;
  /// The gap of every example when the solver last saw it; empty if it does not know them all.
  std::vector<double> block_gaps() const { return solver_->block_gaps(); }
  /// The dual point of the current iterate by its outputs. OptionError if they are not known.
  DualOutputs outputs() const;

  std::string state() const override;
  void weights(std::vector<double>& w) const override { solver_->result(w); }
  /// Goes on where the saved run stood, bit for bit. Throws InputError, which begins with `where`,
  /// if the bytes belong to other data or to other options, or if no run can have left them;
  /// budgets, tolerances and threads may differ.
  void restore(std::string_view state, const std::string& where);

 private:
  /// A restored run may stand where it has nothing left to do.
  std::optional<StopReason> reached_already() const;
  std::optional<StopReason> should_stop(Observer& observer);
  /// By what is counted and by the clock, or only by the former.
  std::optional<StopReason> used_up(bool by_clock) const;
  std::optional<StopReason> decide_together(Observer& observer);
  Standing standing() const;
  std::optional<StopReason> advance(Observer& observer);
  template <class Work, class Condition>
  void may_give_up(Work work, Condition condition);
  bool is_flag_raised() const;
  /// Whether anything but the observer may end the run.
  bool can_stop_inside() const;
  bool is_point_due() const;
  StopCondition step_condition() const;
  StopCondition last_pass_condition(StopReason reason) const;
  void keep_restore_point();
  void go_back();
  /// How long a gap pass should take, from the calls so far.
  double gap_pass_seconds() const;
  void gap_pass();
  void look(Observer& observer);
  Report finish(StopReason reason, Observer& observer);
  Report report(StopReason reason);
  StopReason measure_last(StopReason reason, Observer& observer);
  /// Lets others look on while the clock stands still.
  template <class Action>
  void pause(Action action) {
    watch_.hold();
    action();
    watch_.go();
  }

  Index oracle_calls() const { return calls_before_ + team_.calls(); }
  double oracle_seconds() const { return oracle_seconds_before_ + team_.seconds(); }
  Progress progress() const;
  /// With what is only known from the weights.
  Progress progress_at(Weights w) const;

  void check_start(Weights w) const;
  void check_options(StateReader& in) const;
  void save_measurement(StateWriter& out) const;
  void load_measurement(StateReader& in);

  const TrainOptions options_;
  const std::unique_ptr<const KernelProblem> kernel_;  ///< null for a linear run
  const ObjectiveForm form_;                           ///< with the weights of blocks inside
  const Problem& problem_;
  const double lambda_;
  OracleTeam team_;
  Rng rng_;
  std::unique_ptr<Solver> solver_;
  Stopper stopper_;
  GapSchedule schedule_;
  Stopwatch watch_;
  Index steps_ = 0;
  Index passes_ = 0;
  bool is_pass_end_ = true;  ///< no pass is under way
  Index calls_before_ = 0;   ///< of the runs this one resumes
  double oracle_seconds_before_ = 0.0;
  std::optional<Measurement> measured_;  ///< of the current iterate
  std::optional<double> foreseen_gap_;   ///< what block gaps had said before that
  StallWatch stall_;
  StopRequest stop_;
  StopCondition::Clock::time_point pass_began_;
  RestorePoint point_;
  bool went_back_ = false;
  Consensus consensus_;
};

}  // namespace gapwise::internal
