#include "token_rows.h"

#include "gapwise/errors.h"

namespace gapwise::python {
namespace {

namespace py = pybind11;

std::string type_name(PyObject* object) {
  return Py_TYPE(object)->tp_name;
}

bool is_collection(PyObject* object) {
  return PyList_Check(object) || PyTuple_Check(object) || PyAnySet_Check(object);
}

/// The items of anything that can be gone through.
py::object fast_sequence(PyObject* object) {
  PyObject* const items = PySequence_Fast(object, "");
  if (items == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(items);
}

}  // namespace

std::string_view text_of(PyObject* text, const std::string& what) {
  if (!PyUnicode_Check(text)) {
    throw InputError(what + " is of type " + type_name(text) + "; a text (str) is expected");
  }
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text, &size);
  if (bytes == nullptr) throw py::error_already_set();
  return {bytes, static_cast<std::size_t>(size)};
}

void add_labels(ExampleRows& rows, PyObject* labels) {
  if (!PyList_Check(labels) && !PyTuple_Check(labels)) {
    rows.label(text_of(labels, "a label"));
    return;
  }
  const py::object items = fast_sequence(labels);
  for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(items.ptr()); ++k) {
    rows.label(text_of(PySequence_Fast_GET_ITEM(items.ptr(), k), "a label"));
  }
}

void TokenRows::fail(const std::string& what) const {
  throw InputError("sequence " + std::to_string(sequence_) + ", token " + std::to_string(token_) +
                   ": " + what);
}

void TokenRows::append(PyObject* text, const char* what) {
  if (!PyUnicode_Check(text)) {
    fail(std::string(what) + " is of type " + type_name(text) + "; a text (str) is expected");
  }
  name_ += text_of(text, what);
}

void TokenRows::add_names(PyObject* names, std::size_t prefix) {
  const auto iterator = py::reinterpret_steal<py::object>(PyObject_GetIter(names));
  if (!iterator) throw py::error_already_set();
  while (PyObject* const next = PyIter_Next(iterator.ptr())) {
    const auto item = py::reinterpret_steal<py::object>(next);
    name_.resize(prefix);
    append(item.ptr(), "an attribute");
    rows_.attribute(name_);
  }
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
}

void TokenRows::add_entry(PyObject* value) {
  if (PyUnicode_Check(value)) {
    name_ += ':';
    append(value, "a value");
    rows_.attribute(name_);
  } else if (PyDict_Check(value)) {
    name_ += ':';
    add_mapping(value, name_.size());
  } else if (is_collection(value)) {
    name_ += ':';
    add_names(value, name_.size());
  } else {
    const double number = PyFloat_Check(value) ? PyFloat_AS_DOUBLE(value) : PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      fail("the value of '" + name_ + "' is of type " + type_name(value) +
           "; a number, a truth value, a text, or a list of texts is expected");
    }
    rows_.attribute(name_, number);
  }
}

void TokenRows::add_mapping(PyObject* mapping, std::size_t prefix) {
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  Py_ssize_t at = 0;
  while (PyDict_Next(mapping, &at, &key, &value) != 0) {
    name_.resize(prefix);
    append(key, "the name of an attribute");
    add_entry(value);
  }
}

void TokenRows::add_token(PyObject* token) {
  name_.clear();
  if (PyDict_Check(token)) {
    add_mapping(token, 0);
  } else if (is_collection(token)) {
    add_names(token, 0);
  } else {
    fail("it is of type " + type_name(token) +
         "; a dict of attributes or a list of attribute names is expected");
  }
}

void TokenRows::add_sequence(PyObject* tokens, PyObject* labels) {
  ++sequence_;
  token_ = 1;
  if (PyUnicode_Check(tokens) || PyDict_Check(tokens)) {
    fail("the sequence is of type " + type_name(tokens) + "; a list of tokens is expected");
  }
  const py::object items = fast_sequence(tokens);
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(items.ptr());
  const py::object answers = labels != nullptr ? fast_sequence(labels) : py::object();
  if (answers && PySequence_Fast_GET_SIZE(answers.ptr()) != size) {
    throw InputError("sequence " + std::to_string(sequence_) + " has " + std::to_string(size) +
                     " tokens but " + std::to_string(PySequence_Fast_GET_SIZE(answers.ptr())) +
                     " labels");
  }
  for (Py_ssize_t t = 0; t < size; ++t) {
    token_ = t + 1;
    add_token(PySequence_Fast_GET_ITEM(items.ptr(), t));
    if (answers) add_labels(rows_, PySequence_Fast_GET_ITEM(answers.ptr(), t));
    rows_.end_row();
  }
  rows_.end_example();
}

}  // namespace gapwise::python
