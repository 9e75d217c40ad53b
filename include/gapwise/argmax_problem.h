#pragma once

#include <functional>
#include <memory>
#include <span>

#include "gapwise/problem.h"

namespace gapwise {

/// For users who have nothing but "give me the most violated output's feature difference and
/// loss". The parts *are* the features: B_i is the identity and theta is a view of w.
///
///   auto problem = make_argmax_problem(n, d, [&](Index i, Weights w, Corner& out) {
///     const Tour y = my_solver(costs(i, w));                    // argmax L_i(y) - <w, psi_i(y)>
///     for (...) out.parts.collect(feature, truth_minus_y);      // psi_i(y) = phi(y_i) - phi(y)
///     out.loss = hamming(truth(i), y);
///   });
///
/// The function is called from several threads at once, each time for another block; `out` arrives
/// cleared and its parts may be collected in any order. What it returns is checked: an index
/// outside 0..d-1, a negative loss or a number that is not finite is an OracleError.
using ArgmaxFunction = std::function<void(Index i, Weights w, Corner& out)>;

/// The same for several blocks at the same weights, which is all that some solvers ask about and
/// what every certificate takes: out[k] is the answer for blocks[k].
using ArgmaxBatch =
    std::function<void(std::span<const Index> blocks, Weights w, std::span<Corner> out)>;

/// What a problem of one's own is made of.
struct ArgmaxFunctions {
  ArgmaxFunction argmax;        ///< the max oracle
  ArgmaxFunction predict = {};  ///< as below
  ArgmaxBatch batch = {};       ///< asked in the place of `argmax` where that can be
  Index batch_size = 64;        ///< for so many blocks at the most
};
/// A problem of these functions.
std::unique_ptr<Problem> make_argmax_problem(Index num_blocks, Index dimension,
                                             ArgmaxFunctions functions);

/// `predict`, if given, maximises without the loss (for the training loss and the perceptron).
std::unique_ptr<Problem> make_argmax_problem(Index num_blocks, Index dimension,
                                             ArgmaxFunction argmax, ArgmaxFunction predict = {});

}  // namespace gapwise
