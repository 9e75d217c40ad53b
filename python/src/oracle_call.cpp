#include "oracle_call.h"

#include <cstring>

#include "convert.h"
#include "gapwise/errors.h"

namespace gapwise::python {
namespace {

/// Shorter weight vectors are copied for each call, which takes no longer than the call itself;
/// longer ones are looked at in place.
constexpr std::size_t kShort = 512;

[[noreturn]] void fail(Index i, const std::string& what) {
  throw OracleError("the oracle, asked about example " + std::to_string(i) + ", returned " + what);
}

std::string type_name(const py::handle& object) {
  return Py_TYPE(object.ptr())->tp_name;
}

/// Whether it is a one-dimensional array of T as C++ has them: what is looked at most often is
/// told without a conversion.
template <class T>
bool is_plain(const py::handle& given) {
  if (!py::isinstance<py::array>(given)) return false;
  const auto* const array = py::detail::array_proxy(given.ptr());
  const auto* const type = py::detail::array_descriptor_proxy(array->descr);
  constexpr int kGood =
      py::detail::npy_api::NPY_ARRAY_C_CONTIGUOUS_ | py::detail::npy_api::NPY_ARRAY_ALIGNED_;
  return array->nd == 1 && (array->flags & kGood) == kGood && type->byteorder == '=' &&
         type->kind == (std::is_integral_v<T> ? 'i' : 'f') && type->elsize == sizeof(T);
}

/// A one-dimensional array of numbers of type T; `kinds` are those of numpy that may be given.
template <class T>
py::array_t<T> numbers(Index i, const py::handle& given, const char* what, const char* kinds) {
  using Array = py::array_t<T, py::array::c_style | py::array::forcecast>;
  if (is_plain<T>(given)) return py::reinterpret_borrow<py::array_t<T>>(given);
  py::array array;
  if (py::isinstance<py::array>(given)) {
    array = py::reinterpret_borrow<py::array>(given);
  } else {
    array = py::array::ensure(given);
    if (!array)
      fail(i, std::string(what) + " of type " + type_name(given) + "; an array is needed");
  }
  if (array.ndim() != 1) {
    fail(i,
         std::string(what) + " with " + std::to_string(array.ndim()) + " dimensions; 1 is needed");
  }
  if (array.size() > 0 && std::strchr(kinds, array.dtype().kind()) == nullptr) {
    fail(i, std::string(what) + " of dtype " + std::string(py::str(array.dtype())) + "; " +
                (std::is_integral_v<T> ? "whole numbers are needed" : "numbers are needed"));
  }
  return Array(array);
}

double number(Index i, const py::handle& given, const char* what) {
  const double value = PyFloat_AsDouble(given.ptr());
  if (value == -1.0 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    fail(i, std::string(what) + " of type " + type_name(given) + "; a number is needed");
  }
  return value;
}

void read_sparse(Index i, const py::handle& given_ids, const py::handle& given_values, Parts& out) {
  const auto ids = numbers<Index>(i, given_ids, "indices", "iu");
  const auto values = numbers<double>(i, given_values, "values", "fiub");
  if (ids.size() != values.size()) {
    fail(i,
         std::to_string(ids.size()) + " indices but " + std::to_string(values.size()) + " values");
  }
  const Index* const id = ids.data();
  const double* const value = values.data();
  for (py::ssize_t k = 0; k < ids.size(); ++k) out.collect(id[k], value[k]);
}

void read_dense(Index i, const py::handle& given, Index dimension, Parts& out) {
  const auto values = numbers<double>(i, given, "a vector", "fiub");
  if (values.size() != dimension) {
    fail(i, "a vector of length " + std::to_string(values.size()) + "; the dimension is " +
                std::to_string(dimension));
  }
  const double* const value = values.data();
  for (Index k = 0; k < dimension; ++k) {
    if (value[k] != 0.0) out.append(k, value[k]);
  }
}

void read_answer(Index i, const py::object& answer, Index dimension, Corner& out) {
  const bool is_tuple = PyTuple_Check(answer.ptr());
  const Py_ssize_t size = is_tuple ? PyTuple_GET_SIZE(answer.ptr()) : 0;
  if (size < 2 || size > 4) {
    fail(i, (is_tuple ? "a tuple of " + std::to_string(size)
                      : "something of type " + type_name(answer)) +
                "; (indices, values, loss) or (vector, loss) is needed");
  }
  const auto item = [&](Py_ssize_t k) { return py::handle(PyTuple_GET_ITEM(answer.ptr(), k)); };
  if (size == 2) {
    read_dense(i, item(0), dimension, out.parts);
    out.loss = number(i, item(1), "a loss");
    return;
  }
  read_sparse(i, item(0), item(1), out.parts);
  out.loss = number(i, item(2), "a loss");
  if (size == 3) return;
  out.is_exact = false;
  if (!item(3).is_none()) out.upper_bound = number(i, item(3), "an upper bound");
}

/// Memory that an array moves to when it outlives what it looks at.
void move_home(const py::object& view, Weights w) {
  auto own = std::make_unique<std::vector<double>>(w.begin(), w.end());
  auto* const proxy = py::detail::array_proxy(view.ptr());
  proxy->data = reinterpret_cast<char*>(own->data());
  Py_XDECREF(proxy->base);
  proxy->base =
      py::capsule(own.release(), [](void* held) { delete static_cast<std::vector<double>*>(held); })
          .release()
          .ptr();
}

}  // namespace

py::object OracleCall::look_at(Weights w) {
  const auto size = static_cast<py::ssize_t>(w.size());
  if (w.size() > kShort) return read_only({size}, w.data(), py::none());
  py::object array = std::move(spare_);
  if (!array) array = read_only({size}, nullptr, py::object());
  std::memcpy(py::detail::array_proxy(array.ptr())->data, w.data(), w.size() * sizeof(double));
  return array;
}

namespace {

py::object call(const py::object& function, const py::object& which, const py::object& w) {
  PyObject* const arguments[] = {which.ptr(), w.ptr()};
  auto answer =
      py::reinterpret_steal<py::object>(PyObject_Vectorcall(function.ptr(), arguments, 2, nullptr));
  if (!answer) throw py::error_already_set();
  return answer;
}

py::object to_number(Index i) {
  return py::reinterpret_steal<py::object>(PyLong_FromLongLong(i));
}

}  // namespace

void OracleCall::read(Index i, const py::object& w, const py::object& answer, Corner& out) const {
  read_answer(i, answer, dimension_, out);
  if (bound_.is_none()) return;
  const py::object bound = call(bound_, to_number(i), w);
  out.is_exact = false;
  out.upper_bound.reset();
  if (!bound.is_none()) out.upper_bound = number(i, bound, "an upper bound");
}

/// Calls `ask` with an array of the weights, and sees to it that nobody looks at them afterwards.
template <class Ask>
void OracleCall::with_weights(Weights w, const char* whom, Ask ask) {
  call_python([&] {
    py::object view = look_at(w);
    const bool is_view = w.size() > kShort;
    try {
      ask(view);
    } catch (...) {
      // The exception has the frame of the oracle, and that has the weights.
      if (is_view) move_home(view, w);
      throw;
    }
    if (view.ref_count() == 1) {
      if (!is_view) spare_ = std::move(view);
    } else if (is_view) {
      move_home(view, w);
      throw OracleError(std::string(whom) +
                        " kept the weights, which are only good until it returns; keep a copy");
    }
  });
}

void OracleCall::operator()(Index i, Weights w, Corner& out) {
  with_weights(w, "the oracle", [&](const py::object& view) {
    read(i, view, call(function_, to_number(i), view), out);
  });
}

void OracleCall::operator()(std::span<const Index> blocks, Weights w, std::span<Corner> out) {
  with_weights(w, "batch", [&](const py::object& view) {
    const py::object answers =
        call(function_, to_array(std::vector<Index>(blocks.begin(), blocks.end())), view);
    const auto list = py::reinterpret_steal<py::object>(PySequence_Fast(answers.ptr(), ""));
    if (!list) PyErr_Clear();
    const Py_ssize_t size = list ? PySequence_Fast_GET_SIZE(list.ptr()) : 0;
    if (!list || size != std::ssize(blocks)) {
      throw OracleError(
          "batch, asked about " + std::to_string(blocks.size()) + " examples, returned " +
          (list ? std::to_string(size) + " answers" : "something of type " + type_name(answers)) +
          "; a list with an answer for each is needed");
    }
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      const auto answer = py::reinterpret_borrow<py::object>(
          PySequence_Fast_GET_ITEM(list.ptr(), static_cast<Py_ssize_t>(k)));
      read(blocks[k], view, answer, out[k]);
    }
  });
}

}  // namespace gapwise::python
