#include "run/figures.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <array>
#include <nlohmann/json.hpp>

#include "report/gap_histogram.h"
#include "shell/text.h"

namespace gapwise::internal::cli {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::pair<std::string, std::string>>;

constexpr std::array kClockKeys{"seconds", "oracle_seconds", "peak_rss_bytes"};

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json object_of(const Metrics& metrics) {
  Json object = Json::object();
  for (const Metric& metric : metrics) object[metric.name] = metric.value;
  return object;
}

Json to_object(const GapHistogram& histogram) {
  Json bins = Json::array();
  for (const GapBin& bin : histogram.bins) {
    bins.push_back(
        {{"from", bin.from}, {"to", bin.to}, {"examples", bin.examples}, {"share", bin.share}});
  }
  return {{"closed", histogram.closed}, {"bins", std::move(bins)}};
}

/// Labels and paths may be any bytes; JSON text is UTF-8.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Rows of a method that has no dual.
Rows primal_rows(const Progress& progress, Objective objective) {
  const char* note = objective == Objective::kNone ? " (a value the method does not minimise)" : "";
  return {{"primal", progress.primal ? show(*progress.primal) + note : "not measured"},
          {"certificate", "none: the method has no dual"}};
}

/// Rows for primal, dual and gap. Without a certificate, primal and gap may be larger than found.
Rows bound_rows(const Progress& progress) {
  const std::pair dual{"dual", show(progress.dual)};
  if (!progress.primal) return {{"primal", "not measured"}, dual, {"gap", "not measured"}};
  const std::string at_least = progress.is_certified ? "" : ">= ";
  const std::string gap = fmt::format("{}{} ({}{} of the primal)", at_least, show(*progress.gap()),
                                      at_least, show_percent(*progress.relative_gap()));
  const std::string primal = at_least + show(*progress.primal);
  if (progress.is_certified) return {{"primal", primal}, dual, {"certified gap", gap}};
  return {{"estimated primal", primal},
          dual,
          {"estimated gap", gap},
          {"certificate", "none: the decoder is not exact and knows no upper bound"}};
}

std::string metric_words(const Metrics& metrics) {
  std::string out;
  for (const Metric& metric : metrics) {
    out += fmt::format("{}{} {:.4f}", out.empty() ? "" : ", ", metric.name, metric.value);
  }
  return out;
}

/// By the problem or by the solver.
bool is_relaxed(const Figures& figures) {
  return figures.is_relaxed || figures.progress.is_relaxed;
}

std::string relaxation_words(const Figures& figures) {
  if (!figures.tight) return "relaxed, an upper bound of the exact one";
  return fmt::format("relaxed, an upper bound of the exact one; tight for {} of {} examples",
                     show_count(*figures.tight), show_count(figures.progress.n));
}

/// What there was no time for.
std::string missing_words(const Figures& figures) {
  const bool is_signal = figures.status == StopReason::kInterrupted;
  return fmt::format("{}: {}", figures.test ? "train loss" : "train loss, and test if there is one",
                     is_signal ? "the run was interrupted" : "the time of the budget is over");
}

}  // namespace

Index peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return Index{1024} * usage.ru_maxrss;
}

std::string to_json(const Figures& figures) {
  const Progress& progress = figures.progress;
  Json json;
  json["task"] = figures.task;
  json["solver"] = figures.solver;
  json["objective"] = name_of(figures.objective);
  json["lambda"] = figures.lambda;
  json["n"] = progress.n;
  json["dimension"] = figures.dimension;
  json["status"] = figures.status ? Json(name_of(*figures.status)) : Json();
  json["passes"] = progress.passes;
  json["effective_passes"] = progress.effective_passes();
  json["oracle_calls"] = progress.oracle_calls;
  json["cached_steps"] = progress.cached_steps;
  if (progress.support_structures) json["support_structures"] = *progress.support_structures;
  json["seconds"] = progress.seconds;
  json["oracle_seconds"] = progress.oracle_seconds;
  json["primal"] = or_null(progress.primal);
  json["dual"] = progress.has_dual() ? Json(progress.dual) : Json();
  json["gap"] = or_null(progress.gap());
  json["relative_gap"] = or_null(progress.relative_gap());
  json["certified"] = progress.primal.has_value() && progress.is_certified;
  if (is_relaxed(figures)) {
    json["relaxed"] = true;
    json["tight"] = or_null(figures.tight);
  }
  if (progress.soft_gap) json["soft_gap"] = *progress.soft_gap;
  if (progress.soft_primal) json["soft_primal"] = *progress.soft_primal;
  if (progress.foreseen_gap) json["foreseen_gap"] = *progress.foreseen_gap;
  if (progress.gap_unevenness) json["gap_unevenness"] = *progress.gap_unevenness;
  json["train_loss"] = or_null(figures.train_loss);
  json["peak_rss_bytes"] = figures.peak_rss_bytes;
  json["test"] = figures.test ? object_of(*figures.test) : Json();
  const Metric* const main = figures.test ? main_metric(*figures.test) : nullptr;
  if (main != nullptr) json["main_metric"] = main->name;
  if (!progress.decision.empty()) json["decision"] = progress.decision;
  if (!figures.block_gaps.empty()) json["block_gaps"] = to_object(histogram_of(figures.block_gaps));
  return dump(json);
}

std::string without_clock(const std::string& json) {
  Json object = Json::parse(json);
  for (const char* key : kClockKeys) object.erase(key);
  return dump(object);
}

bool is_same_measurement(const std::string& json, const Figures& figures) {
  const Json told = Json::parse(json);
  return told["passes"] == figures.progress.passes &&
         told["oracle_calls"] == figures.progress.oracle_calls;
}

std::string to_json(const Metrics& metrics) {
  return dump(object_of(metrics));
}

std::string to_table(const Figures& figures, const Places& places) {
  const Progress& progress = figures.progress;
  Rows rows;
  if (figures.status) rows.emplace_back("status", name_of(*figures.status));
  for (auto& row :
       progress.has_dual() ? bound_rows(progress) : primal_rows(progress, figures.objective)) {
    rows.push_back(std::move(row));
  }
  if (is_relaxed(figures)) rows.emplace_back("objective", relaxation_words(figures));
  rows.emplace_back("passes", fmt::format("{} ({:.1f} effective)", show_count(progress.passes),
                                          progress.effective_passes()));
  rows.emplace_back("oracle calls", show_count(progress.oracle_calls));
  if (progress.support_structures) {
    rows.emplace_back("support",
                      fmt::format("{} of {} examples", show_count(*progress.support_structures),
                                  show_count(progress.n)));
  }
  rows.emplace_back("seconds", fmt::format("{:.2f} ({:.2f} in the oracle, over all threads)",
                                           progress.seconds, progress.oracle_seconds));
  if (figures.train_loss) rows.emplace_back("train loss", show(*figures.train_loss));
  if (figures.test) rows.emplace_back("test", metric_words(*figures.test));
  if (figures.is_cut_short) rows.emplace_back("not computed", missing_words(figures));
  if (!places.model.empty()) rows.emplace_back("model", places.model);
  if (!places.trace.empty()) rows.emplace_back("trace", places.trace);
  if (!places.checkpoint.empty()) rows.emplace_back("checkpoint", places.checkpoint);
  return aligned(rows);
}

}  // namespace gapwise::internal::cli
