#pragma once

#include <string>

#include "app/figures.h"

namespace gapwise::internal::cli {

/// The most memory the program has had so far.
Index peak_rss_bytes();

/// One JSON object on one line, without a line end; unknown values are null and doubles read back
/// as the same doubles.
std::string to_json(const Figures& figures);

/// A line of to_json without the keys that differ from run to run (times and memory).
std::string without_clock(const std::string& json);

/// Whether a line of to_json speaks of the same moment of the run.
bool is_same_measurement(const std::string& json, const Figures& figures);

/// The metrics as one JSON object.
std::string to_json(const Metrics& metrics);

/// Where the files of a run are, for the table.
struct Places {
  std::string model;
  std::string trace;
  std::string checkpoint;
};

/// A short aligned table for people.
std::string to_table(const Figures& figures, const Places& places);

}  // namespace gapwise::internal::cli
