#pragma once

#include <memory>

#include "tasks/sequence/reader.h"

namespace gapwise::internal {

/// Columns between blanks, the label last, turned into attributes by a template. Without one the
/// standard template for the number of columns is used. With a dictionary, the column before the
/// label lists the labels that a token may have, and is no input of the template.
std::unique_ptr<SequenceReader> make_conll_reader(LineReader& lines, const ReadPlan& plan);

}  // namespace gapwise::internal
