#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gapwise::internal::testing {

/// A call that is to fail, as shim.cpp has it.
struct Fault {
  std::string kind;
  long at = 0;  ///< from 1; 0: only count the calls
  bool stays = false;
  int error = 0;
  long least = 0;              ///< bytes of an allocation that counts
  long width = 1;              ///< how many calls in a row fail
  std::string under = "out/";  ///< what the names of files that count hold
};

/// How the program ended.
struct Ending {
  int code = 0;    ///< of exit
  int signal = 0;  ///< that ended it, if any
  std::string error_text;
  long calls = 0;  ///< of the kind of the fault
};

/// Runs the program in `folder` with these words, with a fault if there is one, and with files of
/// at most so many bytes.
Ending run_program(const std::string& folder, const std::vector<std::string>& words,
                   const std::optional<Fault>& fault = std::nullopt,
                   std::optional<unsigned long> file_limit = std::nullopt);

/// The files in a folder and those below it, by name.
std::map<std::string, std::string> contents_of(const std::string& folder);

}  // namespace gapwise::internal::testing
