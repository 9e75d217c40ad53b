#include "driver.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gapwise::internal::fuzz::read_and_use({reinterpret_cast<const char*>(data), size},
                                        {"factor-graph", "uai"});
  return 0;
}
