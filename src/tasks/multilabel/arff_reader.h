#pragma once

#include <memory>

#include "tasks/multilabel/reader.h"

namespace gapwise::internal {

/// Examples of an ARFF file, some of whose attributes are labels: 1 if the example has the label, 0
/// if not. Numbers and attributes with the values 0 and 1 are features as they are; any other
/// nominal attribute is one feature for each of its values, 1 where it has that value.
std::unique_ptr<MultilabelReader> make_arff_sets(LineReader& lines, const MultilabelPlan& plan);

}  // namespace gapwise::internal
