#pragma once

#include <limits>
#include <vector>

#include "solve/dual_state.h"
#include "solve/fields.h"

namespace gapwise::internal {

/// Where a solver that remembers outputs asks the oracle, and the best answer so far. While the
/// dual is solved over few outputs, w swings from round to round; an average of the iterates has a
/// much better primal, and the outputs found there are of more use. Near the optimum w itself is
/// better. So a pass over all blocks asks at whichever of the two was better when last seen, and
/// now and then at the other one. Any w has a primal, and any primal with any dual is a
/// certificate: the best point found is what is returned.
class Probe {
 public:
  /// Takes the iterate into the average, in which the k-th one weighs k^3.
  void add(const DualPoint& point) {
    const Weights v = point.v();
    average_.resize(v.size(), 0.0);
    ++count_;
    // The k-th of weights k^3 has the share k^3 / (1 + ... + k^3) = 4 k / (k + 1)^2.
    const auto k = static_cast<double>(count_);
    const double share = 4.0 * k / ((k + 1.0) * (k + 1.0));
    for (std::size_t j = 0; j < v.size(); ++j) average_[j] += share * (v[j] - average_[j]);
  }

  /// Takes the point to ask at in this round.
  void choose(const DualPoint& point, Index round) {
    asks_average_ = average_primal_ <= iterate_primal_;
    if (round % kRoundsPerChange == 0) asks_average_ = !asks_average_;
    if (count_ == 0) asks_average_ = false;
    const Weights from = asks_average_ ? Weights(average_) : point.v();
    at_.assign(from.begin(), from.end());
    point.truncate(at_);
  }
  Weights at() const { return at_; }

  /// The primal at that point.
  void record(double primal, bool is_bound) {
    (asks_average_ ? average_primal_ : iterate_primal_) = primal;
    const bool is_better = is_bound == is_bound_ ? primal < primal_ : is_bound;
    if (!is_better) return;
    primal_ = primal;
    is_bound_ = is_bound;
    w_ = at_;
  }

  bool has_answer() const { return !w_.empty(); }
  double primal() const { return primal_; }    ///< the best one
  bool is_bound() const { return is_bound_; }  ///< it is not below the true one
  Weights w() const { return w_; }             ///< where it was found

  void save(StateWriter& out) const { fields(*this, FieldWriter(out)); }
  void load(StateReader& in) {
    fields(*this, FieldReader(in));
    const Index d = in.problem().dimension();
    in.require(std::ssize(average_) == (count_ == 0 ? 0 : d), "an average of nothing");
  }

 private:
  static constexpr Index kRoundsPerChange = 5;
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();

  template <class Self>
  static void fields(Self& self, auto&& each) {
    each(Unbounded(self.average_primal_), Unbounded(self.iterate_primal_), Unbounded(self.primal_),
         self.is_bound_, WeightsIfAny(self.w_), self.count_, WeightsIfAny(self.average_));
  }

  bool asks_average_ = false;
  double average_primal_ = -kUnknown;  ///< asked first
  double iterate_primal_ = kUnknown;
  double primal_ = kUnknown;
  bool is_bound_ = false;
  Index count_ = 0;  ///< iterates in the average
  std::vector<double> average_;
  std::vector<double> at_;
  std::vector<double> w_;
};

}  // namespace gapwise::internal
