#pragma once

#include <map>
#include <string>

#include "gapwise/train_options.h"

namespace gapwise::python {

/// Options given by name.
TrainOptions make_options(const std::map<std::string, std::string>& by_name);

}  // namespace gapwise::python
