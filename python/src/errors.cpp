#include "gapwise/errors.h"

#include "bindings.h"

namespace gapwise::python {
namespace {

namespace py = pybind11;

/// The exceptions are classes of the package, so that they can be ValueErrors as well.
PyObject* find_class(const char* name) {
  return py::object(py::module_::import("gapwise._errors").attr(name)).release().ptr();
}

}  // namespace

void bind_errors(py::module_&) {
  static PyObject* const input_error = find_class("InputError");
  static PyObject* const option_error = find_class("OptionError");
  static PyObject* const oracle_error = find_class("OracleError");
  static PyObject* const error = find_class("Error");
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError& found) {
      PyErr_SetString(input_error, found.what());
    } catch (const OptionError& found) {
      PyErr_SetString(option_error, found.what());
    } catch (const OracleError& found) {
      PyErr_SetString(oracle_error, found.what());
    } catch (const Error& found) {
      PyErr_SetString(error, found.what());
    }
  });
}

}  // namespace gapwise::python
