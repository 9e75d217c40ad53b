#include "shell/standard_output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "gapwise/errors.h"

namespace gapwise::internal::cli {

void put_output(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  flush_output();
}

void flush_output() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw Error(fmt::format("cannot write standard output: {}",
                            errno != 0 ? std::strerror(errno) : "write error"));
  }
}

}  // namespace gapwise::internal::cli
