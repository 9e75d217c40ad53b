#include "infer/dense_flow.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "infer/flow_network.h"

namespace gapwise::internal {
namespace {

/// Flow and reached vertices are those of the other algorithm, with ties and without. Nothing leads
/// into the source, 0, or out of the sink, 1.
TEST(DenseFlow, AgreesWithTheFlowOfSparseNetworks) {
  Rng rng(5);
  DenseFlow dense;
  MaxFlow sparse;
  for (int trial = 0; trial < 200; ++trial) {
    const auto vertices = static_cast<std::uint32_t>(2 + rng.below(12));
    std::vector<FlowLink> links;
    std::vector<double> capacities;
    for (std::uint32_t u = 0; u < vertices; ++u) {
      for (std::uint32_t v = 0; v < vertices; ++v) {
        if (u == v || v == 0 || u == 1 || rng.uniform() < 0.3) continue;
        links.emplace_back(u, v);
        capacities.push_back(trial % 2 == 0 ? static_cast<double>(rng.below(4)) : rng.uniform());
      }
    }
    const FlowNetwork network(vertices, links);
    sparse.start(network);
    dense.start(vertices);
    for (std::size_t k = 0; k < links.size(); ++k) {
      sparse.set(k, capacities[k], 0.0);
      dense.add(links[k].first, links[k].second, capacities[k]);
    }
    EXPECT_NEAR(dense.run(0, 1), sparse.run(0, 1), 1e-9);
    for (std::uint32_t v = 0; v < vertices; ++v) {
      EXPECT_EQ(dense.is_reached(v), sparse.is_reached(v)) << "trial " << trial << ", vertex " << v;
    }
  }
}

}  // namespace
}  // namespace gapwise::internal
