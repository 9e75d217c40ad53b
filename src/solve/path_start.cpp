#include "solve/path_start.h"

#include <algorithm>
#include <vector>

#include "core/plain_decode.h"
#include "core/sums.h"
#include "solve/certificate.h"

namespace gapwise::internal {
namespace {

/// What a thread asks with.
struct Asked {
  PartScores theta;
  Corner corner;
};

}  // namespace

PathStart find_path_start(const Problem& problem, const NonnegativeSet& nonnegative,
                          OracleTeam& team) {
  const Index n = problem.num_blocks();
  PathStart start;
  start.mixtures.resize(static_cast<std::size_t>(n));
  std::vector<double> w(static_cast<std::size_t>(problem.dimension()), 0.0);
  MeanViolation largest_loss(n);
  OracleTeam::Visit visit;
  visit.look = [](Index, const PartScores& theta, const Corner& corner, OracleTeam::Facts& facts) {
    facts[0] = violation(corner.loss, corner.parts, theta);
  };
  visit.take = [&](std::size_t, Index i, const Corner& corner, const OracleTeam::Facts& facts) {
    largest_loss.record(i, facts[0], corner);
    start.mixtures[static_cast<std::size_t>(i)] = {corner.parts, corner.loss};
  };
  team.visit_all(w, visit);
  largest_loss.finish();
  start.mean_loss = largest_loss.value;

  for (Index i = 0; i < n; ++i) {
    team.leader().scatter(i, start.mixtures[static_cast<std::size_t>(i)].parts,
                          1.0 / static_cast<double>(n), w);
  }
  nonnegative.truncate(w, w);
  // A problem without a plain decode is asked with the loss, which gives no less than theta_i.
  const bool is_plain = has_plain_decode(problem);
  std::vector<double> theta_of(static_cast<std::size_t>(n));
  std::vector<Asked> asked(team.size());
  team.for_each(0, n, [&](Index i, MeteredOracle& oracle, std::size_t slot) {
    auto& [theta, corner] = asked[slot];
    if (is_plain) {
      oracle.predict(i, w, theta, corner);
    } else {
      oracle.argmax(i, w, theta, corner);
    }
    const double loss = is_plain ? 0.0 : corner.loss;
    theta_of[static_cast<std::size_t>(i)] = std::max(0.0, violation(loss, corner.parts, theta));
  });
  start.reach = team.leader().squared_length(w) + ordered_sum(theta_of) / static_cast<double>(n);
  return start;
}

}  // namespace gapwise::internal
