#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <vector>

#include "gapwise/metrics.h"
#include "gapwise/progress.h"

namespace gapwise::python {

namespace py = pybind11;

/// (name, value, whether more is better, whether it is the main one) of each.
inline py::list to_list(const Metrics& metrics) {
  py::list list;
  for (const Metric& metric : metrics) {
    list.append(py::make_tuple(metric.name, metric.value, metric.better == Better::kHigher,
                               metric.is_main));
  }
  return list;
}

/// An array that takes the values over.
template <class T>
py::array_t<T> to_array(std::vector<T> values) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  const T* const data = owned->data();
  const std::size_t size = owned->size();
  const py::capsule owner(owned.release(),
                          [](void* held) { delete static_cast<std::vector<T>*>(held); });
  return py::array_t<T>(size, data, owner);
}

/// A look at memory of `owner` that cannot be written to.
inline py::array_t<double> read_only(std::vector<py::ssize_t> shape, const double* data,
                                     const py::object& owner) {
  py::array_t<double> view(std::move(shape), data, owner);
  py::detail::array_proxy(view.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return view;
}

}  // namespace gapwise::python
