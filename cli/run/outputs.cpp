#include "run/outputs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "gapwise/errors.h"
#include "io/files.h"

namespace gapwise::internal::cli {

namespace fs = std::filesystem;

namespace {

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return a == b || place_of(a) == place_of(b) || fs::equivalent(a, b, ignored);
}

[[noreturn]] void fail_twice(std::string_view option_a, std::string_view option_b,
                             const std::string& path) {
  throw OptionError(fmt::format("--{} and --{} both name '{}'; give them different files", option_a,
                                option_b, path));
}

}  // namespace

void check_output(std::string_view option, const std::string& path) {
  if (path.empty()) return;
  const auto refuse = [&](const std::string& why) {
    throw OptionError(fmt::format("--{} {}: {}", option, path, why));
  };
  if (path == "-") refuse("is not the name of a file; name one (./- if it shall be called so)");
  std::error_code ignored;
  const fs::path parent = fs::path(path).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  if (!fs::is_directory(folder, ignored)) {
    refuse(fmt::format("there is no directory '{0}'; make it first: mkdir -p '{0}'", folder));
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    refuse(fmt::format("directory '{}' cannot be written; choose another one", folder));
  }
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) refuse("is a directory; name a file in it");
}

void make_folder(std::string_view option, const std::string& path) {
  if (path == "-") throw OptionError(fmt::format("--{} -: name a directory", option));
  std::error_code error;
  fs::create_directories(path, error);
  if (!error) return;
  throw OptionError(fmt::format("--{} {}: cannot make this directory: {}; name another one", option,
                                path, error.message()));
}

void check_regular(std::string_view option, const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (path.empty() || !fs::exists(status) || fs::is_regular_file(status)) return;
  throw OptionError(
      fmt::format("--{} {}: is not a regular file; it is rewritten, so name one", option, path));
}

void check_read_again(const std::string& path) {
  if (can_be_read_again(path)) return;
  throw OptionError(fmt::format(
      "{} would be read twice (for training and test, or for pictures and predictions), but gives "
      "its data only once; save them to a file first",
      path == "-" ? "standard input" : path));
}

void Outputs::add(std::string_view option, const std::string& path) {
  if (path.empty()) return;
  check_output(option, path);
  for (const Output& other : outputs_) {
    if (is_same_file(other.path, path)) fail_twice(other.option, option, path);
  }
  outputs_.push_back({std::string(option), path});
}

void Outputs::check_input(std::string_view option, const std::string& path) const {
  if (path.empty() || path == "-") return;
  for (const Output& output : outputs_) {
    if (is_same_file(path, output.path)) fail_twice(option, output.option, output.path);
  }
}

void Outputs::check_input_files(const OptionTable& table) const {
  for (const Option& row : table) {
    if (!row.placeholder.starts_with("FILE")) continue;
    std::istringstream names(row.get());
    for (std::string name; std::getline(names, name, ',');) check_input(row.name, name);
  }
}

void Outputs::check_read(const OpenedFiles& read) const {
  for (const Output& output : outputs_) {
    const std::optional<std::string> name = read.find(output.path);
    if (!name) continue;
    throw OptionError(fmt::format("--{} {}: this run reads it, as {}; name another file",
                                  output.option, output.path, *name));
  }
}

}  // namespace gapwise::internal::cli
