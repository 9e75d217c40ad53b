// README.md states the question.

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "core/random.h"
#include "gapwise/gapwise.h"
#include "support/primal.h"

namespace gapwise::internal {
namespace {

constexpr double kLowest = 0x1p-15;

/// Groups of weights that must not be negative.
std::string& nonnegative() {
  static std::string groups;
  return groups;
}

TrainOptions options(double lambda = 1.0) {
  TrainOptions result;
  result.nonnegative = nonnegative();
  result.lambda = Lambda::of(lambda);
  result.threads = 1;
  result.max_passes = 1'000'000;
  return result;
}

/// The optimum at a lambda, from below, to 1e-6 of it.
double optimum(const Problem& problem, double lambda) {
  TrainOptions exact = options(lambda);
  exact.relative_gap = 1e-6;
  return train(problem, exact).progress.dual;
}

/// The most that a random lambda was above its optimum; exits if that is more than it promised.
void check_promise(const Problem& problem, const Path& path) {
  Rng rng(7);
  const double high = std::log(2.0 * path.points().front().lambda);
  const double low = std::log(std::max(kLowest, path.lambda_end()));
  double worst = 0.0;
  for (int k = 0; k < 20; ++k) {
    const double lambda = std::exp(low + (high - low) * rng.uniform());
    const double primal = testing::primal_at(problem, lambda, path.weights(lambda));
    const double above = primal - optimum(problem, lambda);
    worst = std::max(worst, above);
    if (above > path.epsilon() + 1e-6 * primal) {
      fmt::print("BROKEN: at lambda {} the path is {} above the optimum\n", lambda, above);
      std::exit(EXIT_FAILURE);
    }
  }
  fmt::print("  promise held at 20 random lambdas; the most above an optimum was {:.5f}\n", worst);
}

Path grid(const Examples& examples, double epsilon, bool is_warm) {
  PathSettings settings;
  for (int k = 15; k >= -15; --k) settings.grid.push_back(std::ldexp(1.0, k));
  settings.starts_warm = is_warm;
  settings.keeps_weights = false;
  TrainOptions each = options();
  each.gap = epsilon;
  return fit_path(examples, each, settings);
}

struct Cost {
  double passes = 0.0;
  double seconds = 0.0;
};

/// Of all points down to a lambda.
Cost cost_down_to(const Path& path, double lambda, double examples) {
  Cost sum;
  for (const PathPoint& point : path.points()) {
    if (point.lambda < lambda * (1.0 - 1e-9)) break;
    sum.passes += static_cast<double>(point.oracle_calls) / examples;
    sum.seconds += point.seconds;
  }
  return sum;
}

Path checked_path(const Examples& examples, double epsilon) {
  PathSettings settings;
  settings.epsilon = epsilon;
  settings.lambda_min = kLowest;
  Path path = fit_path(examples, options(), settings);
  fmt::print("epsilon {}: {} break points, from lambda {:.4g} to {:.4g}\n", epsilon,
             path.points().size(), path.points().front().lambda, path.lambda_end());
  check_promise(examples.problem(), path);
  std::fflush(stdout);
  return path;
}

void compare(const Examples& examples, double epsilon, const Path& path) {
  const std::vector<std::pair<const char*, Path>> ways{
      {"path", path},
      {"grid, warm", grid(examples, epsilon, true)},
      {"grid, cold", grid(examples, epsilon, false)}};
  fmt::print("  {:>9}", "lambda");
  for (const auto& [name, way] : ways) fmt::print("{:>24}", name);
  fmt::print("\n");
  const auto n = static_cast<double>(examples.problem().num_blocks());
  for (int k = 3; k >= -15; k -= 3) {
    fmt::print("  {:>9.3g}", std::ldexp(1.0, k));
    for (const auto& [name, way] : ways) {
      const Cost cost = cost_down_to(way, std::ldexp(1.0, k), n);
      fmt::print("{:>10.1f} p. {:>8.2f} s", cost.passes, cost.seconds);
    }
    fmt::print("\n");
  }
  std::fflush(stdout);
}

int run(int count, char** words) {
  bool is_promise_only = false;
  std::vector<const char*> given;
  for (int k = 1; k < count; ++k) {
    constexpr std::string_view kNonnegative = "--nonnegative=";
    const std::string_view word = words[k];
    if (word == "--promise") {
      is_promise_only = true;
    } else if (word.starts_with(kNonnegative)) {
      nonnegative() = word.substr(kNonnegative.size());
    } else {
      given.push_back(words[k]);
    }
  }
  if (given.size() < 4) {
    fmt::print(stderr,
               "usage: path_cost [--promise] [--nonnegative=GROUPS] TASK DATA FOLDS|all "
               "EPSILON...\n");
    return 2;
  }
  const std::string folds = given[2];
  const Examples examples =
      read_examples(given[0], DataSource{given[1], "", folds == "all" ? "" : folds}, {});
  for (std::size_t k = 3; k < given.size(); ++k) {
    const double epsilon = std::strtod(given[k], nullptr);
    const Path path = checked_path(examples, epsilon);
    if (!is_promise_only) compare(examples, epsilon, path);
  }
  return 0;
}

}  // namespace
}  // namespace gapwise::internal

int main(int count, char** words) {
  return gapwise::internal::run(count, words);
}
