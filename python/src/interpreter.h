#pragma once

#include <pybind11/pybind11.h>

namespace gapwise::python {

namespace py = pybind11;

/// Thrown through C++ in the place of a Python exception, which waits in the Interpreter.
struct PythonFailed {};

/// Lets go of the interpreter while C++ works on this thread. To call Python in between, the same
/// thread takes it again with the thread state it had, which costs a tenth of a microsecond where a
/// new thread state costs tens.
class Interpreter {
 public:
  Interpreter();
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  /// The innermost one of this thread; null while C++ does not work without the interpreter.
  static Interpreter* current();
  /// The same; an Error where there is none.
  static Interpreter& of_this_thread();

  void enter();
  void leave();
  /// Inside: puts the Python exception aside and throws PythonFailed.
  [[noreturn]] void fail();
  /// Takes the interpreter for good and raises what was put aside.
  [[noreturn]] void raise();

 private:
  Interpreter* outer_;
  PyThreadState* state_ = nullptr;
  PyObject* type_ = nullptr;
  PyObject* value_ = nullptr;
  PyObject* traceback_ = nullptr;
};

/// Holds the interpreter for as long as it lives, in the middle of work of without_interpreter().
class Inside {
 public:
  explicit Inside(Interpreter& interpreter) : interpreter_(interpreter) { interpreter_.enter(); }
  ~Inside() { interpreter_.leave(); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Interpreter& interpreter_;
};

/// Does work that takes long while other Python threads run.
template <class Work>
auto without_interpreter(Work work) {
  Interpreter interpreter;
  try {
    return work();
  } catch (const PythonFailed&) {
    interpreter.raise();
  }
}

/// Calls Python in the middle of such work; what it raises ends the work and arrives at the caller.
template <class Call>
auto call_python(Call call) {
  Interpreter& interpreter = Interpreter::of_this_thread();
  const Inside inside(interpreter);
  try {
    return call();
  } catch (py::error_already_set& error) {
    error.restore();
    interpreter.fail();
  }
}

}  // namespace gapwise::python
