#include "gapwise/problem.h"

#include <pybind11/stl.h>

#include "bindings.h"
#include "gapwise/argmax_problem.h"
#include "gapwise/check_oracle.h"
#include "gapwise/examples.h"
#include "oracle_call.h"

namespace gapwise::python {
namespace {

/// A function of a problem, which may be let go of by any thread; none if it is None.
template <class Function>
Function make_function(const py::object& function, const py::object& bound, Index dimension) {
  if (function.is_none()) return {};
  const std::shared_ptr<OracleCall> call(new OracleCall(function, bound, dimension),
                                         [](OracleCall* old) {
                                           const py::gil_scoped_acquire held;
                                           delete old;
                                         });
  return [call](auto&&... arguments) { (*call)(arguments...); };
}

Examples make_problem(Index num_examples, Index dimension, const py::dict& functions,
                      Index batch_size) {
  const auto given = [&](const char* name) -> py::object { return functions[name]; };
  const py::object bound = given("upper_bound");
  ArgmaxFunctions all;
  all.argmax = make_function<ArgmaxFunction>(given("loss_augmented"), bound, dimension);
  all.predict = make_function<ArgmaxFunction>(given("predict"), py::none(), dimension);
  all.batch = make_function<ArgmaxBatch>(given("batch"), bound, dimension);
  all.batch_size = batch_size;
  return Examples(
      std::shared_ptr<const Problem>(make_argmax_problem(num_examples, dimension, std::move(all))));
}

py::dict check(const Examples& examples, Index count, Index points, std::uint64_t seed,
               bool allows_twins) {
  OracleCheckOptions options;
  options.examples = count;
  options.points = points;
  options.seed = seed;
  options.allows_twins_of_truth = allows_twins;
  const OracleCheck found =
      without_interpreter([&] { return check_oracle(examples.problem(), options); });
  py::dict result;
  result["examples"] = found.examples;
  result["calls"] = found.calls;
  result["exact"] = found.exact;
  result["with_bound"] = found.with_bound;
  result["truths_found"] = found.truths_found;
  return result;
}

}  // namespace

void bind_problem(py::module_& module) {
  module.def("make_problem", &make_problem, py::arg("num_examples"), py::arg("dimension"),
             py::arg("functions"), py::arg("batch_size"));
  module.def("check_oracle", &check, py::arg("examples"), py::arg("count"), py::arg("points"),
             py::arg("seed"), py::arg("allows_twins"));
}

}  // namespace gapwise::python
