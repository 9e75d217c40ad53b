#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "gapwise/examples.h"

namespace gapwise::python {

/// Adds tokens as the users of CRFsuite write them, to be labelled one by one: a mapping of names
/// to numbers, truth values, texts, or collections of texts; or a collection of attribute names.
class TokenRows {
 public:
  TokenRows(ExampleRows& rows) : rows_(rows) {}

  /// One sequence; `labels` is null or as long as it.
  void add_sequence(PyObject* tokens, PyObject* labels);

 private:
  void add_token(PyObject* token);
  void add_mapping(PyObject* mapping, std::size_t prefix);
  void add_entry(PyObject* value);
  void add_names(PyObject* names, std::size_t prefix);
  void append(PyObject* text, const char* what);
  [[noreturn]] void fail(const std::string& what) const;

  ExampleRows& rows_;
  std::string name_;  ///< of the attribute at hand
  Py_ssize_t sequence_ = 0;
  Py_ssize_t token_ = 0;
};

/// A label of the row at hand, or several if it is a list or a tuple.
void add_labels(ExampleRows& rows, PyObject* labels);

/// The bytes of a text, valid as long as it is; `what` is for the message if it is none.
std::string_view text_of(PyObject* text, const std::string& what);

}  // namespace gapwise::python
