#pragma once

#include <pybind11/numpy.h>

#include <span>

#include "gapwise/corner.h"
#include "interpreter.h"

namespace gapwise::python {

/// A max oracle that is a Python function of the number of an example and the weights. It returns
/// (indices, values, loss), (indices, values, loss, upper bound) or (vector, loss). Or one of the
/// numbers of several examples and the weights, which returns a sequence of such answers.
class OracleCall {
 public:
  /// `bound`, if it is not None, is a function of the same that tells an upper bound of its own.
  OracleCall(py::object function, py::object bound, Index dimension)
      : function_(std::move(function)), bound_(std::move(bound)), dimension_(dimension) {}

  // To be called without the interpreter (without_interpreter()).
  void operator()(Index i, Weights w, Corner& out);
  void operator()(std::span<const Index> blocks, Weights w, std::span<Corner> out);

 private:
  template <class Ask>
  void with_weights(Weights w, const char* whom, Ask ask);
  py::object look_at(Weights w);
  void read(Index i, const py::object& w, const py::object& answer, Corner& out) const;

  py::object function_;
  py::object bound_;
  Index dimension_;
  py::object spare_;  ///< an array for weights that nobody uses now
};

}  // namespace gapwise::python
