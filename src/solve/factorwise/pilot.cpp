#include "solve/factorwise/pilot.h"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>

#include "core/subset_problem.h"
#include "solve/factorwise/gdmm_run.h"
#include "solve/factorwise/relaxed_certificate.h"

namespace gapwise::internal {
namespace {

constexpr Index kLeastSample = 30;
constexpr Index kShare = 20;       ///< of the examples: one in so many
constexpr Index kFirstPasses = 8;  ///< each; twice as many in every further round
constexpr std::array kRhos{10.0, 3.0, 1.0, 0.3, 0.1, 0.03};

struct Trial {
  Trial(const RunContext& context, double rho) : run(context, rho), certificate(context) {}

  GdmmRun run;
  RelaxedCertificate certificate;
  double gap = 0.0;
};

std::vector<Index> all_blocks(Index n) {
  std::vector<Index> blocks(static_cast<std::size_t>(n));
  std::iota(blocks.begin(), blocks.end(), Index{0});
  return blocks;
}

std::vector<Index> sample(Index n, Rng& rng) {
  std::vector<Index> blocks = all_blocks(n);
  rng.shuffle(std::span(blocks));
  blocks.resize(static_cast<std::size_t>(std::min(n, std::max(kLeastSample, n / kShare))));
  std::sort(blocks.begin(), blocks.end());
  return blocks;
}

void make_passes(const RunContext& context, Index passes, Trial& trial) {
  MeteredOracle& oracle = context.team.leader();
  std::vector<Index> order = all_blocks(context.n());
  for (Index pass = 0; pass < passes; ++pass) {
    context.rng.shuffle(std::span(order));  // multipliers may run away in the same order every time
    for (const Index i : order) trial.run.visit(oracle, i);
    trial.run.end_pass();
  }
  trial.run.soft().rebuild(oracle);
  const Measurement measured = trial.certificate.measure(trial.run.soft().here());
  trial.gap = measured.primal - measured.dual;
}

}  // namespace

double pilot_rho(const RunContext& context) {
  const auto sampled = make_subset_problem(context.problem, sample(context.n(), context.rng));
  OracleTeam team(*sampled, 1);
  // Steps in w are of the size 1 / (lambda n): keep that.
  const double lambda = context.lambda * static_cast<double>(context.n()) /
                        static_cast<double>(sampled->num_blocks());
  const RunContext small{*sampled, context.options, lambda, team, context.rng};
  std::vector<std::unique_ptr<Trial>> trials;
  for (const double rho : kRhos) trials.push_back(std::make_unique<Trial>(small, rho));
  for (Index passes = kFirstPasses; trials.size() > 1; passes *= 2) {
    for (const auto& trial : trials) make_passes(small, passes, *trial);
    std::stable_sort(trials.begin(), trials.end(),
                     [](const auto& a, const auto& b) { return a->gap < b->gap; });
    trials.resize(trials.size() / 2);
  }
  context.team.leader().credit(team.leader());
  return trials.front()->run.soft().rho();
}

}  // namespace gapwise::internal
