#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "gapwise/factor_graph.h"

namespace gapwise::internal {

/// Factor graphs of blocks whose variables are off or on, made when they are first asked for: most
/// solvers never do.
class BinaryGraphs final : public FactorGraphs {
 public:
  /// Of all blocks; what belongs to variables lies block after block.
  struct Content {
    std::vector<std::shared_ptr<const FactorGraph>> graphs;  ///< of each block; or one of all
    std::vector<std::size_t> starts{0};                      ///< variables of block i: starts[i] ..
    std::vector<std::int32_t> truth;                         ///< 1 for variables that are on
    std::vector<double> costs;                               ///< of a wrong state
  };

  explicit BinaryGraphs(std::function<Content()> make) : make_(std::move(make)) {}

  const FactorGraph& graph(Index i) const override {
    const auto& graphs = content().graphs;
    return *graphs[graphs.size() == 1 ? 0 : static_cast<std::size_t>(i)];
  }
  std::span<const std::int32_t> truth(Index i) const override {
    const Content& all = content();
    const auto block = static_cast<std::size_t>(i);
    return std::span(all.truth).subspan(all.starts[block],
                                        all.starts[block + 1] - all.starts[block]);
  }
  double cost(Index i, Index v, Index s) const override {
    const Content& all = content();
    const std::size_t at = all.starts[static_cast<std::size_t>(i)] + static_cast<std::size_t>(v);
    return all.truth[at] == s ? 0.0 : all.costs[at];
  }

 private:
  const Content& content() const {
    std::call_once(made_, [this] { content_ = make_(); });
    return content_;
  }

  std::function<Content()> make_;
  mutable std::once_flag made_;
  mutable Content content_;
};

}  // namespace gapwise::internal
