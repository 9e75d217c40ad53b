#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "solve/training.h"

namespace gapwise::internal {

/// What the program adds to the state of a run: the options of the task, by name, and the trace.
struct CheckpointNotes {
  std::map<std::string, std::string> task_options;
  std::vector<std::string> trace;
};

void save_checkpoint(const std::string& path, const CheckpointNotes& notes, const Snapshot& run);

/// What that puts into the file: the notes and the state of the run; and these packed, with what
/// tells who wrote them, and sealed.
std::string checkpoint_bytes(const CheckpointNotes& notes, const Snapshot& run);
std::string seal_checkpoint(std::string_view bytes);

/// Throws InputError if there is no such file, or if it begins as no checkpoint of this program
/// does; for use before the data are read.
void check_checkpoint(const std::string& path);

/// What the file holds besides the state of the run.
CheckpointNotes read_checkpoint_notes(const std::string& path);

/// Throws InputError unless the options `saved` in `path` are those of `now`; names one that is
/// not.
void check_same_options(const std::string& path, const std::map<std::string, std::string>& saved,
                        const std::map<std::string, std::string>& now);

/// Puts `training` where the saved run stood. Throws InputError if the file is missing, damaged or
/// of a run with other data or options; a differing option is named. Of several ranks only rank 0
/// reads the file.
CheckpointNotes resume(const std::string& path,
                       const std::map<std::string, std::string>& task_options, Training& training,
                       Ranks* ranks = nullptr);

}  // namespace gapwise::internal
