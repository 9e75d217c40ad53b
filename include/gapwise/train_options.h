#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gapwise/kernel.h"
#include "gapwise/option_table.h"
#include "gapwise/types.h"

namespace gapwise {

class Problem;

/// The weight of the L2 term: a number, a number over n that is known once the data are, or one
/// that a fit is to choose by held-out examples (lambda_search.h).
struct Lambda {
  double value = 1.0;     ///< lambda, or n times lambda
  bool is_over_n = true;  ///< to be divided by n
  bool is_auto = false;   ///< to be chosen; not for a single run

  static Lambda of(double value) { return {value, false}; }     ///< a number
  static Lambda over_n(double value) { return {value, true}; }  ///< a number over n
  static Lambda chosen() { return {1.0, true, true}; }          ///< to be chosen
  /// As a number, for n examples.
  double resolve(Index n) const { return is_over_n ? value / static_cast<double>(n) : value; }
};

/// Which block comes next.
enum class Sampling { kUniform, kPermutation, kCyclic, kGap };
/// The step size: an exact line search, or the fixed schedule of the paper.
enum class Step { kLineSearch, kFixed };
/// What the step length of sgd falls with: eta0 / (1 + lambda eta0 k)^0.75, or lambda n for lambda.
enum class Decay { kLambda, kLambdaN };
/// How the beliefs of variables and factors come to agree (docs/design/factorwise.md): a price on
/// differing that stays, one that rises, or one with multipliers.
enum class Coupling { kMultipliers, kContinuation, kFixed };
/// Which average of the iterates is returned.
enum class Average { kNone, kUniform, kWeighted, kSuffix };

constexpr std::array<std::string_view, 4> enum_names(Sampling) {
  return {"uniform", "permutation", "cyclic", "gap"};
}
constexpr std::array<std::string_view, 2> enum_names(Step) {
  return {"line-search", "fixed"};
}
constexpr std::array<std::string_view, 2> enum_names(Decay) {
  return {"lambda", "lambda-n"};
}
constexpr std::array<std::string_view, 3> enum_names(Coupling) {
  return {"multipliers", "continuation", "fixed"};
}
constexpr std::array<std::string_view, 4> enum_names(Average) {
  return {"none", "uniform", "weighted", "suffix"};
}

/// How to train: which solver, on what objective, until when. Copied into the run, never changed.
struct TrainOptions {
  std::string solver = "auto";  ///< one of solvers()
  Lambda lambda = {};           ///< weight of the L2 term
  /// Names of groups of weights kept >= 0, by commas; see weight_groups().
  std::string nonnegative = {};

  std::optional<double> gap = {};  ///< certified gap to stop at, absolute
  /// The same relative to the primal; 0.01 if neither is set.
  std::optional<double> relative_gap = {};
  Index max_passes = 200;                      ///< visits of all blocks, gap passes not counted
  std::optional<double> max_seconds = {};      ///< of training
  std::optional<Index> max_oracle_calls = {};  ///< gap passes counted

  Sampling sampling = Sampling::kPermutation;  ///< which example comes next
  std::vector<Index> order = {};     ///< visiting order of `cyclic`, from 0; empty: 0..n-1
  Step step = Step::kLineSearch;     ///< how far to go
  Decay decay = Decay::kLambda;      ///< of the steps of sgd
  Average average = Average::kNone;  ///< of the iterates; what is returned
  Index gap_every = 10;              ///< passes between two certified gaps at the most

  Index cache = 0;  ///< outputs remembered per example to save oracle calls; 0: none
  /// When a remembered output will do: its gap is at least `cache_fraction` of the block's gap at
  /// its last oracle call, and at least `cache_share` of the mean block gap at the last gap pass; F
  /// and nu of [OALDL16].
  double cache_fraction = 0.25;
  double cache_share = 0.01;  ///< see `cache_fraction`
  Index max_active = 100;     ///< outputs kept per example by solvers that keep weights on them
  Index max_planes = 200;     ///< kept by one-slack and bmrm
  Index inner_steps = 1;      ///< pairwise steps per visit of bcpfw; more than 1: best pairs
  Index max_cached_passes = 1000;  ///< between two exact passes of mpbcfw and cpd
  Index sweeps = 5;                ///< passes over remembered outputs after each exact one
  bool keep_outputs = false;       ///< remember the outputs that carry weight, for a proof
  bool deterministic = true;       ///< decide by counted operations, not by the clock

  /// How soft factorwise solvers couple factors; 1 for soft-bcfw, found on a sample by gdmm.
  std::optional<double> rho = {};
  Coupling coupling = Coupling::kMultipliers;  ///< of soft-bcfw
  /// Sigma of smooth-dlpw; if not set, it begins with the largest cost and falls.
  std::optional<double> smoothing = {};

  KernelKind kernel = KernelKind::kLinear;  ///< between inputs, for kernel-bcfw
  Index kernel_degree = 2;                  ///< of polynomial
  std::optional<double> kernel_gamma = {};  ///< 1 / mean of |x|^2 if not set
  double kernel_offset = 1.0;               ///< of polynomial
  Index kernel_cache_mb = 512;              ///< memory for kernel values, in MiB; changes no result

  std::optional<Index> threads = {};  ///< all cores if not set; results do not depend on it
  std::uint64_t seed = 1;             ///< of every random choice

  /// Names of the options that were set by name. An option that means nothing to the solver is
  /// refused if it is among them, whatever its value; members that were set directly count as given
  /// where they differ from their default.
  std::set<std::string> given = {};
};

/// The table behind validation, `--help` and the docs, bound to `options`.
OptionTable option_table(TrainOptions& options);

/// Sets one option by its name in the table, as `--name value` does. OptionError as set_option() of
/// tables.
void set_option(TrainOptions& options, std::string_view name, std::string_view value);

/// Name and value of every option, in the order of the table.
std::vector<std::pair<std::string, std::string>> values_of(const TrainOptions& options);

/// Throws OptionError unless every value is in range and fits the chosen solver and n.
void validate(const TrainOptions& options, Index num_blocks);

/// `options` for `problem`: the weights that its decoder needs to be >= 0 are added to
/// `nonnegative`, and all is validated.
TrainOptions fitted(TrainOptions options, const Problem& problem);

}  // namespace gapwise
