#pragma once

#include <pybind11/numpy.h>

#include <string>

#include "gapwise/corner.h"
#include "interpreter.h"

namespace gapwise::python {

/// A max oracle that is a Python function of the number of an example and the weights. It returns
/// (indices, values, loss), (indices, values, loss, upper bound) or (vector, loss).
class OracleCall {
 public:
  OracleCall(py::object function, Index dimension)
      : function_(std::move(function)), dimension_(dimension) {}

  /// To be called without the interpreter (without_interpreter()).
  void operator()(Index i, Weights w, Corner& out);

 private:
  py::object look_at(Weights w);
  void ask(Index i, const py::object& w, Corner& out) const;

  py::object function_;
  Index dimension_;
  py::object spare_;  ///< an array for weights that nobody uses now
};

}  // namespace gapwise::python
