// The lines of a trace, whatever bytes they are, are either refused with an InputError or make a
// page and a table.

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "gapwise/errors.h"
#include "report/report.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  try {
    gapwise::internal::ReportInput input;
    input.set.runs = {gapwise::internal::parse_run(lines, "fuzz", "fuzz")};
    if (gapwise::internal::to_html(input).empty()) std::abort();
    if (gapwise::internal::to_csv(input.set.runs).empty()) std::abort();
  } catch (const gapwise::InputError&) {
  }
  return 0;
}
