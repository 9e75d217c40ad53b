#include "read_all.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gapwise::ReadPlan plan;
  plan.format = "letters";
  gapwise::fuzz::read_all({reinterpret_cast<const char*>(data), size}, plan);
  return 0;
}
