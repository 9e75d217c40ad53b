#pragma once

#include <atomic>
#include <exception>

#include "gapwise/lambda_search.h"
#include "run_observer.h"

namespace gapwise::python {

/// Tells a Python function of every lambda that was tried: "point", a PathPoint and its metrics;
/// true ends the search. Several threads come here.
class SearchObserver final : public LambdaSearchObserver {
 public:
  explicit SearchObserver(py::object listener) : listener_(std::move(listener)) {}

  void on_point(Index fold, const PathPoint& point) override;
  bool wants_stop() override {
    signals_.look();
    return wants_stop_;
  }
  /// After the search, with the interpreter: raises what the function raised.
  void finish() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  py::object listener_;  ///< None: nobody
  std::atomic<bool> wants_stop_ = false;
  std::exception_ptr failure_;
  SignalWatch signals_;
};

/// What a search was asked and has found, for Python.
py::object to_object(const std::optional<LambdaSearch>& search);

}  // namespace gapwise::python
