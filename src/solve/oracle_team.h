#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "gapwise/core/parallel.h"
#include "gapwise/core/problem.h"
#include "gapwise/core/sums.h"

namespace gapwise {

/// Counts and times the calls of the max oracle it wraps.
class MeteredOracle final : public Oracle {
 public:
  explicit MeteredOracle(std::unique_ptr<Oracle> inner) : inner_(std::move(inner)) {}

  void argmax(Index i, Weights w, PartScores& theta, Corner& out) override {
    const auto start = std::chrono::steady_clock::now();
    inner_->argmax(i, w, theta, out);
    busy_ += std::chrono::steady_clock::now() - start;
    ++calls_;
  }
  void score(Index i, Weights w, PartScores& theta) override { inner_->score(i, w, theta); }
  void decode(Index i, const PartScores& theta, Augment augment, Corner& out) override {
    inner_->decode(i, theta, augment, out);
  }
  void score_some(Index i, Weights w, std::span<const Index> ids, std::span<double> out) override {
    inner_->score_some(i, w, ids, out);
  }
  void scatter(Index i, const Parts& v, double scale, MutableWeights w) override {
    inner_->scatter(i, v, scale, w);
  }
  double squared_norm(Index i, const Parts& v) override { return inner_->squared_norm(i, v); }
  double inner_product(Index i, const Parts& u, const Parts& v) override {
    return inner_->inner_product(i, u, v);
  }
  double squared_length(Weights w) const override { return inner_->squared_length(w); }

  Index calls() const { return calls_; }
  double seconds() const { return std::chrono::duration<double>(busy_).count(); }

 private:
  std::unique_ptr<Oracle> inner_;
  Index calls_ = 0;
  std::chrono::steady_clock::duration busy_{};
};

/// One metered oracle per thread, and passes over all blocks at a fixed w.
class OracleTeam {
 public:
  OracleTeam(const Problem& problem, int threads);

  /// The oracle of the thread that runs the solver.
  MeteredOracle& leader() { return *members_.front().oracle; }

  /// Calls the max oracle for every block at w, on all threads, and `visit` for each answer; calls
  /// for different blocks run at the same time, so `visit` may only write what belongs to block i.
  using Visit = std::function<void(Index i, const PartScores& theta, const Corner& corner)>;
  void visit_all(Weights w, const Visit& visit);

  Index calls() const;
  double seconds() const;

 private:
  struct Member {
    std::unique_ptr<MeteredOracle> oracle;
    PartScores theta;
    Corner corner;
  };
  Index num_blocks_;
  Threads threads_;
  std::vector<Member> members_;
};

/// The mean of max_y H_i(y; w) over the blocks: the empirical part of the primal.
struct MeanViolation {
  double value = 0.0;    ///< if not a bound, at most the true mean
  bool is_bound = true;  ///< every block was exact or came with an upper bound

  /// Call for every block, in any order and from any thread, then `finish`.
  explicit MeanViolation(Index n) : blocks_(static_cast<std::size_t>(n)) {}
  /// Records block i, whose maximum is known to be at least `known` (the truth has H_i = 0);
  /// returns the largest H_i seen, which is at most what enters a mean that is a bound.
  double record(Index i, const PartScores& theta, const Corner& corner, double known = 0.0);
  /// Sums in block order, so that the result does not depend on who recorded what when.
  void finish();

 private:
  struct Block {
    double found;
    double bound;
    bool is_bound;
  };
  std::vector<Block> blocks_;
};

}  // namespace gapwise
