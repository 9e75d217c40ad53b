#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "core/hidden.h"

namespace gapwise::internal {

/// Two vertices joined by an arc from the first to the second and one back.
using FlowLink = std::pair<std::uint32_t, std::uint32_t>;

/// The arcs of a flow network; capacities come and go. Immutable, hence shared by threads.
class FlowNetwork {
 public:
  /// `links` join different vertices of 0..vertices-1; the same two may be joined several times.
  FlowNetwork(std::uint32_t vertices, std::span<const FlowLink> links);
  ~FlowNetwork();
  FlowNetwork(const FlowNetwork&) = delete;
  FlowNetwork& operator=(const FlowNetwork&) = delete;

  struct Arcs;
  const Arcs& arcs() const { return *arcs_; }

 private:
  std::unique_ptr<const Arcs> arcs_;
};

/// Maximum flows by the algorithm of Boykov and Kolmogorov. Owns memory that is used again.
class MaxFlow {
 public:
  MaxFlow();

  /// Starts with capacities of 0; the network outlives what follows.
  void start(const FlowNetwork& network);
  /// Capacities of link k, finite and not negative.
  void set(std::size_t k, double there, double back);
  /// The largest flow from source to sink. What is left of a capacity counts as nothing if it is at
  /// most 1e-12 of the largest one.
  double run(std::uint32_t source, std::uint32_t sink);

  /// After a run: whether more could flow from the source to this vertex. These vertices are the
  /// smallest source side of a minimum cut.
  bool is_reached(std::size_t vertex) const;
  /// Likewise whether more could flow from it to the sink.
  bool reaches_sink(std::size_t vertex) const;

 private:
  struct Arrays;
  Hidden<Arrays> arrays_;
};

}  // namespace gapwise::internal
