#include "infer/dense_flow.h"

#include <algorithm>
#include <limits>

#include "core/stop.h"

namespace gapwise::internal {
namespace {

constexpr double kTolerance = 1e-12;  // as in flow_network.cpp
/// What is not sent on from a vertex stays on the arcs that lead there: so little of the largest
/// capacity that all of it together counts as nothing.
constexpr double kLost = 1e-16;

}  // namespace

void DenseFlow::start(std::size_t vertices) {
  vertices_ = vertices;
  largest_ = 0.0;
  residuals_.assign(vertices * vertices, 0.0);
  levels_.resize(vertices);
}

void DenseFlow::add(std::size_t from, std::size_t to, double capacity) {
  double& sum = row(from)[to];
  sum += capacity;
  largest_ = std::max(largest_, sum);
}

double DenseFlow::run(std::size_t source, std::size_t sink) {
  tolerance_ = kTolerance * largest_;
  double flow = 0.0;
  for (find_levels(source); is_reached(sink); find_levels(source)) {
    give_up_if_asked();
    next_.assign(vertices_, 0);
    flow += push(source, sink, std::numeric_limits<double>::infinity());
  }
  return flow;
}

/// Level by level; each vertex is taken out of the unreached ones once.
void DenseFlow::find_levels(std::size_t source) {
  std::fill(levels_.begin(), levels_.end(), kUnreached);
  levels_[source] = 0;
  queue_.assign(1, source);
  unreached_.clear();
  for (std::size_t v = 0; v < vertices_; ++v) {
    if (v != source) unreached_.push_back(v);
  }
  for (std::size_t k = 0; k < queue_.size() && !unreached_.empty(); ++k) {
    const std::size_t u = queue_[k];
    const double* residuals = row(u);
    const auto is_joined = [&](std::size_t v) { return residuals[v] > tolerance_; };
    for (const std::size_t v : unreached_) {
      if (!is_joined(v)) continue;
      levels_[v] = levels_[u] + 1;
      queue_.push_back(v);
    }
    std::erase_if(unreached_, is_joined);
  }
}

/// Sends up to `most` on to the sink along arcs that lead one level further; what arrived.
double DenseFlow::push(std::size_t from, std::size_t sink, double most) {
  if (from == sink) return most;
  double* residuals = row(from);
  double sent = 0.0;
  for (std::size_t& v = next_[from]; v < vertices_; ++v) {
    if (residuals[v] <= tolerance_ || levels_[v] != levels_[from] + 1) continue;
    const double arrived = push(v, sink, std::min(most - sent, residuals[v]));
    residuals[v] -= arrived;
    row(v)[from] += arrived;
    sent += arrived;
    if (most - sent <= kLost * largest_) break;  // v may take more another time
  }
  return sent;
}

}  // namespace gapwise::internal
