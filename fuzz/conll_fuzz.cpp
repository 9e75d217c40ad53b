#include "sequence.h"

/// The input up to the first "---" line is a template (if there is one), the rest is data.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  constexpr std::string_view kDivider = "---\n";
  const std::size_t divider = text.find(kDivider);
  if (divider == std::string_view::npos) {
    gapwise::fuzz::read_and_use(text, "conll");
  } else {
    const gapwise::fuzz::MemoryFile file(text.substr(0, divider));
    gapwise::fuzz::read_and_use(text.substr(divider + kDivider.size()), "conll", file.path());
  }
  return 0;
}
