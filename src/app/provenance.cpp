#include "app/provenance.h"

#include <fmt/format.h>

#include <numeric>

namespace gapwise::internal {

void add_provenance(const Report& report, const TrainOptions& options, const Problem& problem,
                    std::map<std::string, std::string>& settings) {
  const Progress& progress = report.progress;
  const auto number = [](std::optional<double> value) {
    return value ? fmt::format("{}", *value) : std::string();
  };
  settings["gapwise"] = GAPWISE_VERSION;
  settings["solver"] = options.solver;
  settings["objective"] = name_of(solver_info(options.solver).objective);
  settings["lambda"] = number(report.lambda);
  settings["n"] = fmt::format("{}", progress.n);
  settings["dimension"] = fmt::format("{}", problem.dimension());
  if (const std::span<const double> weights = problem.block_weights(); !weights.empty()) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    settings["example_weights"] = fmt::format("{}", sum);  // they add up to
  }
  settings["seed"] = fmt::format("{}", options.seed);
  settings["sampling"] = name_of(options.sampling);
  settings["step"] = name_of(options.step);
  if (!options.nonnegative.empty()) settings["nonnegative"] = options.nonnegative;
  settings["average"] = name_of(options.average);
  settings["status"] = name_of(report.reason);
  settings["passes"] = fmt::format("{}", progress.passes);
  settings["oracle_calls"] = fmt::format("{}", progress.oracle_calls);
  if (progress.support_structures) {
    settings["support_structures"] = fmt::format("{}", *progress.support_structures);
  }
  settings["primal"] = number(progress.primal);
  settings["dual"] = progress.has_dual() ? number(progress.dual) : "";
  settings["gap"] = number(progress.gap());
  settings["certified"] = progress.primal && progress.is_certified ? "yes" : "no";
}

}  // namespace gapwise::internal
