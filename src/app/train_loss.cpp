#include "app/train_loss.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/plain_decode.h"
#include "core/stop.h"
#include "solve/spread.h"

namespace gapwise::internal {
namespace {

/// What `judge` says of the best corner of each block at w.
template <class Judge>
std::vector<double> judge_corners(const Problem& problem, Weights w, Augment augment,
                                  const Threads& threads, Ranks* ranks, Judge judge) {
  struct Scratch {
    std::unique_ptr<Oracle> oracle;
    PartScores theta;
    Corner corner;
  };
  std::vector<Scratch> scratch(static_cast<std::size_t>(threads.count()));
  std::vector<double> found(static_cast<std::size_t>(problem.num_blocks()));
  SpreadWork work{.count = problem.num_blocks()};
  work.work = [&](Index i, int slot) {
    give_up_if_asked();
    Scratch& own = scratch[static_cast<std::size_t>(slot)];
    if (!own.oracle) own.oracle = problem.make_oracle();
    own.oracle->score(i, w, own.theta);
    own.oracle->decode(i, own.theta, augment, own.corner);
    found[static_cast<std::size_t>(i)] = judge(own.corner);
  };
  work.pack = [&](Index i, StateWriter& out) { out.f64(found[static_cast<std::size_t>(i)]); };
  work.take = [&](Index i, StateReader& in) { found[static_cast<std::size_t>(i)] = in.f64(); };
  spread(threads, ranks, problem, work);
  return found;
}

}  // namespace

std::optional<double> train_loss(const Problem& problem, std::span<const double> weights, Weights w,
                                 const Threads& threads, Ranks* ranks) {
  if (!has_plain_decode(problem)) return std::nullopt;
  const std::vector<double> losses = judge_corners(
      problem, w, Augment::kNone, threads, ranks, [](const Corner& corner) { return corner.loss; });
  const double sum = weights.empty()
                         ? std::accumulate(losses.begin(), losses.end(), 0.0)
                         : std::inner_product(losses.begin(), losses.end(), weights.begin(), 0.0);
  return sum / static_cast<double>(problem.num_blocks());
}

Index tight_relaxations(const Problem& problem, Weights w, const Threads& threads, Ranks* ranks) {
  const auto is_output = [](const Corner& corner) {
    return std::all_of(corner.parts.begin(), corner.parts.end(),
                       [](const Part& part) { return part.value == std::round(part.value); });
  };
  const std::vector<double> found =
      judge_corners(problem, w, Augment::kLoss, threads, ranks,
                    [&](const Corner& corner) { return is_output(corner) ? 1.0 : 0.0; });
  return std::count(found.begin(), found.end(), 1.0);
}

}  // namespace gapwise::internal
