#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace gapwise {

/// An arc of a flow network. Capacities are finite and not negative.
struct FlowArc {
  std::size_t from;
  std::size_t to;
  double capacity;
};

/// Maximum flows by the algorithm of Boykov and Kolmogorov; owns scratch memory.
class MaxFlow {
 public:
  MaxFlow();
  ~MaxFlow();
  MaxFlow(MaxFlow&&) noexcept;
  MaxFlow& operator=(MaxFlow&&) noexcept;

  /// The largest flow from `source` to `sink` in a network of `nodes` nodes.
  double run(std::size_t nodes, std::span<const FlowArc> arcs, std::size_t source,
             std::size_t sink);

  /// After a run: whether more could flow from the source to this node. These nodes are the
  /// smallest source side of a minimum cut.
  bool is_reached(std::size_t node) const;

 private:
  struct Network;
  std::unique_ptr<Network> network_;
};

}  // namespace gapwise
