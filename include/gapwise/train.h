#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gapwise/metrics.h"
#include "gapwise/problem.h"
#include "gapwise/progress.h"
#include "gapwise/train_options.h"

namespace gapwise {

/// A run that can be saved.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
  /// Everything that decides how the run goes on, as bytes.
  virtual std::string state() const = 0;
  /// The weights that would be returned now.
  virtual void weights(std::vector<double>& w) const = 0;
};

/// Looks on while a run goes; the clock of the run stands still meanwhile. Console, trace and
/// checkpoints are observers.
class Observer {
 public:
  virtual ~Observer() = default;
  /// After every pass. Saving `snapshot` here or not never changes how the run goes on.
  virtual void on_pass(const Progress&, const Snapshot&) {}
  /// After every gap pass; w is the iterate that `progress` speaks of.
  virtual void on_measure(const Progress&, Weights) {}
  /// After a test on the way, if a fit makes any (fit.h).
  virtual void on_test(const Progress&, const Metrics&) {}
  /// After every round that completes labels which are not known, if a fit has any (fit.h).
  virtual void on_round(const LabelRound&) {}
  /// A file of the run could not be written; the run goes on.
  virtual void on_failure(const std::string&) {}
  /// Once, when the run is over and before it is measured for the last time.
  virtual void on_stop(const Progress&, const Snapshot&) {}
  /// Asked before every step; true ends the run as `interrupted`.
  virtual bool wants_stop() { return false; }
  /// Asked by a fit (fit.h) before every step; true saves a checkpoint now, if the fit has a file
  /// for it.
  virtual bool wants_checkpoint() { return false; }
};

/// One run from the start. Exceptions of the problem's oracle and of the observer pass through.
Report train(const Problem& problem, const TrainOptions& options, Observer& observer);
Report train(const Problem& problem, const TrainOptions& options);  ///< with nobody looking on

/// A solver of the registry, for help texts and for tests that go over all of them.
struct SolverInfo {
  std::string_view name;                 ///< "bcfw"
  std::string_view help;                 ///< one line
  Objective objective = Objective::kL1;  ///< what it minimises
  bool has_dual = true;                  ///< and hence, with an exact oracle, a certificate
  /// Those of the options that are not for every solver which this one has.
  std::vector<std::string_view> options = {};
  /// What a problem must offer for it.
  std::vector<Capability> needs = {Capability::kPlainWeights};
  bool is_monotone = true;  ///< its dual never falls, with exact line searches and no average
  /// It sees the gaps of blocks, and so can draw by them.
  bool has_block_gaps = true;
};
const std::vector<SolverInfo>& solvers();  ///< the registry
/// By a name that is in the registry.
const SolverInfo& solver_info(std::string_view name);
/// Whether an option of training means something to a solver.
bool has_option(const SolverInfo& solver, std::string_view option);
/// Whether a solver that samples can sample so: by gaps only if it sees any.
bool allows(const SolverInfo& solver, Sampling sampling);

}  // namespace gapwise
