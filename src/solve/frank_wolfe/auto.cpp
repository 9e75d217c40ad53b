// auto: chooses by counted work where the next corners come from and how long to stay with the
// remembered ones. docs/design/auto.md tells why; a round is
//
//   kExactPass    the oracle is called for one block after the other, and each moves at once
//    or kProbed   a gap pass has asked about all blocks at one well-chosen point (probe.h)
//   kCachedPass   pairwise steps between remembered corners, pass after pass as long as they pay
//                 (cached_schedule.h), with a leap along the passes before each (leap.h)
//   kRoundDone    the next round opens with a probe, unless exact passes gain much more
//                 (round_choice.h)

#include <algorithm>
#include <string>

#include "solve/frank_wolfe/block_steps.h"
#include "solve/frank_wolfe/cached_pass.h"
#include "solve/frank_wolfe/cached_schedule.h"
#include "solve/frank_wolfe/corner_solver.h"
#include "solve/frank_wolfe/leap.h"
#include "solve/frank_wolfe/probe.h"
#include "solve/frank_wolfe/round_choice.h"
#include "solve/frank_wolfe/sweep_cost.h"

namespace gapwise::internal {
namespace {

enum class Phase { kExactPass, kProbed, kCachedPass, kRoundDone, kLast = kRoundDone };

class Auto final : public CornerSolver {
 public:
  explicit Auto(const RunContext& context)
      : CornerSolver(context, kMaxAge),
        cached_(context),
        schedule_(context.options.max_cached_passes, kGoesOn) {}

  /// One visit, or the way from a probe to what follows it.
  bool step() override {
    phase_ = next_phase();
    if (phase_ != Phase::kRoundDone) return false;
    end_round();
    return true;
  }

  /// Unless an average is returned, a probe: it finds corners for the next round and a primal at
  /// once.
  Measurement gap_pass() override;
  /// A probe as the next round would open with.
  bool measures_for_free() const override {
    return has_probes() && rounds_.next() == Round::kProbe && schedule_.goes_on();
  }
  double estimated_gap() const override {
    return std::min(state_.gaps().estimate(), probe_.primal() - dual());
  }
  std::string decision() const override;
  void result(std::vector<double>& w) const override;

  void save(StateWriter& out) const override { fields(*this, FieldWriter(out)); }
  void load(StateReader& in) override;

 private:
  Phase next_phase() {
    switch (phase_) {
      case Phase::kProbed:
        return after_probe();
      case Phase::kCachedPass:
        return after_cached_visit();
      case Phase::kExactPass:
      case Phase::kRoundDone:
        break;
    }
    return after_exact_visit();
  }

  Phase after_exact_visit() {
    opened_by_ = Round::kExact;
    const int s = ask_next();
    state_.finish(pairwise_steps(state_.block(), s, context_.options.inner_steps));
    return ends_exact_pass() ? after_new_corners() : Phase::kExactPass;
  }

  Phase after_probe() {
    opened_by_ = Round::kProbe;
    state_.next_pass();
    const Phase next = after_new_corners();
    return next == Phase::kCachedPass ? next : after_exact_visit();  // nothing has moved yet
  }

  Phase after_new_corners() {
    leaps_ = 0;
    work_at_leap_ = state_.cached_work();
    if (!schedule_.begin_round(state_.now())) return Phase::kRoundDone;
    add_to_average();
    state_.mark(leap_);
    return begin_cached_pass();
  }

  Phase after_cached_visit() {
    cached_.visit_next(state_);
    if (!cached_.is_over()) return Phase::kCachedPass;
    if (!schedule_.next(state_.now())) return Phase::kRoundDone;
    add_to_average();
    leap();  // never after the last pass: steps smooth what a leap has left rough
    return begin_cached_pass();
  }

  Phase begin_cached_pass() {
    cached_.begin(schedule_.passes(), state_);
    return cached_.is_over() ? Phase::kRoundDone : Phase::kCachedPass;
  }

  void end_round() {
    leap_.forget_mark();  // the next round begins with a new one
    if (!has_probes()) return;
    probe_.add(state_.point());
    rounds_.end(state_.now());
    rounds_.begin(Round::kExact, state_.now());
  }

  bool has_probes() const { return !state_.averager().is_on(); }

  /// Both cost sweeps over w, so not before as much other work was done.
  void add_to_average();
  void leap();

  template <class Self>
  static void fields(Self& self, auto&& each) {
    CornerSolver::fields(self, each);
    each(self.phase_, self.cached_, self.schedule_, self.leap_, self.probe_, self.rounds_,
         self.opened_by_, self.leaps_, self.work_at_leap_, self.work_at_average_);
  }

  /// Share of what the round gained per cost so far that another cached pass is worth: below 1, for
  /// the better the dual is solved over the corners that are known, the better are those found
  /// next.
  static constexpr double kGoesOn = 0.6;
  /// Passes after which corners without weight or use are forgotten.
  static constexpr std::int32_t kMaxAge = 2;

  Phase phase_ = Phase::kRoundDone;
  CachedPass cached_;
  CachedSchedule schedule_;
  Leap leap_;
  Probe probe_;  ///< and average of the iterates
  RoundChoice rounds_;
  Round opened_by_ = Round::kExact;
  Index leaps_ = 0;               ///< in this round
  double work_at_leap_ = 0.0;     ///< cached work when the last one was made
  double work_at_average_ = 0.0;  ///< and when the iterate was last averaged
};

void Auto::add_to_average() {
  const double cost = sweep_cost(context_.d());
  if (!has_probes() || state_.cached_work() - work_at_average_ < cost) return;
  work_at_average_ = state_.cached_work();
  state_.count_work(cost);
  probe_.add(state_.point());
}

void Auto::leap() {
  const double cost = state_.leap_cost();
  if (state_.cached_work() - work_at_leap_ < cost) return;
  work_at_leap_ = state_.cached_work();
  state_.count_work(cost);
  ++leaps_;
  state_.make(leap_);
}

Measurement Auto::gap_pass() {
  if (!has_probes()) return CornerSolver::gap_pass();
  state_.rebuild();
  probe_.choose(state_.point(), state_.pass());
  const bool opens_round = phase_ != Phase::kCachedPass;
  if (opens_round) rounds_.begin(Round::kProbe, state_.now());
  const Measurement found = state_.ask_all(probe_.at());
  probe_.record(found.primal, found.is_certified);
  if (opens_round) {
    phase_ = Phase::kProbed;
  } else {  // the pass under way goes on with what was found
    state_.mark(leap_);
  }
  return paired(context_, probe_.w(), {probe_.primal(), dual(), probe_.is_bound()}, dual());
}

std::string Auto::decision() const {
  return std::string(opened_by_ == Round::kProbe ? "probe" : "exact pass") + ", " +
         std::to_string(schedule_.passes()) + " cached passes, " + std::to_string(leaps_) +
         " leaps";
}

void Auto::result(std::vector<double>& w) const {
  if (!probe_.has_answer()) return CornerSolver::result(w);
  w.assign(probe_.w().begin(), probe_.w().end());
}

void Auto::load(StateReader& in) {
  fields(*this, FieldReader(in));
  in.require((phase_ == Phase::kCachedPass) != cached_.is_over(),
             "a phase that does not fit its visiting order");
  in.require(phase_ != Phase::kCachedPass || state_.fits(leap_), "a leap from nowhere");
}

}  // namespace

std::unique_ptr<Solver> make_auto(const RunContext& context) {
  return std::make_unique<Auto>(context);
}

}  // namespace gapwise::internal
