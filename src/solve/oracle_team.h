#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/forwarding_oracle.h"
#include "core/oracle_contract.h"
#include "core/parallel.h"
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

/// One metered oracle per thread, and passes over all blocks at a fixed w.
class OracleTeam {
 public:
  OracleTeam(const Problem& problem, int threads);

  /// The oracle of the thread that runs the solver.
  MeteredOracle& leader() { return *members_.front().oracle; }

  /// Calls the max oracle for every block at w, on all threads, and `visit` for each answer; calls
  /// for different blocks run at the same time, so `visit` may only write what belongs to block i.
  using Visit = std::function<void(Index i, const PartScores& theta, const Corner& corner)>;
  void visit_all(Weights w, const Visit& visit) {
    this->visit(all_blocks_, w,
                [&](std::size_t, Index i, const PartScores& theta, const Corner& corner) {
                  visit(i, theta, corner);
                });
  }
  /// The same for some blocks; `visit` is told which of them it is, too.
  using VisitOne =
      std::function<void(std::size_t k, Index i, const PartScores& theta, const Corner& corner)>;
  void visit(std::span<const Index> blocks, Weights w, const VisitOne& visit);

  /// Calls `body` for the blocks begin..end-1 on all threads, with an oracle and a number < size()
  /// that no other call uses at the same time. Of exceptions, that of the lowest block goes on.
  using Body = std::function<void(Index i, MeteredOracle& oracle, std::size_t slot)>;
  void for_each(Index begin, Index end, const Body& body);
  std::size_t size() const { return members_.size(); }

  Index calls() const;
  double seconds() const;

 private:
  struct Member {
    std::unique_ptr<MeteredOracle> oracle;
    PartScores theta;
    Corner corner;
  };
  std::vector<Index> all_blocks_;
  Threads threads_;
  std::vector<Member> members_;
};

}  // namespace gapwise::internal
