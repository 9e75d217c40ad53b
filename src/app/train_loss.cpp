#include "app/train_loss.h"

#include <numeric>

#include "core/plain_decode.h"
#include "core/stop.h"

namespace gapwise::internal {

std::optional<double> train_loss(const Problem& problem, Weights w, const Threads& threads) {
  if (!has_plain_decode(problem)) return std::nullopt;
  struct Scratch {
    std::unique_ptr<Oracle> oracle;
    PartScores theta;
    Corner corner;
  };
  std::vector<Scratch> scratch(static_cast<std::size_t>(threads.count()));
  std::vector<double> losses(static_cast<std::size_t>(problem.num_blocks()));
  threads.run(problem.num_blocks(), [&](Index begin, Index end, int slot) {
    Scratch& own = scratch[static_cast<std::size_t>(slot)];
    if (!own.oracle) own.oracle = problem.make_oracle();
    for (Index i = begin; i < end; ++i) {
      give_up_if_asked();
      own.oracle->score(i, w, own.theta);
      own.oracle->decode(i, own.theta, Augment::kNone, own.corner);
      losses[static_cast<std::size_t>(i)] = own.corner.loss;
    }
  });
  return std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
}

}  // namespace gapwise::internal
