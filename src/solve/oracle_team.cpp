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
  PreparedBatch(MeteredOracle& oracle, std::span<const Index> blocks, Weights w) : oracle_(oracle) {
    if (oracle.batch_size() == 1) return;
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
    : all_blocks_(static_cast<std::size_t>(problem.num_blocks())), threads_(threads) {
  std::iota(all_blocks_.begin(), all_blocks_.end(), Index{0});
  members_.resize(static_cast<std::size_t>(threads));
  for (Member& member : members_) {
    member.oracle = std::make_unique<MeteredOracle>(problem.make_oracle());
  }
}

void OracleTeam::visit(std::span<const Index> blocks, Weights w, const VisitOne& visit) {
  const Index size = leader().batch_size();
  const Index count = std::ssize(blocks);
  for_each(0, (count + size - 1) / size, [&](Index part, MeteredOracle& oracle, std::size_t t) {
    Member& me = members_[t];
    const auto begin = static_cast<std::size_t>(part * size);
    const auto end = static_cast<std::size_t>(std::min(count, (part + 1) * size));
    const PreparedBatch batch(oracle, blocks.subspan(begin, end - begin), w);
    for (std::size_t k = begin; k < end; ++k) {
      oracle.argmax(blocks[k], w, me.theta, me.corner);
      visit(k, blocks[k], me.theta, me.corner);
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
