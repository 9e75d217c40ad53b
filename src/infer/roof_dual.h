#pragma once

#include <cstdint>
#include <vector>

#include "infer/dense_flow.h"
#include "infer/flow_network.h"

namespace gapwise::internal {

/// Whether something is known to be off or on.
enum class Decision : std::uint8_t { kOpen, kOff, kOn };

/// What variables score that are on, and pairs of them that both are.
struct PairTerms {
  struct Pair {
    std::uint32_t a;
    std::uint32_t b;  ///< another one than a; the same two may be there several times
    double score;
  };
  std::vector<double> singles;
  std::vector<Pair> pairs;  ///< sorted by a

  bool is_attractive() const;  ///< no pair has a negative score
};

/// The linear relaxation of a set problem, solved by one maximum flow [BH02, KR07]: an upper bound
/// of what any set scores, and variables that are the same in every best set. Those left open are
/// one half in a vertex of the relaxation that is best. Without repulsive pairs all are decided.
class RoofDual {
 public:
  void run(const PairTerms& problem);

  double upper_bound() const { return upper_bound_; }
  const std::vector<Decision>& decisions() const { return decisions_; }

 private:
  void run_attractive(const PairTerms& problem);
  void run_general(const PairTerms& problem);
  /// An arc of the network to be run.
  void add_arc(std::size_t from, std::size_t to, double capacity);
  double run_flow(std::size_t vertices, std::size_t source, std::size_t sink);
  double run_dense_flow(std::size_t vertices, std::size_t source, std::size_t sink);

  double upper_bound_ = 0.0;
  std::vector<Decision> decisions_;
  std::vector<double> costs_;
  std::vector<FlowLink> arcs_;
  std::vector<double> capacities_;
  MaxFlow flow_;
  DenseFlow dense_flow_;
  std::vector<std::uint8_t> is_reached_;  ///< from the source, after a run of either
};

}  // namespace gapwise::internal
