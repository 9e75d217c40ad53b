#include "solve/factorwise/message_sweep.h"

namespace gapwise::internal {

void MessageSweep::tighten(std::span<const double> theta, const BlockBeliefs& block) {
  const GraphLayout& layout = block.layout();
  own_.resize(static_cast<std::size_t>(layout.record_size()));
  for (const Region& region : layout.regions()) {
    if (region.is_factor()) {
      tighten(theta, block, region);
      continue;
    }
    const std::span<const std::int32_t> slots = layout.slots(region);
    const std::span<const double> cost = block.costs(region);
    const std::span<const double> messages = block.multiplier_sums(region);
    const std::span<double> out = own(region);
    for (std::size_t s = 0; s < out.size(); ++s) {
      out[s] = theta[static_cast<std::size_t>(slots[s])] + cost[s] + messages[s];
    }
  }
  block.add_up_multipliers();
}

void MessageSweep::tighten(std::span<const double> theta, const BlockBeliefs& block,
                           const Region& factor) {
  const GraphLayout& layout = block.layout();
  const std::span<const std::int32_t> slots = layout.slots(factor);
  const std::span<const Axis> axes = layout.axes(factor);
  table_.resize(slots.size());
  for (std::size_t y = 0; y < slots.size(); ++y) {
    table_[y] = theta[static_cast<std::size_t>(slots[y])];
  }
  for (const Axis& axis : axes) {
    const std::span<double> t = own(layout.region(axis.variable));
    const std::span<const double> message = block.multipliers(factor, axis);
    for (std::size_t s = 0; s < t.size(); ++s) t[s] -= message[s];
    add_message(t, 1.0, axis, table_);
  }
  const double share = 1.0 / static_cast<double>(axes.size());
  for (const Axis& axis : axes) {
    const std::span<double> t = own(layout.region(axis.variable));
    const std::span<double> message = block.multipliers(factor, axis);
    best_.resize(t.size());
    find_max_marginals(table_, axis, best_);
    for (std::size_t s = 0; s < t.size(); ++s) {
      message[s] = share * best_[s] - t[s];
      t[s] = share * best_[s];
    }
  }
}

}  // namespace gapwise::internal
