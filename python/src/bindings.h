#pragma once

#include <pybind11/pybind11.h>

namespace gapwise::python {

// What the module is made of; each adds its functions and classes.
void bind_errors(pybind11::module_& module);
void bind_options(pybind11::module_& module);
void bind_examples(pybind11::module_& module);
void bind_model(pybind11::module_& module);
void bind_fit(pybind11::module_& module);
void bind_evaluation(pybind11::module_& module);
void bind_lambda_search(pybind11::module_& module);
void bind_path(pybind11::module_& module);
void bind_problem(pybind11::module_& module);

}  // namespace gapwise::python
