#include "solve/oracle_team.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "solve/spread.h"

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

void write_corner(const Corner& corner, StateWriter& out) {
  out.parts(corner.parts);
  out.small(corner.loss);
  out.flag(corner.is_exact);
  out.flag(corner.upper_bound.has_value());
  if (corner.upper_bound) out.f64(*corner.upper_bound);
}

void read_corner(StateReader& in, Corner& corner) {
  in.parts_below(StateReader::kMostCounted, corner.parts);
  corner.loss = in.small();
  corner.is_exact = in.flag();
  corner.upper_bound.reset();
  if (in.flag()) corner.upper_bound = in.f64();
}

}  // namespace

OracleTeam::OracleTeam(const Problem& problem, int threads, Ranks* ranks)
    : problem_(problem),
      all_blocks_(static_cast<std::size_t>(problem.num_blocks())),
      threads_(threads),
      ranks_(ranks) {
  std::iota(all_blocks_.begin(), all_blocks_.end(), Index{0});
  members_.resize(static_cast<std::size_t>(threads));
  for (Member& member : members_) {
    member.oracle = std::make_unique<MeteredOracle>(problem.make_oracle());
  }
}

void OracleTeam::visit(std::span<const Index> blocks, Weights w, const Visit& visit) {
  const Index size = leader().batch_size();
  const Index count = std::ssize(blocks);
  struct Answer {
    Corner corner;
    Facts facts;
  };
  std::vector<Answer> answers(ranks_ == nullptr ? 0 : blocks.size());  // for the other ranks
  const auto batch_of = [&](Index part) {
    const auto begin = static_cast<std::size_t>(part * size);
    return std::pair(begin, static_cast<std::size_t>(std::min(count, (part + 1) * size)));
  };
  SpreadWork work{.count = (count + size - 1) / size,
                  .seconds_each = seconds_each() * static_cast<double>(size)};
  work.work = [&](Index part, int slot) {
    Member& me = members_[static_cast<std::size_t>(slot)];
    const auto [begin, end] = batch_of(part);
    const PreparedBatch batch(*me.oracle, blocks.subspan(begin, end - begin), w);
    for (std::size_t k = begin; k < end; ++k) {
      me.oracle->argmax(blocks[k], w, me.theta, me.corner);
      Facts facts{};
      visit.look(blocks[k], me.theta, me.corner, facts);
      visit.take(k, blocks[k], me.corner, facts);
      if (ranks_ != nullptr) answers[k] = {me.corner, facts};
    }
  };
  work.pack = [&](Index part, StateWriter& out) {
    const auto [begin, end] = batch_of(part);
    for (std::size_t k = begin; k < end; ++k) {
      write_corner(answers[k].corner, out);
      for (const double x : answers[k].facts) out.small(x);
    }
  };
  Corner corner;
  work.take = [&](Index part, StateReader& in) {
    const auto [begin, end] = batch_of(part);
    for (std::size_t k = begin; k < end; ++k) {
      Facts facts{};
      read_corner(in, corner);
      for (double& x : facts) x = in.any_small();
      visit.take(k, blocks[k], corner, facts);
    }
    leader().credit(static_cast<Index>(end - begin), {});
  };
  spread(threads_, ranks_, problem_, work);
}

std::vector<double> OracleTeam::measure_each(Index count, Index calls_each,
                                             const Measure& measure) {
  std::vector<double> found(static_cast<std::size_t>(count));
  SpreadWork work{.count = count, .seconds_each = seconds_each() * static_cast<double>(calls_each)};
  const auto at = [&](Index k) -> double& { return found[static_cast<std::size_t>(k)]; };
  work.work = [&](Index k, int slot) {
    at(k) = measure(k, *members_[static_cast<std::size_t>(slot)].oracle);
  };
  work.pack = [&](Index k, StateWriter& out) { out.f64(at(k)); };
  work.take = [&](Index k, StateReader& in) { at(k) = in.f64(); };
  spread(threads_, ranks_, problem_, work);
  return found;
}

void OracleTeam::for_each(Index begin, Index end, const Body& body) {
  const SpreadWork work{.count = end - begin, .work = [&](Index k, int slot) {
                          const auto member = static_cast<std::size_t>(slot);
                          body(begin + k, *members_[member].oracle, member);
                        }};
  spread(threads_, nullptr, problem_, work);
}

double OracleTeam::seconds_each() const {
  const Index so_far = calls();
  return so_far == 0 ? 0.0 : seconds() / static_cast<double>(so_far);
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
