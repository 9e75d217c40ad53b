#include "solve/oracle_team.h"

#include <atomic>
#include <exception>
#include <mutex>

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
  std::atomic<Index> failed = end;  // the lowest block that did, whichever thread was first
  std::exception_ptr failure;
  std::mutex mutex;
  threads_.run(end - begin, [&](Index from, Index to, int slot) {
    const auto member = static_cast<std::size_t>(slot);
    Index i = begin + from;
    try {
      for (; i < begin + to && i < failed; ++i) body(i, *members_[member].oracle, member);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (i >= failed) return;
      failed = i;
      failure = std::current_exception();
    }
  });
  if (failure) std::rethrow_exception(failure);
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

}  // namespace gapwise::internal
