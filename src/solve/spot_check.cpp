#include "solve/spot_check.h"

#include <algorithm>
#include <span>
#include <vector>

#include "core/random.h"

namespace gapwise::internal {
namespace {

constexpr Index kLeastExamples = 10;
constexpr Index kCallsPerExample = 200;  ///< of the run, for four calls here
constexpr std::uint64_t kSeed = 1;

/// w itself; twice as long, where losses count half; and, if weights have plain coordinates, each
/// changed by up to a half, which keeps their signs.
std::vector<std::vector<double>> places_around(Weights w, bool has_plain_weights) {
  std::vector<std::vector<double>> places(2, {w.begin(), w.end()});
  for (double& x : places.back()) x *= 2.0;
  Rng rng(kSeed);
  for (int k = 0; has_plain_weights && k < 2; ++k) {
    places.emplace_back(w.begin(), w.end());
    for (double& x : places.back()) x *= 0.5 + rng.uniform();
  }
  return places;
}

/// The answers about block i at all these places, each compared with the others.
void check_block(Index i, std::span<const std::vector<double>> places, MeteredOracle& oracle) {
  std::vector<PartScores> thetas(places.size());
  std::vector<Corner> answers(places.size());
  for (std::size_t p = 0; p < places.size(); ++p) {
    oracle.score(i, places[p], thetas[p]);
    oracle.decode(i, thetas[p], Augment::kLoss, answers[p]);
    check_answer(i, thetas[p], answers[p]);
  }
  for (std::size_t p = 0; p < places.size(); ++p) {
    for (const Corner& other : answers) {
      check_against(i, thetas[p], answers[p], violation(other.loss, other.parts, thetas[p]));
    }
  }
}

}  // namespace

void spot_check(OracleTeam& team, Index n, Weights w, Index calls) {
  const auto places = places_around(w, team.leader().has_plain_weights());
  const Index count = std::min(n, std::max(kLeastExamples, calls / kCallsPerExample));
  team.measure_each(count, std::ssize(places), [&](Index k, MeteredOracle& oracle) {
    check_block(k * n / count, places, oracle);
    return 0.0;
  });
}

}  // namespace gapwise::internal
