#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gapwise/examples.h"
#include "gapwise/metrics.h"
#include "gapwise/model.h"
#include "gapwise/train.h"

namespace gapwise {

namespace internal {
class PathData;
}  // namespace internal

/// What a path is asked besides the options of training, of which lambda and the gaps to stop at
/// are its own affair.
struct PathSettings {
  /// How far the primal may be above the optimum at any lambda of the path.
  std::optional<double> epsilon = {};
  /// The same relative to the primal at w = 0, the mean of the largest losses; if no epsilon is
  /// set.
  double relative_epsilon = 0.1;
  double kappa = 0.9;                 ///< every break point is solved to kappa * epsilon
  double lambda_min = 1e-5;           ///< where the path ends, if it does not end before
  std::optional<Examples> test = {};  ///< to measure every break point on

  /// Only these, by falling value, each solved to the gap of the options of training: a grid, for
  /// any solver. Nothing is promised in between. Empty: the path.
  std::vector<double> grid = {};
  /// Each lambda of a grid starts where the one before ended, if the solver can.
  bool starts_warm = true;
  bool keeps_weights = true;  ///< false: points without weights, to look at their scores only

  /// Where the path is kept as it grows; empty: nowhere. If the file is there, the path goes on
  /// from it: what it holds is used as far as it is good enough.
  std::string file = {};
  bool has_clock = true;  ///< false: no seconds in the file, so equal runs give equal files
  double checkpoint_seconds = 30.0;  ///< between two states of the run, kept in `file`.state
  double oracle_delay = 0.0;         ///< as in FitSettings
  /// Raised by another thread or a signal handler to end the path, as FitSettings::stop.
  const std::atomic<bool>* stop = nullptr;
};

/// The weights of one lambda with their certificate; they are good for others around it as well.
struct PathPoint {
  double lambda = 0.0;  ///< where they were found
  double primal = 0.0;  ///< their objective at lambda
  double dual = 0.0;    ///< at most the optimum at lambda; -infinity if not known
  /// That of the dual point: dual + lambda/2 |w|^2 with its own w.
  double dual_loss = 0.0;
  bool is_certified = false;         ///< as Progress::is_certified
  double squared_length = 0.0;       ///< |w|^2
  Index passes = 0;                  ///< that this point took
  Index oracle_calls = 0;            ///< likewise, gap passes included
  Index cached_steps = 0;            ///< likewise
  double seconds = 0.0;              ///< likewise
  std::optional<Metrics> test = {};  ///< of PathSettings::test

  double gap() const { return primal - dual; }  ///< at lambda
};

/// What a path says at one lambda.
struct PathValue {
  std::size_t point = 0;      ///< the one whose weights are used
  double factor = 1.0;        ///< they are multiplied by this; less than 1 above their lambda
  double primal = 0.0;        ///< at most this is the objective there
  double dual = 0.0;          ///< at most the optimum there
  bool is_certified = false;  ///< as Progress::is_certified

  double gap() const { return primal - dual; }  ///< the objective is at most this above the optimum
};

/// Looks on while a path grows.
class PathObserver : public Observer {
 public:
  /// After every break point, the first one included.
  virtual void on_point(const PathPoint&) {}
};

/// Weights for every lambda from lambda_end() on, each within epsilon of its optimum, or those of a
/// grid (docs/lambda.md). A handle, as Model is.
class Path {
 public:
  /// For the library itself.
  explicit Path(std::shared_ptr<const internal::PathData> data) : data_(std::move(data)) {}

  const std::vector<PathPoint>& points() const;  ///< by falling lambda
  double epsilon() const;                        ///< absolute
  double lambda_end() const;  ///< the guarantee holds from here on; 0: everywhere
  StopReason reason() const;  ///< converged, or why the path broke off

  bool is_grid() const;  ///< only the lambdas of its points are known

  /// The best that the path knows of at a lambda. OptionError if that is below lambda_end() or no
  /// point of a grid.
  PathValue at(double lambda) const;
  /// Those of at(lambda). OptionError if none were kept.
  std::vector<double> weights(double lambda) const;
  Model model(double lambda) const;  ///< the same, ready to predict

 private:
  std::shared_ptr<const internal::PathData> data_;
};

/// The regularisation path of [OALDL16], section 4, with points that are good on both sides: from a
/// lambda at which nothing need be learned downwards, each run started from the one before. Solvers
/// that keep a dual point by block can do it. OptionError if the solver cannot; InputError if the
/// file is of another path.
Path fit_path(const Examples& examples, const TrainOptions& options, const PathSettings& settings,
              PathObserver& observer);
/// The same with nobody looking on.
Path fit_path(const Examples& examples, const TrainOptions& options = {},
              const PathSettings& settings = {});

/// Reads the file of a path.
Path load_path(const std::string& file);

}  // namespace gapwise
