#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "gapwise/examples.h"
#include "gapwise/metrics.h"
#include "gapwise/model.h"
#include "gapwise/train.h"

namespace gapwise {

namespace internal {
struct FinishedRun;
class Ranks;
}  // namespace internal

struct Fit;

/// What a fit is asked besides the options of training.
struct FitSettings {
  std::optional<Examples> test;          ///< to measure the result on; read and numbered once
  bool tests_at_measurements = false;    ///< also at every gap pass: Observer::on_test hears of it
  std::optional<Index> test_every = {};  ///< the same, and also after every so many passes

  std::string checkpoint;            ///< a file to save the state of the run in; empty: none
  double checkpoint_seconds = 30.0;  ///< between two of them; 0: after every pass
  std::string resume;                ///< a checkpoint to go on from, bit for bit; empty: none

  /// Weights to start from; OptionError if the solver cannot.
  std::optional<std::vector<double>> start_weights;
  /// An earlier fit of the same examples to start from, perhaps with another lambda: the solver
  /// takes its dual point. OptionError if the solver cannot.
  const Fit* start = nullptr;

  /// Raised by another thread or by a signal handler, it ends the fit as interrupted, within about
  /// a second: a step or a test that takes longer is given up, and the run goes back to the step
  /// before. `Observer::wants_stop` is only asked between steps. Outlives the fit; null: none.
  const std::atomic<bool>* stop = nullptr;

  /// How often to train on examples some of whose labels are not known; the last time gives the
  /// model. Every round has its own budgets and its own certificate.
  Index label_rounds = 2;

  double oracle_delay = 0.0;  ///< milliseconds added to every oracle call, to see what they cost

  /// The job of which every rank makes this fit (docs/clusters.md); null: none.
  internal::Ranks* ranks = nullptr;
};

/// A finished training run.
struct Fit {
  Model model;    ///< ready to predict and to be saved
  Report report;  ///< weights, certificate and why the run ended
  /// Mean loss of the predictions on the training examples; none if there was no time for it, and
  /// for a problem of one's own that has no argmax without the loss.
  std::optional<double> train_loss;
  /// Of a relaxed problem (Problem::is_relaxed): for how many examples the corner at the final
  /// weights is an output, so that nothing was relaxed there; none if there was no time for it.
  std::optional<Index> tight;
  /// How labels that are not known were completed, if there were any. The report is of the
  /// examples with the labels of the last round.
  std::optional<LabelRounds> label_rounds;
  std::optional<Metrics> test;  ///< of FitSettings::test, unless there was no time for it
  /// The end of `max_seconds` or a stop request left no time for the test or the training loss.
  bool is_cut_short = false;
  /// Why a file could not be written on the way, if one could not; the run went on.
  std::optional<std::string> failure;

  /// Writes the dual point behind the certificate, from which verify() (proof.h) tells that the
  /// model is as near to the optimum as it says. OptionError if there is none to write: it takes
  /// TrainOptions::keep_outputs, a certificate, and a problem that recognises its outputs.
  void save_proof(const std::string& path) const;

  /// The run with its dual point and its examples: what a warm start needs.
  std::shared_ptr<const internal::FinishedRun> run;
};

/// Trains a model, certifies it and tests it. Exceptions of the observer and of an own problem's
/// oracle pass through.
Fit fit(const Examples& examples, const TrainOptions& options, Observer& observer,
        const FitSettings& settings = {});
/// The same with nobody looking on.
Fit fit(const Examples& examples, const TrainOptions& options = {},
        const FitSettings& settings = {});

}  // namespace gapwise
