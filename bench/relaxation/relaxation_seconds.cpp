// README.md states the question.

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>

#include "core/random.h"
#include "gapwise/train.h"
#include "tasks/shared/relaxed_problem.h"
#include "tasks/task.h"

namespace gapwise::internal {
namespace {

const std::map<RelaxationBy, const char*> kMethods{{RelaxationBy::kStructure, "flow"},
                                                   {RelaxationBy::kSimplex, "simplex, warm"},
                                                   {RelaxationBy::kColdSimplex, "simplex, cold"}};

/// Notes when gaps were reached.
class Watch final : public Observer {
 public:
  void on_measure(const Progress& progress, Weights) override {
    if (!progress.is_certified || !progress.relative_gap()) return;
    const double gap = *progress.relative_gap();
    if (gap <= 0.01 && !percent_) percent_ = progress.seconds;
    if (gap <= 0.001 && !tenth_) tenth_ = progress.seconds;
  }
  std::string percent() const { return show(percent_); }
  std::string tenth() const { return show(tenth_); }

 private:
  static std::string show(const std::optional<double>& seconds) {
    return seconds ? fmt::format("{:.2f}", *seconds) : "-";
  }
  std::optional<double> percent_;
  std::optional<double> tenth_;
};

std::unique_ptr<TrainingSet> read(const std::string& path) {
  return make_task_driver("multilabel")->read_training({path, "", ""}, Threads(1));
}

/// Exits if two ways to the same maximum do not agree.
void check_values(const Problem& exact) {
  Rng rng(1);
  std::vector<double> w(static_cast<std::size_t>(exact.dimension()));
  for (double& x : w) x = 0.2 * rng.uniform() - 0.1;
  std::map<RelaxationBy, std::unique_ptr<Problem>> problems;
  std::map<RelaxationBy, std::unique_ptr<Oracle>> oracles;
  for (const auto& [method, name] : kMethods) {
    problems[method] = make_relaxed_view(exact, method);
    oracles[method] = problems[method]->make_oracle();
  }
  PartScores theta;
  Corner corner;
  double worst = 0.0;
  for (Index i = 0; i < exact.num_blocks(); i += 10) {
    std::optional<double> first;
    for (const auto& [method, oracle] : oracles) {
      oracle->argmax(i, w, theta, corner);
      const double value = violation(corner.loss, corner.parts, theta);
      if (!first) first = value;
      worst = std::max(worst, std::abs(value - *first) / (1.0 + std::abs(value)));
    }
  }
  fmt::print("values of the three linear programs differ by at most {:.1e}\n", worst);
  if (worst > 1e-9) std::exit(1);
}

void run(const Problem& problem, const char* solver, const char* method, double seconds) {
  TrainOptions options;
  options.solver = solver;
  options.lambda = Lambda::over_n(1.0);
  options.relative_gap = 0.001;
  options.max_passes = 1'000'000;
  options.max_seconds = seconds;
  options.threads = 1;
  Watch watch;
  const Report report = train(problem, options, watch);
  const Progress& end = report.progress;
  fmt::print("| {} | {} | {} | {} | {} | {:.4f} ms | {:.2e} |\n", solver, method, watch.percent(),
             watch.tenth(), end.oracle_calls,
             1000.0 * end.oracle_seconds / static_cast<double>(end.oracle_calls),
             end.relative_gap().value_or(1.0));
  std::fflush(stdout);
}

}  // namespace
}  // namespace gapwise::internal

int main(int count, char** arguments) {
  using namespace gapwise::internal;
  const double seconds = count > 1 ? std::atof(arguments[1]) : 0.0;
  if (count < 3 || !(seconds > 0.0)) {
    fmt::print(stderr, "usage: relaxation_seconds SECONDS TRAIN.svm ...\n");
    return 2;
  }
  for (int k = 2; k < count; ++k) {
    const auto training = read(arguments[k]);
    fmt::print("\n{}: {}\n", arguments[k], training->describe());
    check_values(training->problem());
    fmt::print("| solver | linear program | 1 % | 0.1 % | oracle calls | a call | gap |\n");
    fmt::print("|---|---|---|---|---|---|---|\n");
    for (const auto& [method, name] : kMethods) {
      const auto relaxed = make_relaxed_view(training->problem(), method);
      for (const char* solver : {"auto", "bcfw"}) run(*relaxed, solver, name, seconds);
    }
  }
  return 0;
}
