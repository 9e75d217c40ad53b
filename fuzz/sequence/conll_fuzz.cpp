#include "driver.h"

/// The input may start with a template.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gapwise::internal::fuzz::read_and_use_with_file({reinterpret_cast<const char*>(data), size},
                                                  {"sequence", "conll", "template"});
  return 0;
}
