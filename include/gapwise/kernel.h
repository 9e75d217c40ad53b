#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gapwise/option_table.h"
#include "gapwise/types.h"

namespace gapwise {

class Problem;

/// The kernels there are.
enum class KernelKind { kLinear, kPolynomial, kRbf };
constexpr std::array<std::string_view, 3> enum_names(KernelKind) {
  return {"linear", "polynomial", "rbf"};
}

/// A positive-definite function of two inputs x and z, computed from their inner products:
///   linear       <x, z>
///   polynomial   (gamma <x, z> + offset)^degree
///   rbf          exp(-gamma |x - z|^2)
struct Kernel {
  KernelKind kind = KernelKind::kLinear;  ///< which of them
  Index degree = 2;                       ///< of polynomial
  double gamma = 1.0;                     ///< of polynomial and rbf
  double offset = 1.0;                    ///< of polynomial

  /// Its value for <x, z>, |x|^2 and |z|^2.
  double operator()(double product, double squared_norm_x, double squared_norm_z) const {
    if (kind == KernelKind::kLinear) return product;
    if (kind == KernelKind::kRbf) {
      const double distance = squared_norm_x + squared_norm_z - 2.0 * product;
      return std::exp(-gamma * std::max(0.0, distance));
    }
    const double base = gamma * product + offset;
    double power = base;
    for (Index k = 1; k < degree; ++k) power *= base;
    return power;
  }

  friend bool operator==(const Kernel&, const Kernel&) = default;
};

/// What a kernel solver may know of a problem some of whose features are "input x with label k". An
/// input is a token of a sequence, or an example to classify; the inputs of block i follow each
/// other. With K labels and T inputs in block i, part t * K + k < T * K of the block means that its
/// t-th input has label k; other parts have nothing to do with inputs.
class KernelInputs {
 public:
  virtual ~KernelInputs() = default;

  virtual Index num_inputs() const = 0;  ///< of all blocks together
  virtual int num_labels() const = 0;    ///< K
  /// Where the inputs of block i begin; those of the last block end at num_inputs().
  virtual Index first_input(Index i) const = 0;

  /// out[s - begin] = <x_t, x_s> for begin <= s < end. Several threads may call this at once.
  virtual void products(Index t, Index begin, Index end, double* out) const = 0;

  /// The problem without the features of its inputs: the same blocks, parts, losses and decoder;
  /// what is left (transitions, say) stays linear in a w of its own.
  virtual const Problem& rest() const = 0;
};

/// The result of kernel training: score of label k at input x = sum_s coefficients[s * labels + k]
/// k(x_s, x), plus what the rest of the features scores with weights `rest`.
struct KernelExpansion {
  Kernel kernel;                     ///< k
  int labels = 0;                    ///< K
  std::vector<Index> inputs;         ///< the support inputs s, increasing
  std::vector<double> coefficients;  ///< K for each support input
  std::vector<double> rest;          ///< weights of the features that are not of inputs
};

}  // namespace gapwise
