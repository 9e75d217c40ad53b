#include "verbs/run_list.h"

namespace gapwise::internal::cli {

Option RunList::row() {
  Option row;
  row.name = "run";
  row.placeholder = "RUN";
  row.help =
      "a trace, the folder of a comparison or a path; any number of them, which may stand without "
      "'--run'";
  row.set = [this](std::string_view path) { paths.emplace_back(path); };
  row.get = [this] { return paths.empty() ? std::string() : paths.front(); };
  row.complaint = [] { return std::optional<std::string>(); };
  return row;
}

RunSet RunList::read() const {
  RunSet set;
  for (const std::string& path : paths) read_runs(path, set);
  return set;
}

}  // namespace gapwise::internal::cli
