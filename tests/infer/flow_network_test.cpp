#include "infer/flow_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "core/random.h"

namespace gapwise::internal {
namespace {

struct Link {
  FlowLink ends;
  double there = 0.0;
  double back = 0.0;
};

/// What leaves a set of vertices, given as bits.
double cut_of(const std::vector<Link>& links, unsigned side) {
  double sum = 0.0;
  for (const Link& link : links) {
    const bool first = (side >> link.ends.first & 1U) != 0;
    const bool second = (side >> link.ends.second & 1U) != 0;
    if (first && !second) sum += link.there;
    if (second && !first) sum += link.back;
  }
  return sum;
}

/// Arcs lead into the source and out of the sink, too, which no flow needs.
TEST(MaxFlow, FindsTheSmallestMinimumCutOfAnyNetwork) {
  constexpr unsigned kSource = 0;
  constexpr unsigned kSink = 1;
  Rng rng(3);
  for (int trial = 0; trial < 2000; ++trial) {
    const unsigned vertices = 3 + static_cast<unsigned>(rng.below(5));
    std::vector<Link> links;
    std::vector<FlowLink> ends;
    for (unsigned u = 0; u < vertices; ++u) {
      for (unsigned v = u + 1; v < vertices; ++v) {
        if (rng.below(4) == 0) continue;
        links.push_back(
            {{u, v}, static_cast<double>(rng.below(4)), static_cast<double>(rng.below(4))});
        ends.push_back(links.back().ends);
      }
    }
    const FlowNetwork network(vertices, ends);
    MaxFlow flow;
    flow.start(network);
    for (std::size_t k = 0; k < links.size(); ++k) flow.set(k, links[k].there, links[k].back);
    const double value = flow.run(kSource, kSink);
    double least = std::numeric_limits<double>::infinity();
    unsigned smallest = 0;  // what all minimum cuts have on the side of the source
    unsigned largest = 0;
    for (unsigned side = 0; side < 1U << vertices; ++side) {
      if ((side >> kSource & 1U) == 0 || (side >> kSink & 1U) != 0) continue;
      const double cut = cut_of(links, side);
      if (cut < least) smallest = largest = side;
      if (cut == least) {
        smallest &= side;
        largest |= side;
      }
      least = std::min(least, cut);
    }
    ASSERT_DOUBLE_EQ(value, least);
    for (unsigned v = 0; v < vertices; ++v) {
      ASSERT_EQ(flow.is_reached(v), (smallest >> v & 1U) != 0) << "network " << trial << ", " << v;
      ASSERT_EQ(flow.reaches_sink(v), (largest >> v & 1U) == 0) << "network " << trial << ", " << v;
    }
  }
}

}  // namespace
}  // namespace gapwise::internal
