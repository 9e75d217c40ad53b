#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gapwise/option_table.h"
#include "io/opened_files.h"

namespace gapwise::internal::cli {

/// Checks before any work is done that `path` can be written as a whole file; throws OptionError
/// with the remedy otherwise. An empty path passes.
void check_output(std::string_view option, const std::string& path);

/// Makes the directory `path` with those above it, unless it is there; throws OptionError with the
/// remedy if that cannot be done.
void make_folder(std::string_view option, const std::string& path);

/// Throws OptionError if `path` exists and is a device, a pipe or the like.
void check_regular(std::string_view option, const std::string& path);

/// Throws OptionError if data that are needed twice can be read only once, as from a pipe.
void check_read_again(const std::string& path);

/// The files that a command will write, known before any work is done: each can be written, no two
/// are one, and none is a file that the command reads. Names are one if they lead to the same
/// place, through links or on another way, whether the file is there or not. Everything throws
/// OptionError.
class Outputs {
 public:
  /// An empty path is no output.
  void add(std::string_view option, const std::string& path);
  /// A file that is to be read; "" and "-" are none.
  void check_input(std::string_view option, const std::string& path) const;
  /// All options of the table that name files.
  void check_input_files(const OptionTable& table) const;
  /// What was read, also by names that nobody gave: masks beside the images, say.
  void check_read(const OpenedFiles& read) const;

 private:
  struct Output {
    std::string option;
    std::string path;
  };
  std::vector<Output> outputs_;
};

}  // namespace gapwise::internal::cli
