#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gapwise/factor_graph.h"
#include "gapwise/kernel.h"
#include "gapwise/oracle.h"
#include "gapwise/types.h"

namespace gapwise {

/// Weights that lie next to each other and belong together: w[begin .. end).
struct WeightGroup {
  std::string name;  ///< "transitions"
  Index begin = 0;   ///< the first one
  Index end = 0;     ///< behind the last one
  /// The decoder is only right while these weights are >= 0: training keeps them so, asked or not.
  bool must_be_nonnegative = false;
};

class Problem;

/// What a problem may offer beyond the max oracle; docs/design/capabilities.md.
enum class Capability {
  kPlainWeights,  ///< Oracle::has_plain_weights()
  kExpectations,  ///< Oracle::has_expectations()
  kMeans,         ///< Oracle::has_expectations() or has_projection()
  kKernelInputs,  ///< Problem::kernel_inputs()
  kFactorGraphs,  ///< Problem::factor_graphs()
};
constexpr std::array<std::string_view, 5> enum_names(Capability) {
  return {"plain weights", "expectations", "expectations or projections", "kernel inputs",
          "factor graphs"};
}
bool offers(const Problem& problem, Capability capability);  ///< whether it has this

/// Everything a solver may know about the data. Immutable, hence shared by threads and by runs.
class Problem {
 public:
  virtual ~Problem() = default;

  virtual Index num_blocks() const = 0;                     ///< n
  virtual Index dimension() const = 0;                      ///< d
  virtual std::unique_ptr<Oracle> make_oracle() const = 0;  ///< a fresh one, for one thread

  /// The groups of weights that have a name, for options that speak of some weights only. Groups
  /// may overlap; there is always one of all weights.
  virtual std::vector<WeightGroup> weight_groups() const;

  /// What a call of the max oracle costs, counted in scores of single parts. Only used to choose
  /// between ways to the same optimum, where a clock would make runs differ from each other.
  virtual double oracle_cost() const = 0;

  /// What a kernel needs to take the place of the input features; null if there are no inputs to
  /// replace. Valid as long as the problem.
  virtual std::unique_ptr<KernelInputs> kernel_inputs() const { return nullptr; }

  /// The graphs that outputs are assignments of, for factorwise solvers; null if there are none.
  /// Valid as long as the problem.
  virtual const FactorGraphs* factor_graphs() const { return nullptr; }

  /// Whether the maximum is over a relaxation, some of whose corners are no outputs but mixtures
  /// that no output has. What is then solved and certified is the relaxed problem, whose optimum is
  /// at least that of the exact one, and the same where all relaxations are tight.
  virtual bool is_relaxed() const { return false; }

  /// What each block counts in the objective, c_i > 0: the mean is of c_i H_i, or of c_i H_i^2 for
  /// the squared hinge. Oracles know nothing of it. Empty: 1 for all. Valid as long as the problem.
  virtual std::span<const double> block_weights() const { return {}; }

  /// Changes when the data or the weights of blocks change; a checkpoint is only resumed on the
  /// data it was made from.
  virtual std::uint64_t fingerprint() const = 0;
};

}  // namespace gapwise
