#include "bindings.h"

PYBIND11_MODULE(_native, module) {
  using namespace gapwise::python;  // NOLINT(google-build-using-namespace): all of it is for here
  module.doc() = "The gapwise library as Python sees it; the package around it is what to use.";
  module.attr("__version__") = GAPWISE_VERSION;
  bind_errors(module);
  bind_options(module);
  bind_examples(module);
  bind_model(module);
  bind_fit(module);
  bind_path(module);
  bind_lambda_search(module);
  bind_evaluation(module);
  bind_problem(module);
}
