#pragma once

#include <memory>

#include "tasks/sequence/reader.h"

namespace gapwise::internal {

/// Lines `label<TAB>attribute[:value]<TAB>...`, as CRFsuite reads them. If labels are
/// not needed, the label may be empty. With a dictionary, attribute `allowed=A|B` is no attribute,
/// but says that the token has one of these labels.
std::unique_ptr<SequenceReader> make_crfsuite_reader(LineReader& lines, const ReadPlan& plan);

/// Whether at least half of the fields behind the first look like attributes: with '=' or ':'.
bool looks_like_crfsuite(std::string_view line);

}  // namespace gapwise::internal
