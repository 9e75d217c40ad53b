#include "app/lambda_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/example_set.h"
#include "core/random.h"
#include "core/subset_problem.h"
#include "core/weighted_problem.h"
#include "gapwise/lambda_search.h"
#include "io/fields.h"
#include "solve/path_start.h"
#include "solve/training.h"

namespace gapwise::internal {
namespace {

constexpr std::size_t kMostValues = 1000;

/// "2^-15" or "0.01".
double parse_power(std::string_view text) {
  const std::size_t hat = text.find('^');
  if (hat == std::string_view::npos) return detail::parse_number("grid", text);
  const double base = detail::parse_number("grid", text.substr(0, hat));
  return std::pow(base, detail::parse_number("grid", text.substr(hat + 1)));
}

std::vector<double> geometric(double first, double last, double ratio) {
  std::vector<double> values;
  // Powers of the first value, not products of products, so that no rounding adds up.
  for (int k = 0; values.size() <= kMostValues; ++k) {
    const double value = first / std::pow(ratio, k);
    if (value < last * (1.0 - 1e-9)) break;
    values.push_back(value);
  }
  return values;
}

}  // namespace
}  // namespace gapwise::internal

namespace gapwise {

using namespace internal;  // NOLINT(google-build-using-namespace)

std::vector<double> parse_grid(std::string_view text) {
  const std::vector<std::string> bounds = internal::split(std::string(text), ':');
  std::vector<double> values;
  if (bounds.size() == 1) {
    for (const std::string& value : internal::split(std::string(text), ',')) {
      values.push_back(parse_power(value));
    }
    std::sort(values.begin(), values.end(), std::greater<>());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  } else {
    const double first = parse_power(bounds[0]);
    const double last = parse_power(bounds[1]);
    const double ratio = bounds.size() > 2 ? parse_power(bounds[2]) : 2.0;
    if (bounds.size() <= 3 && ratio > 1.0 && last > 0.0 && std::isfinite(first)) {
      values = geometric(std::max(first, last), std::min(first, last), ratio);
    }
  }
  const bool is_good = !values.empty() && values.size() <= kMostValues && values.back() > 0.0 &&
                       std::isfinite(values.front());
  if (!is_good) {
    throw OptionError(fmt::format(
        "\1grid '{}' must be two positive numbers as in 2^15:2^-15, perhaps with the "
        "factor between neighbours as in 1:1e-6:10, or a list as in 1,0.1,0.01; at most "
        "{} values",
        text, kMostValues));
  }
  return values;
}

}  // namespace gapwise

namespace gapwise::internal {

std::vector<double> quick_grid(const Problem& problem, TrainOptions options) {
  constexpr Index kSample = 1000;
  constexpr int kSteps = 12;
  constexpr double kRatio = 4.0;
  Rng rng(1);
  std::vector<Index> sample(static_cast<std::size_t>(problem.num_blocks()));
  std::iota(sample.begin(), sample.end(), Index{0});
  rng.shuffle(std::span(sample));
  sample.resize(std::min<std::size_t>(sample.size(), kSample));
  const auto part = make_subset_problem(problem, std::move(sample));
  const ObjectiveForm form(*part, Hinge::kPlain);
  OracleTeam team(form.problem(), make_threads(options.threads)->count());
  options.lambda = Lambda();
  options = fitted(std::move(options), problem);  // which weights must not be negative
  const NonnegativeSet nonnegative(part->weight_groups(), options.nonnegative);
  const PathStart start = find_path_start(form.problem(), nonnegative, team);
  if (!(start.mean_loss > 0.0 && start.reach > 0.0)) {
    throw InputError("no output of any training example has a loss, so there is nothing to learn");
  }
  const double first = start.reach / start.mean_loss;
  return geometric(first, first / std::pow(kRatio, kSteps), kRatio);
}

}  // namespace gapwise::internal
