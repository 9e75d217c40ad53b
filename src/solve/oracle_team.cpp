#include "solve/oracle_team.h"

#include <algorithm>

namespace gapwise::internal {

OracleTeam::OracleTeam(const Problem& problem, int threads)
    : num_blocks_(problem.num_blocks()), threads_(threads) {
  members_.resize(static_cast<std::size_t>(threads));
  for (Member& member : members_) {
    member.oracle = std::make_unique<MeteredOracle>(problem.make_oracle());
  }
}

void OracleTeam::visit_all(Weights w, const Visit& visit) {
  for_each(0, num_blocks_, [&](Index i, MeteredOracle& oracle, std::size_t slot) {
    Member& me = members_[slot];
    oracle.argmax(i, w, me.theta, me.corner);
    visit(i, me.theta, me.corner);
  });
}

void OracleTeam::for_each(Index begin, Index end, const Body& body) {
  threads_.run(end - begin, [&](Index from, Index to, int slot) {
    const auto member = static_cast<std::size_t>(slot);
    for (Index i = begin + from; i < begin + to; ++i) body(i, *members_[member].oracle, member);
  });
}

Index OracleTeam::calls() const {
  Index sum = 0;
  for (const Member& member : members_) sum += member.oracle->calls();
  return sum;
}

double OracleTeam::seconds() const {
  double sum = 0.0;
  for (const Member& member : members_) sum += member.oracle->seconds();
  return sum;
}

double MeanViolation::record(Index i, const PartScores& theta, const Corner& corner, double known) {
  const double found = std::max({0.0, known, violation(corner.loss, corner.parts, theta)});
  const double bound = corner.upper_bound ? std::max(found, *corner.upper_bound) : found;
  blocks_[static_cast<std::size_t>(i)] = {found, bound, corner.is_exact || corner.upper_bound};
  return found;
}

void MeanViolation::finish() {
  is_bound = std::all_of(blocks_.begin(), blocks_.end(), [](const Block& b) { return b.is_bound; });
  std::vector<double> values;
  values.reserve(blocks_.size());
  for (const Block& block : blocks_) {
    const double h = is_bound ? block.bound : block.found;
    values.push_back(objective_ == Objective::kL2 ? h * h : h);
  }
  value = ordered_sum(values) / static_cast<double>(blocks_.size());
}

}  // namespace gapwise::internal
