#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "gapwise/errors.h"
#include "io/files.h"
#include "io/lines.h"
#include "report/run.h"

namespace gapwise::internal {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSummary = "summary.json";  // of a comparison

std::optional<double> number(const Json& line, const char* key) {
  const auto found = line.find(key);
  if (found == line.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::string text(const Json& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// A count; 0 for what is none.
Index whole(const Json& line, const char* key) {
  constexpr double kMost = 1e15;
  const double value = number(line, key).value_or(0.0);
  return value >= 0.0 && value <= kMost ? static_cast<Index>(value) : 0;
}

/// The name without its seed: "bcfw+seed=2" and "bcfw+seed=3" are of one group.
std::string without_seed(const std::string& label) {
  static const std::regex kSeed("[-_+.]?seed[-_=]?[0-9]+", std::regex::icase);
  std::string group = std::regex_replace(label, kSeed, "");
  return group.empty() ? label : group;
}

Moment moment_of(const Json& line) {
  Moment moment;
  moment.pass = whole(line, "passes");
  moment.effective_passes = number(line, "effective_passes").value_or(0.0);
  moment.oracle_calls = number(line, "oracle_calls").value_or(0.0);
  moment.seconds = number(line, "seconds");
  moment.primal = number(line, "primal");
  moment.dual = number(line, "dual");
  moment.gap = number(line, "gap");
  moment.relative_gap = number(line, "relative_gap");
  const auto certified = line.find("certified");
  moment.is_certified = certified != line.end() && *certified == true;
  if (const auto test = line.find("test"); test != line.end() && test->is_object()) {
    for (const auto& [name, value] : test->items()) {
      if (value.is_number()) moment.test.emplace_back(name, value.get<double>());
    }
  }
  moment.decision = text(line, "decision");
  return moment;
}

/// As far as it is one.
GapHistogram histogram_in(const Json& line) {
  GapHistogram histogram;
  const auto found = line.find("block_gaps");
  if (found == line.end() || !found->is_object()) return histogram;
  histogram.closed = whole(*found, "closed");
  const auto bins = found->find("bins");
  if (bins == found->end() || !bins->is_array()) return histogram;
  for (const Json& bin : *bins) {
    const double from = bin.is_object() ? number(bin, "from").value_or(0.0) : 0.0;
    const double to = bin.is_object() ? number(bin, "to").value_or(0.0) : 0.0;
    if (!(from > 0.0 && to > from) || histogram.bins.size() >= kMostGapBins) return {};
    histogram.bins.push_back(
        {from, to, whole(bin, "examples"), number(bin, "share").value_or(0.0)});
  }
  return histogram;
}

/// What all lines of a trace say, or only the last one.
void take_common(const Json& line, Run& run) {
  run.task = text(line, "task");
  run.solver = text(line, "solver");
  run.objective = text(line, "objective");
  run.lambda = number(line, "lambda").value_or(0.0);
  run.n = whole(line, "n");
  run.dimension = whole(line, "dimension");
  if (const std::string status = text(line, "status"); !status.empty()) run.status = status;
  run.train_loss = number(line, "train_loss");
  run.block_gaps = histogram_in(line);
  if (line.contains("peak_rss_bytes")) run.peak_rss_bytes = whole(line, "peak_rss_bytes");
  if (const std::string metric = text(line, "main_metric"); !metric.empty()) {
    run.main_metric = metric;
  }
}

/// One object, or InputError that says where it is not one.
Json parse_line(const std::string& line, const std::string& where) {
  Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("solver") || !json.contains("oracle_calls")) {
    throw InputError(
        fmt::format("{}: found '{}', expected a line of a trace, a JSON object with 'solver' and "
                    "'oracle_calls'; give a trace, the folder of a comparison or a path",
                    where, line.substr(0, 40)));
  }
  return json;
}

std::vector<std::string> lines_of(const std::string& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  for (std::string_view line; reader.next(line);) {
    if (!line.empty()) lines.emplace_back(line);
  }
  return lines;
}

/// Two runs of one name would be one line in every table.
std::string free_label(const std::string& label, const RunSet& set) {
  std::string name = label;
  for (int k = 2;; ++k) {
    const bool is_taken = std::any_of(set.runs.begin(), set.runs.end(),
                                      [&](const Run& run) { return run.label == name; });
    if (!is_taken) return name;
    name = fmt::format("{} ({})", label, k);
  }
}

void add_trace(const std::string& path, const std::string& label, RunSet& set) {
  Run run = parse_run(lines_of(path), label, path);
  run.label = free_label(label, set);
  set.runs.push_back(std::move(run));
}

void add_comparison(const std::filesystem::path& folder, RunSet& set) {
  const std::string summary = (folder / kSummary).string();
  if (!std::filesystem::exists(summary)) {
    throw InputError(
        fmt::format("{}: there is no {} in this folder; give one that 'gapwise "
                    "compare --output' has written",
                    folder.string(), kSummary));
  }
  const Json entries = Json::parse(read_file(summary), nullptr, false);
  if (!entries.is_array()) {
    throw InputError(
        fmt::format("{}: found no JSON array, expected what 'gapwise compare' writes", summary));
  }
  for (const Json& entry : entries) {
    const std::string label = entry.is_object() ? text(entry, "label") : std::string();
    const std::string trace = (folder / (label + ".jsonl")).string();
    if (label.empty() || !std::filesystem::exists(trace)) continue;  // it broke off at once
    add_trace(trace, label, set);
  }
}

enum class FileForm { kTrace, kPath, kOther };

FileForm form_of(const std::string& path) {
  constexpr std::string_view kSeal = "GAPWISE";
  constexpr std::size_t kLength = 8;  // of the first piece of a path, before its seal
  LineReader reader(path);
  const std::string_view head = reader.head();
  if (head.starts_with(kSeal) || head.substr(0, 64).find(kSeal) == kLength) return FileForm::kPath;
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  const bool is_object = first != std::string_view::npos && head[first] == '{';
  return is_object ? FileForm::kTrace : FileForm::kOther;
}

}  // namespace

Run parse_run(std::span<const std::string> lines, const std::string& label,
              const std::string& name) {
  if (lines.empty()) {
    throw InputError(fmt::format("{}: is empty, expected the lines of a trace", name));
  }
  Run run;
  run.label = label;
  run.group = without_seed(label);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const Json line = parse_line(lines[k], fmt::format("{}:{}", name, k + 1));
    take_common(line, run);
    run.moments.push_back(moment_of(line));
  }
  for (const Moment& moment : run.moments) {  // traces of versions that did not tell it
    if (run.main_metric.empty() && !moment.test.empty()) run.main_metric = moment.test.back().first;
  }
  return run;
}

void read_runs(const std::string& path, RunSet& set) {
  const std::filesystem::path place(path);
  if (std::filesystem::is_directory(place)) return add_comparison(place, set);
  const std::string label = place.stem().string();
  const FileForm form = can_be_read_again(path) ? form_of(path) : FileForm::kTrace;
  if (form == FileForm::kTrace) return add_trace(path, label, set);
  if (form == FileForm::kOther) {
    throw InputError(
        fmt::format("{}: is neither a trace ('train --trace'), nor a path ('path --path'), nor "
                    "the folder of a comparison ('compare --output')",
                    path));
  }
  set.paths.push_back(curve_of(load_path(path), label));
}

}  // namespace gapwise::internal
