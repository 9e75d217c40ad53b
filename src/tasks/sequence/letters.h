#pragma once

#include <memory>
#include <string>

#include "io/folds.h"
#include "tasks/sequence/reader.h"

namespace gapwise::internal {

/// Words as small black and white images, one letter a line: `word_id position fold letter bits`.
std::unique_ptr<SequenceReader> make_letters_reader(LineReader& lines, const std::string& folds);

/// Whether a line has the form of this format.
bool looks_like_letters(std::string_view line);

}  // namespace gapwise::internal
