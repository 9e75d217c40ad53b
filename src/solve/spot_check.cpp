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

/// If weights have plain coordinates, places around w: each weight is changed by up to a half,
/// which keeps its sign.
std::vector<std::vector<double>> places_around(Weights w, bool has_plain_weights) {
  std::vector<std::vector<double>> places;
  Rng rng(kSeed);
  for (int k = 0; has_plain_weights && k < 2; ++k) {
    places.emplace_back(w.begin(), w.end());
    for (double& x : places.back()) x *= 0.5 + rng.uniform();
  }
  return places;
}

/// The answers about block i at w, at 2 w, where losses count half and which takes no room, and at
/// the places around it, each compared with the others.
void check_block(Index i, Weights w, std::span<const std::vector<double>> around,
                 MeteredOracle& oracle) {
  const std::size_t count = 2 + around.size();
  std::vector<PartScores> thetas(count);
  std::vector<Corner> answers(count);
  for (std::size_t p = 0; p < count; ++p) {
    oracle.score(i, p < 2 ? w : Weights(around[p - 2]), thetas[p]);
    if (p == 1) thetas[p].scale(2.0);
    oracle.decode(i, thetas[p], Augment::kLoss, answers[p]);
    check_answer(i, thetas[p], answers[p]);
  }
  for (std::size_t p = 0; p < count; ++p) {
    for (const Corner& other : answers) {
      check_against(i, thetas[p], answers[p], violation(other.loss, other.parts, thetas[p]));
    }
  }
}

}  // namespace

void spot_check(OracleTeam& team, Index n, Weights w, Index calls) {
  const auto around = places_around(w, team.leader().has_plain_weights());
  const Index count = std::min(n, std::max(kLeastExamples, calls / kCallsPerExample));
  team.measure_each(count, 2 + std::ssize(around), [&](Index k, MeteredOracle& oracle) {
    check_block(k * n / count, w, around, oracle);
    return 0.0;
  });
}

}  // namespace gapwise::internal
