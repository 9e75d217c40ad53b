#include "faults/process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/scratch_folder.h"

namespace gapwise::internal::testing {
namespace {

std::string read_all(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// In the child, which becomes the program.
[[noreturn]] void become(const std::string& folder, const std::string& scratch,
                         const std::vector<std::string>& words, const std::optional<Fault>& fault,
                         std::optional<unsigned long> file_limit) {
  const int out = ::open("/dev/null", O_WRONLY);
  const int errors = ::open((scratch + "/errors").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  if (::chdir(folder.c_str()) != 0) ::_exit(126);
  if (fault) {
    ::setenv("LD_PRELOAD", FAULT_SHIM, 1);
    ::setenv("FAULT_KIND", fault->kind.c_str(), 1);
    ::setenv("FAULT_AT", std::to_string(fault->at).c_str(), 1);
    ::setenv("FAULT_STAYS", fault->stays ? "1" : "0", 1);
    ::setenv("FAULT_WIDTH", std::to_string(fault->width).c_str(), 1);
    ::setenv("FAULT_LEAST", std::to_string(fault->least).c_str(), 1);
    ::setenv("FAULT_ERROR", std::to_string(fault->error).c_str(), 1);
    ::setenv("FAULT_UNDER", fault->under.c_str(), 1);
    ::setenv("FAULT_COUNT", (scratch + "/count").c_str(), 1);
  }
  if (file_limit) {
    const rlimit limit{*file_limit, *file_limit};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  std::vector<char*> argv{const_cast<char*>(GAPWISE_PROGRAM)};
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execv(GAPWISE_PROGRAM, argv.data());
  ::_exit(127);
}

}  // namespace

Ending run_program(const std::string& folder, const std::vector<std::string>& words,
                   const std::optional<Fault>& fault, std::optional<unsigned long> file_limit) {
  const ScratchFolder scratch;
  const pid_t child = ::fork();
  if (child == 0) become(folder, scratch.root().string(), words, fault, file_limit);
  int status = 0;
  ::waitpid(child, &status, 0);
  Ending ending;
  if (WIFEXITED(status)) ending.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  ending.error_text = read_all(scratch.path("errors"));
  ending.calls = std::atol(read_all(scratch.path("count")).c_str());
  return ending;
}

std::map<std::string, std::string> contents_of(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = std::filesystem::relative(entry.path(), folder).string();
    files[name] = read_all(entry.path().string());
  }
  return files;
}

}  // namespace gapwise::internal::testing
