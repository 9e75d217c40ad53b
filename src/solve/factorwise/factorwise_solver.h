#pragma once

#include "solve/factorwise/relaxed_certificate.h"
#include "solve/factorwise/soft_dual.h"
#include "solve/fields.h"
#include "solve/frank_wolfe/gap_tracker.h"
#include "solve/sampler.h"

namespace gapwise::internal {

/// What factorwise solvers have in common: they visit examples in some order, measure by the
/// certificate of the relaxed problem, and return the weights it found best.
class FactorwiseSolver : public Solver {
 public:
  explicit FactorwiseSolver(const RunContext& context);

  bool step() final;
  Measurement gap_pass() final;
  std::string decision() const final;
  bool is_relaxed() const final { return !soft().beliefs().is_forest(); }
  std::optional<double> soft_gap() const final { return certificate_.soft_gap(); }
  double dual() const final { return certificate_.dual(); }
  void result(std::vector<double>& w) const final;

 protected:
  const RunContext& context() const { return context_; }
  /// The sum of the gaps of all blocks when last visited.
  double seen_gap() const { return gaps_.estimate(); }

  virtual SoftDual& soft() = 0;
  virtual const SoftDual& soft() const = 0;
  /// Visits block i; the gap of the softened problem there before.
  virtual double visit(MeteredOracle& oracle, Index i) = 0;
  /// All blocks were visited.
  virtual void end_pass() = 0;

  /// For both directions: see fields.h.
  template <class Self>
  static void shared_fields(Self& self, auto&& each) {
    each(self.k_, self.certificate_, self.sampler_, self.gaps_);
  }

 private:
  RunContext context_;
  RelaxedCertificate certificate_;
  Sampler sampler_;
  GapTracker gaps_;
  Index k_ = 0;  ///< visits so far
};

/// Saves and loads what they have in common, and then what `Derived` calls own_fields.
template <class Derived>
class FactorwiseSolverOf : public FactorwiseSolver {
 public:
  using FactorwiseSolver::FactorwiseSolver;

  void save(StateWriter& out) const final {
    fields(static_cast<const Derived&>(*this), FieldWriter(out));
  }
  void load(StateReader& in) final { fields(static_cast<Derived&>(*this), FieldReader(in)); }

 private:
  template <class Self>
  static void fields(Self& self, auto&& each) {
    shared_fields(self, each);
    Derived::own_fields(self, each);
  }
};

}  // namespace gapwise::internal
