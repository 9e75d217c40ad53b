#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "app/path_file.h"
#include "app/training_run.h"
#include "solve/path_start.h"

namespace gapwise::internal {

/// OptionError unless a path or grid as in `settings` can be made with these options.
void check_sweep(const TrainOptions& options, const PathSettings& settings);

/// Goes over lambdas, from large to small ones, with a run for each: the break points of a path
/// ([OALDL16] section 4), or a grid.
class Sweep final : public Observer {
 public:
  /// Takes over what the file of the settings holds, if there is one. `settings` and `user` outlive
  /// the sweep.
  Sweep(std::shared_ptr<const TrainingData> data, const TrainOptions& options,
        const PathSettings& settings, PathObserver& user);

  /// One lambda more; false if that was all, or if the sweep had to break off.
  bool next();
  /// Saves where the sweep stands, if it broke off.
  void finish();
  /// What there is so far.
  std::shared_ptr<const PathData> path() const { return path_; }

  void on_pass(const Progress& progress, const Snapshot& run) override;
  void on_measure(const Progress& progress, Weights w) override { user_.on_measure(progress, w); }
  void on_stop(const Progress& progress, const Snapshot& run) override;
  bool wants_stop() override { return user_.wants_stop(); }

 private:
  bool is_grid() const { return !settings_.grid.empty(); }
  NonnegativeSet nonnegative() const {
    return {data_->problem().weight_groups(), options_.nonnegative};
  }
  PathHeader make_header() const;
  void open();
  void restore();
  std::shared_ptr<FinishedRun> make_run(double lambda) const;
  void begin();
  /// Where the next point is to be; 0 if nowhere.
  double next_lambda() const;
  void start_warm(Training& run) const;
  bool keeps_mixtures() const;
  bool is_worth_keeping(StopReason reason) const;
  void add(const Report& report);

  std::string state_path() const { return settings_.file + ".state"; }
  void save_state() { save_state(file_.size()); }
  void save_state(std::size_t points);
  double seconds_since_save() const;

  const PathSettings& settings_;
  PathObserver& user_;
  std::shared_ptr<const TrainingData> data_;
  TrainOptions options_;
  std::unique_ptr<Threads> threads_;
  PathFile file_;
  PathStart start_;  ///< of a path
  std::shared_ptr<PathData> path_;
  double target_ = 0.0;               ///< the gap of break points
  double seconds_ = 0.0;              ///< that this sweep has spent on runs that are over
  Index oracle_calls_ = 0;            ///< likewise
  std::shared_ptr<FinishedRun> run_;  ///< the last one, or the one that goes on
  bool is_restored_ = false;          ///< it is not known whether it was over
  bool is_saved_ = false;             ///< where it broke off
  bool has_state_ = false;            ///< some run is in the state file
  std::chrono::steady_clock::time_point saved_at_ = std::chrono::steady_clock::now();
};

}  // namespace gapwise::internal
