#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/archive.h"
#include "core/kernel_problem.h"
#include "gapwise/train.h"

namespace gapwise::internal {

/// One training run of the solver named in the options. Exceptions of the problem's oracle and of
/// the observer pass through.
class Training : public Snapshot {
 public:
  /// Throws OptionError if the options do not fit. `problem` outlives the run.
  Training(const Problem& problem, const TrainOptions& options);
  ~Training() override;

  /// As they were given, completed for the problem.
  const TrainOptions& options() const;
  /// The kernel form of the problem, if that is what the solver trains: the weights in reports and
  /// measurements are then weights of this. Null otherwise.
  const KernelProblem* kernel() const;

  /// Starts at w instead of 0; for solvers that keep weights and no dual. Before `run`. OptionError
  /// if the solver cannot, or if w does not fit.
  void start_from(Weights w);
  /// Starts where an earlier run on the same problem ended, perhaps with another lambda or solver.
  /// A solver with a dual takes over the mixture of outputs of every block, from which its own w
  /// follows; a solver without one takes over w. OptionError if it cannot, or if the earlier run
  /// was on other data or keeps no mixtures.
  void start_from(const Training& earlier);

  /// Runs until something stops it. To go on afterwards, save and restore.
  Report run(Observer& observer);

  std::string state() const override;
  void weights(std::vector<double>& w) const override;
  /// Goes on where the saved run stood, bit for bit. Throws InputError if the bytes belong to other
  /// data or to other options; budgets, tolerances and threads may differ.
  void restore(ByteReader& in);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gapwise::internal
