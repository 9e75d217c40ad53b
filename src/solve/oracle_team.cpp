#include "solve/oracle_team.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <numeric>

namespace gapwise::internal {
namespace {

/// A batch of blocks that an oracle has prepared for as long as this lives.
class PreparedBatch {
 public:
  PreparedBatch(MeteredOracle& oracle, Index begin, Index end, Weights w) : oracle_(oracle) {
    if (oracle.batch_size() == 1) return;
    std::vector<Index> blocks(static_cast<std::size_t>(end - begin));
    std::iota(blocks.begin(), blocks.end(), begin);
    oracle.prepare(blocks, w);
    is_prepared_ = true;
  }
  ~PreparedBatch() {
    if (is_prepared_) oracle_.forget();
  }
  PreparedBatch(const PreparedBatch&) = delete;
  PreparedBatch& operator=(const PreparedBatch&) = delete;

 private:
  MeteredOracle& oracle_;
  bool is_prepared_ = false;
};

}  // namespace

OracleTeam::OracleTeam(const Problem& problem, int threads)
    : num_blocks_(problem.num_blocks()), threads_(threads) {
  members_.resize(static_cast<std::size_t>(threads));
  for (Member& member : members_) {
    member.oracle = std::make_unique<MeteredOracle>(problem.make_oracle());
  }
}

void OracleTeam::visit_all(Weights w, const Visit& visit) {
  const Index size = leader().batch_size();
  for_each(0, (num_blocks_ + size - 1) / size, [&](Index k, MeteredOracle& oracle, std::size_t t) {
    Member& me = members_[t];
    const Index end = std::min(num_blocks_, (k + 1) * size);
    const PreparedBatch batch(oracle, k * size, end, w);
    for (Index i = k * size; i < end; ++i) {
      oracle.argmax(i, w, me.theta, me.corner);
      visit(i, me.theta, me.corner);
    }
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
