#include "solve/spot_check.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/random.h"

namespace gapwise::internal {
namespace {

constexpr Index kLeastExamples = 10;
constexpr Index kCallsPerExample = 200;  ///< of the run, for four calls here
constexpr std::uint64_t kSeed = 1;

/// The places that an oracle is asked at: w itself; twice as long, where losses count half; and, if
/// weights have plain coordinates, two where each is changed by up to a half, which keeps its sign.
/// Of the latter only one is in memory at a time.
class Places {
 public:
  Places(Weights w, bool has_plain_weights) : w_(w), count_(has_plain_weights ? kMost : 2) {}

  std::size_t count() const { return count_; }
  /// Makes place p the one at hand; for the first time in order.
  void go_to(std::size_t p) {
    if (std::exchange(at_, p) == p || p < 2) return;
    Rng rng = begin_[p - 2];
    changed_.assign(w_.begin(), w_.end());
    for (double& x : changed_) x *= 0.5 + rng.uniform();
    if (p == 2) begin_[1] = rng;
  }
  void score(MeteredOracle& oracle, Index i, PartScores& theta) const {
    oracle.score(i, at_ < 2 ? w_ : Weights(changed_), theta);
    if (at_ == 1) theta.scale(2.0);
  }

 private:
  static constexpr std::size_t kMost = 4;

  Weights w_;
  std::size_t count_;
  std::size_t at_ = 0;
  std::vector<double> changed_;
  std::array<Rng, 2> begin_{Rng(kSeed), Rng(kSeed)};  ///< of the changes; the second goes on
};

}  // namespace

void spot_check(OracleTeam& team, Index n, Weights w, Index calls) {
  Places places(w, team.leader().has_plain_weights());
  const Index count = std::min(n, std::max(kLeastExamples, calls / kCallsPerExample));
  std::vector<std::vector<Corner>> answers(static_cast<std::size_t>(count),
                                           std::vector<Corner>(places.count()));
  std::vector<PartScores> thetas(team.size());
  const auto visit = [&](std::size_t p, const auto& look) {
    places.go_to(p);
    team.for_each(0, count, [&](Index k, MeteredOracle& oracle, std::size_t slot) {
      const Index i = k * n / count;
      places.score(oracle, i, thetas[slot]);
      look(oracle, i, thetas[slot], answers[static_cast<std::size_t>(k)]);
    });
  };
  for (std::size_t p = 0; p < places.count(); ++p) {
    visit(p, [&](MeteredOracle& oracle, Index i, const PartScores& theta, auto& found) {
      oracle.decode(i, theta, Augment::kLoss, found[p]);
      check_answer(i, theta, found[p]);
    });
  }
  for (std::size_t p = places.count(); p-- > 0;) {  // the last place is still at hand
    visit(p, [&](MeteredOracle&, Index i, const PartScores& theta, const auto& found) {
      for (const Corner& other : found) {
        check_against(i, theta, found[p], violation(other.loss, other.parts, theta));
      }
    });
  }
}

}  // namespace gapwise::internal
