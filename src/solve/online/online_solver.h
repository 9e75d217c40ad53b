#pragma once

#include "solve/certificate.h"
#include "solve/fields.h"
#include "solve/online/scaled_iterate.h"
#include "solve/sampler.h"
#include "solve/solver.h"

namespace gapwise::internal {

/// A method that visits one example after the other, keeps nothing but weights and has no dual.
/// What it does at an example is all that the methods differ in.
class OnlineSolver : public Solver {
 public:
  OnlineSolver(const RunContext& context, Average average, bool counts_start = false)
      : context_(context),
        w_(average, context.n(), context.d(), context.nonnegative(), counts_start),
        sampler_(context.options.sampling, context.n(), context.options.order),
        no_gaps_(context.n()) {}

  bool step() final {
    visit(sampler_.next(context_.rng, no_gaps_));
    w_.end_step();
    return ++k_ % context_.n() == 0;
  }

  Measurement gap_pass() final {
    std::vector<double> w;
    result(w);
    return certify(context_, w, kNoDual);
  }
  double dual() const final { return kNoDual; }
  void result(std::vector<double>& w) const final { w_.result(w); }

  bool has_warm_start() const override { return true; }
  void start_from(const Start& start) override { w_.start_at(start.w); }

  void save(StateWriter& out) const final {
    FieldWriter{out}(k_, w_, sampler_);
    save_own(out);
  }
  void load(StateReader& in) final {
    FieldReader{in}(k_, w_, sampler_);
    load_own(in);
  }

 protected:
  virtual void visit(Index i) = 0;
  /// What a method keeps beyond its weights.
  virtual void save_own(StateWriter&) const {}
  virtual void load_own(StateReader&) {}

  MeteredOracle& oracle() { return context_.team.leader(); }

  /// The max oracle at `w`; an inexact one may miss even the truth. False if nothing is violated.
  bool find_corner(Index i, const ScaledIterate& w) {
    oracle().argmax_scaled(i, w.direction(), w.scale(), theta_, corner_);
    if (!corner_.is_exact && violation(corner_.loss, corner_.parts, theta_) < 0.0) {
      corner_.set_truth();
    }
    return !corner_.parts.empty();
  }

  RunContext context_;
  ScaledIterate w_;
  Index k_ = 0;  ///< steps so far
  PartScores theta_;
  Corner corner_;

 private:
  Sampler sampler_;
  GapTracker no_gaps_;
};

}  // namespace gapwise::internal
