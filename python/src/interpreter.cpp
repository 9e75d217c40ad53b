#include "interpreter.h"

#include <utility>

#include "gapwise/errors.h"

namespace gapwise::python {
namespace {

thread_local Interpreter* innermost = nullptr;

}  // namespace

Interpreter::Interpreter() : outer_(std::exchange(innermost, this)) {
  state_ = PyEval_SaveThread();
}

Interpreter::~Interpreter() {
  if (state_ != nullptr) enter();
  Py_XDECREF(type_);
  Py_XDECREF(value_);
  Py_XDECREF(traceback_);
  innermost = outer_;
}

Interpreter* Interpreter::current() {
  return innermost;
}

Interpreter& Interpreter::of_this_thread() {
  if (innermost == nullptr) {
    throw Error("Python was called from a thread of the library; this is a mistake of gapwise");
  }
  return *innermost;
}

void Interpreter::enter() {
  PyEval_RestoreThread(std::exchange(state_, nullptr));
}

void Interpreter::leave() {
  state_ = PyEval_SaveThread();
}

void Interpreter::fail() {
  PyErr_Fetch(&type_, &value_, &traceback_);
  throw PythonFailed();
}

void Interpreter::raise() {
  enter();
  PyErr_Restore(std::exchange(type_, nullptr), std::exchange(value_, nullptr),
                std::exchange(traceback_, nullptr));
  throw py::error_already_set();
}

}  // namespace gapwise::python
