#include "gapwise/examples.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "gapwise/errors.h"
#include "interpreter.h"
#include "token_rows.h"

namespace gapwise::python {
namespace {

using Numbers = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;
using Values = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// Ends examples behind so many rows each; without lengths every row is an example.
class ExampleEnds {
 public:
  ExampleEnds(const std::optional<Numbers>& lengths, py::ssize_t rows) {
    if (!lengths) return;
    const std::int64_t* const values = lengths->data();
    lengths_.assign(values, values + lengths->size());
    std::int64_t sum = 0;
    for (const std::int64_t length : lengths_) {
      if (length < 1) {
        throw InputError("a length is " + std::to_string(length) + "; it is at least 1");
      }
      sum += length;
    }
    if (sum != rows) {
      throw InputError("the lengths add up to " + std::to_string(sum) + ", but there are " +
                       std::to_string(rows) + " rows");
    }
    has_lengths_ = true;
  }

  void end_row(ExampleRows& rows) {
    rows.end_row();
    if (has_lengths_ && ++at_ < lengths_[example_]) return;
    rows.end_example();
    ++example_;
    at_ = 0;
  }

 private:
  bool has_lengths_ = false;
  std::vector<std::int64_t> lengths_;
  std::size_t example_ = 0;
  std::int64_t at_ = 0;
};

void check_labels(const std::optional<py::list>& labels, py::ssize_t rows) {
  if (!labels || static_cast<py::ssize_t>(labels->size()) == rows) return;
  throw InputError("there are " + std::to_string(rows) + " rows but " +
                   std::to_string(labels->size()) + " labels");
}

/// Rows whose features are added by `add_row`, each with its label.
template <class AddRow>
Examples make_rows(const std::string& task, const TaskOptions& options, py::ssize_t count,
                   const std::optional<py::list>& labels, const std::optional<Numbers>& lengths,
                   AddRow add_row) {
  check_labels(labels, count);
  ExampleEnds ends(lengths, count);
  ExampleRows rows(task, options);
  for (py::ssize_t r = 0; r < count; ++r) {
    add_row(rows, r);
    if (labels) add_labels(rows, PyList_GET_ITEM(labels->ptr(), r));
    ends.end_row(rows);
  }
  return rows.finish();
}

Examples from_dense(const std::string& task, const TaskOptions& options, const Values& matrix,
                    const std::optional<py::list>& labels, const std::optional<Numbers>& lengths) {
  const auto columns = static_cast<std::size_t>(matrix.shape(1));
  return make_rows(task, options, matrix.shape(0), labels, lengths,
                   [&](ExampleRows& rows, py::ssize_t r) {
                     rows.features({matrix.data(r, 0), columns});
                   });
}

Examples from_csr(const std::string& task, const TaskOptions& options, const Numbers& starts,
                  const Numbers& columns, const Values& values,
                  const std::optional<py::list>& labels, const std::optional<Numbers>& lengths) {
  const std::int64_t* const start = starts.data();
  return make_rows(task, options, starts.size() - 1, labels, lengths,
                   [&](ExampleRows& rows, py::ssize_t r) {
                     rows.features({});  // there may be none
                     for (std::int64_t k = start[r]; k < start[r + 1]; ++k) {
                       rows.feature(columns.data()[k] + 1, values.data()[k]);
                     }
                   });
}

Examples from_tokens(const std::string& task, const TaskOptions& options, const py::list& sequences,
                     const std::optional<py::list>& labels) {
  if (labels && labels->size() != sequences.size()) {
    throw InputError("there are " + std::to_string(sequences.size()) + " sequences but " +
                     std::to_string(labels->size()) + " sequences of labels");
  }
  ExampleRows rows(task, options);
  TokenRows tokens(rows);
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const auto at = static_cast<Py_ssize_t>(i);
    tokens.add_sequence(PyList_GET_ITEM(sequences.ptr(), at),
                        labels ? PyList_GET_ITEM(labels->ptr(), at) : nullptr);
  }
  return rows.finish();
}

Examples from_file(const std::string& task, const TaskOptions& options, const std::string& path,
                   const std::string& format, const std::string& folds) {
  return open_examples(task, {path, format, folds}, options);
}

}  // namespace

void bind_examples(py::module_& module) {
  py::class_<Examples>(module, "Examples")
      .def_property_readonly("task", &Examples::task)
      .def("size",
           [](const Examples& self) { return without_interpreter([&] { return self.size(); }); })
      .def(
          "describe",
          [](const Examples& self) { return without_interpreter([&] { return self.describe(); }); })
      .def("fingerprint",
           [](const Examples& self) {
             return without_interpreter([&] { return self.problem().fingerprint(); });
           })
      .def(
          "with_weights",
          [](const Examples& self, std::vector<double> weights) {
            return without_interpreter([&] { return self.with_weights(std::move(weights)); });
          },
          py::arg("weights"));
  module.def("from_tokens", &from_tokens, py::arg("task"), py::arg("options"), py::arg("sequences"),
             py::arg("labels"));
  module.def("from_dense", &from_dense, py::arg("task"), py::arg("options"), py::arg("matrix"),
             py::arg("labels"), py::arg("lengths"));
  module.def("from_csr", &from_csr, py::arg("task"), py::arg("options"), py::arg("starts"),
             py::arg("columns"), py::arg("values"), py::arg("labels"), py::arg("lengths"));
  module.def("from_file", &from_file, py::arg("task"), py::arg("options"), py::arg("path"),
             py::arg("format"), py::arg("folds"));
}

}  // namespace gapwise::python
