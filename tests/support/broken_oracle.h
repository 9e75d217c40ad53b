#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/decorated_problem.h"
#include "core/forwarding_oracle.h"
#include "core/random.h"
#include "gapwise/argmax_problem.h"

namespace gapwise::internal::testing {

/// Ways in which an oracle that claims to be exact can be wrong.
enum class Breakage {
  kNone,
  kWrongSign,       ///< of psi
  kForgetsLoss,     ///< maximises without it and reports it
  kHasNoLoss,       ///< neither adds nor reports one
  kAddsTwice,       ///< maximises with twice the loss that it reports
  kReportsTwice,    ///< adds and reports twice the loss, as another loss would
  kStale,           ///< gives the answer to the question before
  kNotANumber,      ///< now and then
  kRandom,          ///< some output or other
  kBoundsTooLittle  ///< exact, with an upper bound below what it returns
};

class BrokenOracle final : public ForwardingOracle {
 public:
  BrokenOracle(std::unique_ptr<Oracle> inner, Breakage breakage)
      : ForwardingOracle(std::move(inner)), breakage_(breakage) {}

  void argmax(Index i, Weights w, PartScores& theta, Corner& out) override {
    score(i, w, theta);
    decode(i, theta, Augment::kLoss, out);
  }

  void decode(Index i, const PartScores& theta, Augment augment, Corner& out) override {
    ++calls_;
    PartScores other = theta;
    switch (augment == Augment::kNone ? Breakage::kNone : breakage_) {
      case Breakage::kForgetsLoss:
        augment = Augment::kNone;
        break;
      case Breakage::kHasNoLoss:
        ForwardingOracle::decode(i, theta, Augment::kNone, out);
        out.loss = 0.0;
        out.is_exact = true;
        return;
      case Breakage::kAddsTwice:
      case Breakage::kReportsTwice:
        other.scale(0.5);
        break;
      case Breakage::kRandom:
        for (double& x : other.resize(theta.values().size())) x = rng_.uniform() - 0.5;
        break;
      default:
        break;
    }
    ForwardingOracle::decode(i, other, augment, out);
    out.is_exact = true;
    out.upper_bound.reset();
    if (augment == Augment::kNone && breakage_ != Breakage::kForgetsLoss) return;
    if (breakage_ == Breakage::kWrongSign) out.parts.scale(-1.0);
    if (breakage_ == Breakage::kReportsTwice) out.loss *= 2.0;
    if (breakage_ == Breakage::kNotANumber && calls_ % 7 == 0) {
      out.loss = std::numeric_limits<double>::quiet_NaN();
    }
    if (breakage_ == Breakage::kBoundsTooLittle) {
      out.is_exact = false;
      out.upper_bound = 0.5 * violation(out.loss, out.parts, theta);
    }
    if (breakage_ == Breakage::kStale) std::swap(last_, out);
  }

 private:
  Breakage breakage_;
  Index calls_ = 0;
  Rng rng_{5};
  Corner last_;
};

/// Another problem, which outlives this one, with its oracle broken; decoders that are not exact
/// claim that they are.
class BrokenProblem final : public DecoratedProblem {
 public:
  BrokenProblem(const Problem& inner, Breakage breakage)
      : DecoratedProblem(inner, [breakage](std::unique_ptr<Oracle> oracle) {
          return std::make_unique<BrokenOracle>(std::move(oracle), breakage);
        }) {}
};

/// A problem as a user would give it who has nothing but an argmax; `inner` outlives it.
inline std::unique_ptr<Problem> as_own(const Problem& inner, bool has_predict = true) {
  const auto ask = [&inner](Augment augment) {
    // One oracle for all calls, so that a stale answer can be one: only for a single thread.
    const std::shared_ptr<Oracle> oracle = inner.make_oracle();
    return [&inner, oracle, augment](Index i, Weights w, Corner& out) {
      PartScores theta;
      Corner corner;
      oracle->score(i, w, theta);
      oracle->decode(i, theta, augment, corner);
      std::vector<double> features(static_cast<std::size_t>(inner.dimension()), 0.0);
      oracle->scatter(i, corner.parts, 1.0, features);
      for (std::size_t j = 0; j < features.size(); ++j) {
        if (features[j] != 0.0) out.parts.collect(static_cast<Index>(j), features[j]);
      }
      out.loss = corner.loss;
      out.is_exact = corner.is_exact;
      out.upper_bound = corner.upper_bound;
    };
  };
  return make_argmax_problem(inner.num_blocks(), inner.dimension(), ask(Augment::kLoss),
                             has_predict ? ask(Augment::kNone) : ArgmaxFunction());
}

}  // namespace gapwise::internal::testing
