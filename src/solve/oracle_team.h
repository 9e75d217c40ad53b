#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/forwarding_oracle.h"
#include "core/oracle_contract.h"
#include "core/parallel.h"
#include "core/ranks/ranks.h"
#include "core/stop.h"
#include "core/sums.h"
#include "gapwise/problem.h"
#include "gapwise/progress.h"

namespace gapwise::internal {

/// Counts and times the calls of the oracle it wraps: of the max oracle, of plain decodes, and of
/// expectations and projections, which take its place where a solver asks for them. Every answer of
/// the max oracle must be at least as good as the truth, or it is an OracleError.
class MeteredOracle final : public ForwardingOracle {
 public:
  using ForwardingOracle::ForwardingOracle;

  void argmax(Index i, Weights w, PartScores& theta, Corner& out) override {
    meter([&] { ForwardingOracle::argmax(i, w, theta, out); });
    check_answer(i, theta, out);
  }
  void prepare(std::span<const Index> blocks, Weights w) override {
    give_up_if_asked();
    time([&] { ForwardingOracle::prepare(blocks, w); });
  }
  /// What was prepared is not asked for any more.
  void forget() { ForwardingOracle::prepare({}, {}); }
  double expect(Index i, const PartScores& logits, Parts& mean) override {
    double log_sum = 0.0;
    meter([&] { log_sum = ForwardingOracle::expect(i, logits, mean); });
    return log_sum;
  }
  void project(Index i, const Parts& from, const PartScores& step, Parts& to) override {
    meter([&] { ForwardingOracle::project(i, from, step, to); });
  }
  /// The max oracle at factor * w, for weights that are kept up to a factor.
  void argmax_scaled(Index i, Weights w, double factor, PartScores& theta, Corner& out) {
    meter([&] {
      score(i, w, theta);
      theta.scale(factor);
      decode(i, theta, Augment::kLoss, out);
    });
    check_answer(i, theta, out);
  }
  /// The plain decode: argmax_y <w, phi(x_i, y)>.
  void predict(Index i, Weights w, PartScores& theta, Corner& out) {
    meter([&] {
      score(i, w, theta);
      decode(i, theta, Augment::kNone, out);
    });
  }

  /// Work on a block that takes the place of a call, such as a sweep over its factors.
  template <class Work>
  void count(Work work) {
    meter(work);
  }
  /// Calls that another oracle made for this one.
  void credit(const MeteredOracle& other) {
    calls_ += other.calls_;
    busy_ += other.busy_;
  }
  void credit(Index calls, std::chrono::steady_clock::duration busy) {
    calls_ += calls;
    busy_ += busy;
  }
  std::chrono::steady_clock::duration busy() const { return busy_; }

  Index calls() const { return calls_; }
  double seconds() const { return std::chrono::duration<double>(busy_).count(); }

 private:
  template <class Call>
  void meter(Call call) {
    give_up_if_asked();
    time(call);
    ++calls_;
  }
  template <class Call>
  void time(Call call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    busy_ += std::chrono::steady_clock::now() - start;
  }

  Index calls_ = 0;
  std::chrono::steady_clock::duration busy_{};
};

/// One metered oracle per thread, and passes over all blocks at a fixed w. In a job of several
/// ranks (core/ranks/ranks.h) those that are spread are made by all of them together.
class OracleTeam {
 public:
  /// Ranks: null, or those that share what is spread.
  OracleTeam(const Problem& problem, int threads, Ranks* ranks = nullptr);

  /// The oracle of the thread that runs the solver.
  MeteredOracle& leader() { return *members_.front().oracle; }

  /// What is made of an answer of the max oracle where it was asked: numbers that follow from the
  /// scores of all parts, which nobody else has.
  using Facts = std::array<double, 3>;
  /// How answers are used. Calls for different blocks run at the same time, so each may only write
  /// what belongs to its block. `k` says which of the blocks that were asked about it is.
  struct Visit {
    /// Once for each block, with the scores, on whichever thread and rank; may throw.
    std::function<void(Index i, const PartScores& theta, const Corner& corner, Facts& facts)> look =
        {};
    /// Once for each block, on every rank.
    std::function<void(std::size_t k, Index i, const Corner& corner, const Facts& facts)> take;
  };
  /// Calls the max oracle for these blocks at w, spread over all threads and ranks.
  void visit(std::span<const Index> blocks, Weights w, const Visit& visit);
  /// The same for all blocks.
  void visit_all(Weights w, const Visit& visit) { this->visit(all_blocks_, w, visit); }

  /// Calls `body` for the blocks begin..end-1 on all threads, with an oracle and a number < size()
  /// that no other call uses at the same time. Of exceptions, that of the lowest block goes on.
  using Body = std::function<void(Index i, MeteredOracle& oracle, std::size_t slot)>;
  void for_each(Index begin, Index end, const Body& body);
  /// The same for 0..count-1 where `body` gives a number for each; spread over ranks, too, and so
  /// many calls of the oracle each.
  using Measure = std::function<double(Index k, MeteredOracle& oracle)>;
  std::vector<double> measure_each(Index count, Index calls_each, const Measure& measure);
  std::size_t size() const { return members_.size(); }
  /// Threads that share what is spread.
  int workers() const {
    return static_cast<int>(size()) * (ranks_ == nullptr ? 1 : ranks_->size());
  }

  Index calls() const;
  double seconds() const;

 private:
  struct Member {
    std::unique_ptr<MeteredOracle> oracle;
    PartScores theta;
    Corner corner;
  };
  /// Of one call, as far as known.
  double seconds_each() const;

  const Problem& problem_;
  std::vector<Index> all_blocks_;
  Threads threads_;
  Ranks* ranks_;
  std::vector<Member> members_;
};

}  // namespace gapwise::internal
