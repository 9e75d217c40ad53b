#include "gapwise/model.h"

#include <pybind11/stl.h>

#include <unordered_map>

#include "bindings.h"
#include "convert.h"
#include "interpreter.h"

namespace gapwise::python {
namespace {

/// Makes each text once, however often it occurs.
class TextPool {
 public:
  const py::str& operator()(const std::string& text) {
    const auto found = texts_.find(text);
    if (found != texts_.end()) return found->second;
    return texts_.emplace(text, py::str(text)).first->second;
  }

 private:
  std::unordered_map<std::string, py::str> texts_;
};

/// The labels of each example, and its numbers.
py::tuple predict(const Model& model, const Examples& examples, ThreadCount threads) {
  const std::vector<Output> outputs =
      without_interpreter([&] { return model.predict(examples, threads); });
  TextPool pool;
  py::list labels(outputs.size());
  py::list numbers(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    py::list names(outputs[i].labels.size());
    for (std::size_t k = 0; k < names.size(); ++k) names[k] = pool(outputs[i].labels[k]);
    labels[i] = std::move(names);
    numbers[i] = to_array(outputs[i].numbers);
  }
  return py::make_tuple(std::move(labels), std::move(numbers));
}

void write_predictions(const Model& model, const std::string& path, const std::string& format,
                       const std::string& folds, const py::function& write, ThreadCount threads) {
  without_interpreter([&] {
    model.predict(
        {path, format, folds},
        [&](std::string_view text) {
          call_python([&] { write(py::bytes(text.data(), text.size())); });
        },
        threads);
  });
}

py::list evaluate(const Model& model, const Examples& examples, ThreadCount threads) {
  return to_list(without_interpreter([&] { return model.evaluate(examples, threads); }));
}

py::array_t<double> weights(const py::object& self) {
  const Weights w = self.cast<const Model&>().weights();
  return read_only({static_cast<py::ssize_t>(w.size())}, w.data(), self);
}

py::list weight_matrices(const py::object& self) {
  const auto& model = self.cast<const Model&>();
  py::list list;
  for (WeightMatrix& matrix : model.weight_matrices()) {
    const std::vector<py::ssize_t> shape{std::ssize(matrix.rows), std::ssize(matrix.columns)};
    list.append(py::make_tuple(matrix.name, std::move(matrix.rows), std::move(matrix.columns),
                               read_only(shape, model.weights().data() + matrix.begin, self)));
  }
  return list;
}

py::list top_weights(const Model& model, std::size_t count) {
  py::list list;
  for (const WeightTable& table : model.top_weights(count)) {
    list.append(py::make_tuple(table.title, table.rows));
  }
  return list;
}

}  // namespace

void bind_model(py::module_& module) {
  py::class_<Model>(module, "Model")
      .def_property_readonly("task", &Model::task)
      .def_property_readonly("settings", &Model::settings)
      .def("save", &Model::save, py::arg("path"), py::call_guard<py::gil_scoped_release>())
      .def("bytes", [](const Model& self) { return py::bytes(self.bytes()); })
      .def("names", &Model::names, py::arg("kind"))
      .def("weights", [](const py::object& self) { return weights(self); })
      .def("weight_matrices", [](const py::object& self) { return weight_matrices(self); })
      .def("top_weights", &top_weights, py::arg("count"))
      .def("predict", &predict, py::arg("examples"), py::arg("threads"))
      .def("write_predictions", &write_predictions, py::arg("path"), py::arg("format"),
           py::arg("folds"), py::arg("write"), py::arg("threads"))
      .def("evaluate", &evaluate, py::arg("examples"), py::arg("threads"));
  module.def("load_model", &load_model, py::arg("path"), py::call_guard<py::gil_scoped_release>());
  module.def(
      "load_model_bytes",
      [](const py::bytes& bytes, const std::string& name) {
        const std::string_view held = bytes;
        return without_interpreter([&] { return load_model_bytes(held, name); });
      },
      py::arg("bytes"), py::arg("name"));
}

}  // namespace gapwise::python
