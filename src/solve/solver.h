#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/random.h"
#include "gapwise/problem.h"
#include "gapwise/train_options.h"
#include "solve/dual_state.h"
#include "solve/nonnegative.h"
#include "solve/oracle_team.h"
#include "solve/output_ledger.h"
#include "solve/state_archive.h"

namespace gapwise::internal {

class CornerSet;

/// What every solver of a run shares.
struct RunContext {
  const Problem& problem;
  const TrainOptions& options;
  double lambda;
  OracleTeam& team;
  Rng& rng;

  Index n() const { return problem.num_blocks(); }
  Index d() const { return problem.dimension(); }
  /// Throws OptionError if the problem has no such groups.
  NonnegativeSet nonnegative() const { return {problem.weight_groups(), options.nonnegative}; }
};

inline constexpr double kNoDual = -std::numeric_limits<double>::infinity();

/// The outcome of a gap pass.
struct Measurement {
  double primal = 0.0;
  double dual = kNoDual;
  bool is_certified = false;
};

/// A dual point by its blocks: what each adds up to, in the units of the data. It is feasible for
/// every lambda.
using DualMixtures = std::vector<BlockState>;

/// Where a run may start instead of at w = 0.
struct Start {
  Weights w;
  const DualMixtures* mixtures = nullptr;  ///< the dual point of an earlier run, if it has one
  /// The outputs that make it up, if the earlier run kept them. Every weight of theirs is to be
  /// multiplied by `share`, and the truth takes what is left; in `mixtures` that is done.
  const std::vector<CornerSet>* corners = nullptr;
  double share = 1.0;
  /// The weighted outputs of a dual of the squared hinge, likewise to be multiplied.
  const std::vector<CornerSet>* working_sets = nullptr;
};

/// A training algorithm, one step at a time. The run around it (training.cpp) decides when to make
/// a gap pass and when to stop; a solver only moves.
class Solver {
 public:
  virtual ~Solver() = default;

  /// One block visit, or one iteration of a batch method; true if it completes a pass.
  virtual bool step() = 0;
  /// For people: what a solver that chooses by itself did in the last pass, or what it holds in
  /// memory; empty for most.
  virtual std::string decision() const { return {}; }
  /// Steps so far that remembered outputs made without the oracle.
  virtual Index cached_steps() const { return 0; }

  /// A gap pass: the certificate of the iterate that would be returned now. May also remove drift,
  /// refresh estimates and find outputs for the next steps, so it moves the run.
  virtual Measurement gap_pass() = 0;
  /// Whether a gap pass now costs no oracle call that the next step would not make anyway.
  virtual bool measures_for_free() const { return false; }
  /// What the sum of block gaps was when last seen; infinite if unknown.
  virtual double estimated_gap() const { return std::numeric_limits<double>::infinity(); }
  /// The gap of every block when last seen; empty if that is unknown.
  virtual std::vector<double> block_gaps() const { return {}; }

  /// How uneven the block gaps were at the last gap pass (Progress::gap_unevenness), if it saw
  /// them.
  virtual std::optional<double> gap_unevenness() const { return std::nullopt; }

  /// Whether what it certifies is the relaxed problem, and that is another one.
  virtual bool is_relaxed() const { return false; }
  /// The gap of the softened problem at the last gap pass, for solvers that soften it.
  virtual std::optional<double> soft_gap() const { return std::nullopt; }
  /// And its primal.
  virtual std::optional<double> soft_primal() const { return std::nullopt; }

  /// Dual value of the current iterate (not of an average); kNoDual if the method has none.
  virtual double dual() const = 0;
  /// The iterate that would be returned now.
  virtual void result(std::vector<double>& w) const = 0;

  /// Whether it can start from where another run of itself ended.
  virtual bool has_warm_start() const { return false; }
  /// Before the first step. OptionError if the solver has no warm start, or none from so little.
  virtual void start_from(const Start& start);
  /// The dual point of the current iterate (not of an average), if the solver keeps it by block.
  virtual std::optional<DualMixtures> mixtures() const { return std::nullopt; }
  /// The outputs behind it, if the solver keeps them; null otherwise.
  virtual const std::vector<CornerSet>* corners() const { return nullptr; }

  /// The outputs of a dual of the squared hinge; null for other solvers.
  virtual const std::vector<CornerSet>* working_sets() const { return nullptr; }

  /// The same by outputs, if TrainOptions::keep_outputs asked for it and no block began elsewhere
  /// than at outputs of its own.
  virtual std::optional<DualOutputs> outputs() const { return std::nullopt; }

  virtual void save(StateWriter& out) const = 0;
  virtual void load(StateReader& in) = 0;
};

/// The dual point of `start`, or OptionError if it has none.
const DualMixtures& mixtures_of(const Start& start);

std::unique_ptr<Solver> make_frank_wolfe(const RunContext& context);
std::unique_ptr<Solver> make_bcfw(const RunContext& context);
std::unique_ptr<Solver> make_cached_bcfw(const RunContext& context);
std::unique_ptr<Solver> make_bcpfw(const RunContext& context);
std::unique_ptr<Solver> make_bcafw(const RunContext& context);
std::unique_ptr<Solver> make_mpbcfw(const RunContext& context);
std::unique_ptr<Solver> make_auto(const RunContext& context);
std::unique_ptr<Solver> make_exponentiated_gradient(const RunContext& context);
std::unique_ptr<Solver> make_excessive_gap(const RunContext& context);
std::unique_ptr<Solver> make_extragradient(const RunContext& context);
std::unique_ptr<Solver> make_soft_bcfw(const RunContext& context);
std::unique_ptr<Solver> make_gdmm(const RunContext& context);
std::unique_ptr<Solver> make_dlpw(const RunContext& context);
std::unique_ptr<Solver> make_smooth_dlpw(const RunContext& context);
std::unique_ptr<Solver> make_ssg(const RunContext& context);
std::unique_ptr<Solver> make_sgd(const RunContext& context);
std::unique_ptr<Solver> make_perceptron(const RunContext& context);
std::unique_ptr<Solver> make_mira(const RunContext& context);
std::unique_ptr<Solver> make_cutting_plane(const RunContext& context);
std::unique_ptr<Solver> make_one_slack(const RunContext& context);
std::unique_ptr<Solver> make_bmrm(const RunContext& context);
std::unique_ptr<Solver> make_sdm(const RunContext& context);
std::unique_ptr<Solver> make_fasole(const RunContext& context);
std::unique_ptr<Solver> make_dcd_light(const RunContext& context);
std::unique_ptr<Solver> make_dcd(const RunContext& context);
std::unique_ptr<Solver> make_cpd(const RunContext& context);

/// Defines make_<name>() of a solver that needs nothing but the context.
#define GAPWISE_SOLVER(name, Type)                                 \
  std::unique_ptr<Solver> make_##name(const RunContext& context) { \
    return std::make_unique<Type>(context);                        \
  }

/// By the name in the options, which has been validated.
std::unique_ptr<Solver> make_solver(const RunContext& context);

}  // namespace gapwise::internal
