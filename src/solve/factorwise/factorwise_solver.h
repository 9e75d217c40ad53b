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
  bool is_relaxed() const final { return !here().beliefs.is_forest(); }
  double dual() const final { return certificate_.dual(); }
  void result(std::vector<double>& w) const final;

 protected:
  const RunContext& context() const { return context_; }
  const RelaxedCertificate& certificate() const { return certificate_; }
  /// The sum of the gaps of all blocks when last visited.
  double seen_gap() const { return gaps_.estimate(); }
  /// Visits so far.
  Index visits() const { return k_; }

  /// Makes ready for here().
  virtual void remove_drift(MeteredOracle& oracle) = 0;
  virtual Standpoint here() const = 0;
  /// The weights, which need not be those of here() if nothing was made ready.
  virtual void iterate(std::vector<double>& w) const = 0;
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

/// Those that solve the softened problem.
class SoftSolver : public FactorwiseSolver {
 public:
  using FactorwiseSolver::FactorwiseSolver;

  std::string decision() const final;
  std::optional<double> soft_gap() const final { return certificate().soft_gap(); }
  std::optional<double> soft_primal() const final { return certificate().soft_primal(); }

 protected:
  virtual SoftDual& soft() = 0;
  virtual const SoftDual& soft() const = 0;

 private:
  void remove_drift(MeteredOracle& oracle) final { soft().rebuild(oracle); }
  Standpoint here() const final { return soft().here(); }
  void iterate(std::vector<double>& w) const final {
    w.assign(soft().point().w().begin(), soft().point().w().end());
  }
};

/// Saves and loads what they have in common, and then what `Derived` calls own_fields.
template <class Derived>
class SoftSolverOf : public SoftSolver {
 public:
  using SoftSolver::SoftSolver;

  void save(StateWriter& out) const final {
    fields(static_cast<const Derived&>(*this), FieldWriter(out));
  }
  void load(StateReader& in) final { fields(static_cast<Derived&>(*this), FieldReader(in)); }

 private:
  template <class Self>
  static void fields(Self& self, auto&& each) {
    FactorwiseSolver::shared_fields(self, each);
    Derived::own_fields(self, each);
  }
};

}  // namespace gapwise::internal
