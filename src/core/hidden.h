#pragma once

#include <memory>
#include <utility>

namespace gapwise::internal {

/// Owns something that only the source file which makes it knows. A class that hides what it is
/// made of behind this needs to declare neither destructor nor moves.
template <class T>
using Hidden = std::unique_ptr<T, void (*)(T*)>;

template <class T, class... Arguments>
Hidden<T> make_hidden(Arguments&&... arguments) {
  return {new T(std::forward<Arguments>(arguments)...), [](T* hidden) { delete hidden; }};
}

}  // namespace gapwise::internal
