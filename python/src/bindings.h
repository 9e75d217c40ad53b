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

/// Gives a class attributes, each a name and a member, for Python to set or only to read.
template <class Class, class... Named>
void add_settable(Class& bound, const char* name, auto member, Named... more) {
  bound.def_readwrite(name, member);
  if constexpr (sizeof...(more) > 0) add_settable(bound, more...);
}
template <class Class, class... Named>
void add_readable(Class& bound, const char* name, auto member, Named... more) {
  bound.def_readonly(name, member);
  if constexpr (sizeof...(more) > 0) add_readable(bound, more...);
}

/// A class of settings, which Python makes with their defaults and changes.
template <class Settings, class... Named>
pybind11::class_<Settings> settings_class(pybind11::module_& module, const char* name,
                                          Named... members) {
  pybind11::class_<Settings> bound(module, name);
  bound.def(pybind11::init<>());
  add_settable(bound, members...);
  return bound;
}

}  // namespace gapwise::python
