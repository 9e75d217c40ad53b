#pragma once

#include <memory>

#include "tasks/sequence/reader.h"

namespace gapwise::internal {

/// Lines `label<TAB>attribute[:value]<TAB>...`, as CRFsuite reads them. Without `needs_labels` the
/// label may be empty.
std::unique_ptr<SequenceReader> make_crfsuite_reader(LineReader& lines, bool needs_labels);

/// Whether at least half of the fields behind the first look like attributes: with '=' or ':'.
bool looks_like_crfsuite(std::string_view line);

}  // namespace gapwise::internal
