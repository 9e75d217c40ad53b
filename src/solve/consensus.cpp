#include "solve/consensus.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/archive.h"
#include "gapwise/errors.h"

namespace gapwise::internal {
namespace {

constexpr double kShortest = 0.05;  ///< seconds between two meetings, about
constexpr double kLongest = 0.2;
constexpr Index kMost = Index{1} << 20;
constexpr std::uint8_t kGoOn = 255;

struct Said {
  std::uint8_t reason = kGoOn;
  bool keeps_point = false;
  Index steps = 1;  ///< to the next meeting
  Index calls = 1;
  std::string standing;
};

std::string pack(const Said& said) {
  ByteWriter out;
  out.u8(said.reason);
  out.u8(said.keeps_point ? 1 : 0);
  out.i64(said.steps);
  out.i64(said.calls);
  out.text(said.standing);
  return out.take();
}

Said unpack(const std::string& bytes, const std::string& who) {
  ByteReader in(bytes, who);
  Said said;
  said.reason = in.u8();
  said.keeps_point = in.u8() != 0;
  said.steps = in.i64();
  said.calls = in.i64();
  said.standing = in.text();
  return said;
}

std::string pack(const Standing& standing) {
  ByteWriter out;
  for (const Index x : {standing.steps, standing.passes, standing.oracle_calls}) out.i64(x);
  out.f64(standing.dual);
  return out.take();
}

}  // namespace

std::optional<StopReason> Consensus::decide(const RankWish& wish, const Standing& standing) {
  adapt(standing);
  Said mine{.reason = wish.reason ? static_cast<std::uint8_t>(*wish.reason) : kGoOn,
            .keeps_point = wish.wants_point,
            .steps = most_.steps,
            .calls = most_.calls,
            .standing = pack(standing)};
  const std::vector<std::string> messages = ranks_->meet(Meeting::kStep, pack(mine));
  std::uint8_t reason = kGoOn;
  for (std::size_t r = 0; r < messages.size(); ++r) {
    const std::string who = ranks_->name(static_cast<int>(r));
    const Said said = unpack(messages[r], who);
    if (said.standing != mine.standing && static_cast<int>(r) != ranks_->rank()) {
      throw Error(fmt::format(
          "at step {} {} and {} have come to different numbers, which equal data and options do "
          "not explain; run the same program on processors of the same kind",
          standing.steps, ranks_->name(ranks_->rank()), who));
    }
    if (r == 0) {
      most_ = {said.steps, said.calls};
      keeps_point_ = said.keeps_point;
    }
    if (reason == kGoOn) reason = said.reason;
  }
  met_at_ = Clock::now();
  steps_ = 0;
  calls_met_ = standing.oracle_calls;
  if (reason == kGoOn) return std::nullopt;
  return static_cast<StopReason>(reason);
}

/// More until the next meeting if what was done since the last one took little time, less if it
/// took long; by rank 0, whatever others think.
void Consensus::adapt(const Standing& standing) {
  const double seconds = std::chrono::duration<double>(Clock::now() - met_at_).count();
  if (seconds < kShortest) {
    if (steps_ >= most_.steps) most_.steps *= 2;
    if (standing.oracle_calls - calls_met_ >= most_.calls) most_.calls *= 2;
  } else if (seconds > kLongest) {
    most_.steps /= 2;
    most_.calls /= 2;
  }
  most_.steps = std::clamp<Index>(most_.steps, 1, kMost);
  most_.calls = std::clamp<Index>(most_.calls, 1, kMost);
}

bool Consensus::keeps_point() {
  return std::exchange(keeps_point_, false);
}

bool Consensus::verdict(bool mine) {
  if (is_alone()) return mine;
  return ranks_->share(Meeting::kVerdict, mine ? "y" : "n") == "y";
}

}  // namespace gapwise::internal
