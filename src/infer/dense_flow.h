#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gapwise::internal {

/// Maximum flows in networks most of whose vertices are joined, by shortest augmenting paths
/// [Din70] on a matrix of residual capacities. On such networks it is up to ten times as fast as
/// MaxFlow. Owns memory that is used again.
class DenseFlow {
 public:
  /// Starts with no arcs.
  void start(std::size_t vertices);
  /// More capacity, finite and not negative, between two different vertices.
  void add(std::size_t from, std::size_t to, double capacity);
  /// The largest flow from source to sink. What is left of a capacity counts as nothing if it is at
  /// most 1e-12 of the largest one.
  double run(std::size_t source, std::size_t sink);

  /// After a run: whether more could flow from the source to this vertex.
  bool is_reached(std::size_t vertex) const { return levels_[vertex] != kUnreached; }

 private:
  static constexpr std::uint32_t kUnreached = 0xffffffffU;

  void find_levels(std::size_t source);
  double push(std::size_t from, std::size_t sink, double most);
  double* row(std::size_t vertex) { return residuals_.data() + vertex * vertices_; }

  std::size_t vertices_ = 0;
  double largest_ = 0.0;
  double tolerance_ = 0.0;
  std::vector<double> residuals_;      ///< row by row
  std::vector<std::uint32_t> levels_;  ///< arcs from the source
  std::vector<std::size_t> next_;      ///< what each vertex is to try next
  std::vector<std::size_t> queue_;
  std::vector<std::size_t> unreached_;
};

}  // namespace gapwise::internal
