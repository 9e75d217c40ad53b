// 1-slack cutting planes [JFY09] and the bundle method BMRM [TVSL10] for the primal of bcfw.cpp.
// A pass of the oracle at w gives outputs y_i of all blocks, and with them a plane
//
//   a = 1/n sum_i psi_i(y_i),  b = 1/n sum_i L_i(y_i)   with   b - <a, w'> <= mean of H_i at any w'
//
// that touches the mean of H_i at w. The next w is the best one of all planes (plane_bundle.h), and
// its dual value is one of the dual of bcfw.cpp: this is batch Frank-Wolfe, fully corrective. The
// gap of w is known once the oracle has passed over it, and that pass is the next plane.
//
//   one-slack   returns the last w. After each plane of the oracle it makes planes out of the last
//               five outputs of every example, as long as they cut off enough: those cost no
//               oracle call, [JFY09] section 5.
//   bmrm        returns the w with the lowest primal of all iterations.

#include <fmt/format.h>

#include <algorithm>

#include "solve/certificate.h"
#include "solve/fields.h"
#include "solve/frank_wolfe/corner_states.h"
#include "solve/planes/plane_bundle.h"

namespace gapwise::internal {
namespace {

/// Outputs remembered per example.
constexpr int kRemembered = 5;
/// A plane of remembered outputs is worth its work if it is above the model by this part of what
/// the last plane of the oracle was.
constexpr double kWorthwhile = 0.5;
constexpr Index kMostCachedPlanes = 20;        ///< between two of the oracle
constexpr Index kMostPlanes = Index{1} << 30;  ///< of a run; outputs are dated by them in 32 bits
/// The model is minimised up to this part of what its new plane is above it.
constexpr double kMasterTolerance = 0.01;

enum class Kind { kOneSlack, kBmrm };

class OneSlack final : public Solver {
 public:
  OneSlack(const RunContext& context, Kind kind)
      : context_(context),
        kind_(kind),
        bundle_(context.d(), context.lambda, context.options.max_planes, context.nonnegative()),
        a_(static_cast<std::size_t>(context.d()), 0.0),
        corners_(static_cast<std::size_t>(context.n())),
        violations_(corners_.size(), 0.0),
        remembered_(kind == Kind::kOneSlack ? corners_.size() : 0) {}

  bool step() override {
    if (pending_ == Pending::kNothing) find_plane();
    bundle_.add(a_, b_, kMasterTolerance * std::max(0.0, excess_));
    ++now_;
    pending_ = Pending::kNothing;
    if (kind_ == Kind::kOneSlack && cached_planes_ < kMostCachedPlanes) find_cached_plane();
    if (pending_ == Pending::kCached) return false;
    cached_planes_ = 0;
    return true;
  }

  Measurement gap_pass() override {
    if (pending_ != Pending::kExact) find_plane();
    if (kind_ == Kind::kOneSlack) return found_;
    return paired(context_, best_w_, best_, dual());
  }
  bool measures_for_free() const override { return true; }
  double dual() const override { return bundle_.dual(); }
  Index cached_steps() const override { return cached_steps_; }
  std::string decision() const override {
    return fmt::format("{} planes, {} with weight, {:.1f} MiB", bundle_.planes(), bundle_.active(),
                       static_cast<double>(bundle_.bytes()) / (1 << 20));
  }

  void result(std::vector<double>& w) const override {
    const bool is_best = kind_ == Kind::kBmrm && !best_w_.empty();
    const Weights found = is_best ? Weights(best_w_) : bundle_.w();
    w.assign(found.begin(), found.end());
  }

  void save(StateWriter& out) const override;
  void load(StateReader& in) override;

 private:
  /// A plane that has been found and not yet taken in.
  enum class Pending { kNothing, kCached, kExact, kLast = kExact };

  template <class Self>
  static void fields(Self& self, auto&& each) {
    each(self.pending_, self.b_, self.excess_, self.last_excess_, self.found_.primal,
         Unbounded(self.found_.dual), self.found_.is_certified, self.best_.primal,
         self.best_.is_certified, self.now_, self.cached_planes_, self.cached_steps_,
         WeightsIfAny(self.best_w_));
  }

  /// The plane of the oracle at w, which also tells the primal of w.
  void find_plane() {
    GapPass pass;
    pass.seen = [&](Index i, const PartScores& theta) {
      const Corner& last = corners_[static_cast<std::size_t>(i)];
      const double found = violation(last.loss, last.parts, theta);
      if (kind_ == Kind::kBmrm) return found;
      return std::max(found, remembered_[static_cast<std::size_t>(i)].best_violation(theta));
    };
    pass.see = [&](const GapPass::Seen& seen) {
      Corner& mine = corners_[static_cast<std::size_t>(seen.i)];
      mine = seen.corner;
      if (seen.h < 0.0) mine.set_truth();
      violations_[static_cast<std::size_t>(seen.i)] = seen.found;
      if (kind_ == Kind::kOneSlack) remember(seen.i, mine);
    };
    found_ = certify(context_, bundle_.w(), dual(), pass);
    find_excess();
    make_plane();
    pending_ = Pending::kExact;
    last_excess_ = excess_;
    if (kind_ == Kind::kBmrm) keep_best();
  }

  /// How far the plane of the corners found is above the model at w: the plane has the mean of
  /// their violations there.
  void find_excess() {
    excess_ = ordered_sum(violations_) / static_cast<double>(context_.n()) - bundle_.model();
  }

  void remember(Index i, const Corner& corner) {
    CornerSet& set = remembered_[static_cast<std::size_t>(i)];
    set.place(corner, static_cast<std::int32_t>(now_));
    set.shrink(kRemembered + 1);  // and the truth
  }

  void keep_best() {
    if (!best_w_.empty() && found_.primal >= best_.primal) return;
    best_ = found_;
    best_w_.assign(bundle_.w().begin(), bundle_.w().end());
  }

  /// The plane of the best remembered outputs at w, if it is worth taking in.
  void find_cached_plane() {
    context_.team.for_each(0, context_.n(), [&](Index i, MeteredOracle& oracle, std::size_t) {
      thread_local std::vector<double> scores;
      thread_local std::vector<double> h;
      const CornerSet& set = remembered_[static_cast<std::size_t>(i)];
      set.score(oracle, i, bundle_.w(), scores);
      set.violations(scores, h);
      const auto best = std::max_element(h.begin(), h.end());
      violations_[static_cast<std::size_t>(i)] = *best;
      std::fill(h.begin(), h.end(), 0.0);
      *best = 1.0;
      Corner& mine = corners_[static_cast<std::size_t>(i)];
      set.combine(h, mine.parts, mine.loss);
    });
    cached_steps_ += context_.n();
    find_excess();
    if (!(excess_ > 0.0 && excess_ >= kWorthwhile * last_excess_)) return;
    make_plane();
    pending_ = Pending::kCached;
    ++cached_planes_;
  }

  /// The mean of corners_, in the order of the blocks.
  void make_plane() {
    const auto n = static_cast<double>(context_.n());
    std::fill(a_.begin(), a_.end(), 0.0);
    std::vector<double> losses;
    for (Index i = 0; i < context_.n(); ++i) {
      const Corner& corner = corners_[static_cast<std::size_t>(i)];
      context_.team.leader().scatter(i, corner.parts, 1.0 / n, a_);
      losses.push_back(corner.loss);
    }
    b_ = ordered_sum(losses) / n;
  }

  RunContext context_;
  Kind kind_;
  PlaneBundle bundle_;
  Pending pending_ = Pending::kNothing;
  WeightVector a_;  ///< the pending plane
  double b_ = 0.0;
  double excess_ = 0.0;             ///< how far it is above the model at w
  double last_excess_ = 0.0;        ///< of the last plane of the oracle
  Measurement found_;               ///< at the w of that plane
  std::vector<Corner> corners_;     ///< of the plane being made
  std::vector<double> violations_;  ///< of these corners
  std::vector<CornerSet> remembered_;
  Index now_ = 0;            ///< planes taken in so far
  Index cached_planes_ = 0;  ///< since the last one of the oracle
  Index cached_steps_ = 0;
  std::vector<double> best_w_;  ///< only of bmrm
  Measurement best_;            ///< at that w
};

void OneSlack::save(StateWriter& out) const {
  bundle_.save(out);
  for (const CornerSet& set : remembered_) set.save(out);
  fields(*this, FieldWriter(out));
  if (pending_ != Pending::kNothing) out.weights(a_);
}

void OneSlack::load(StateReader& in) {
  bundle_.load(in);
  load_mixtures(in, remembered_);
  fields(*this, FieldReader(in));
  in.require(now_ <= kMostPlanes, "more planes than a run takes in");
  in.require(pending_ != Pending::kCached || kind_ == Kind::kOneSlack,
             "a plane of outputs that the solver does not remember");
  if (pending_ != Pending::kNothing) in.weights(a_);
}

}  // namespace

std::unique_ptr<Solver> make_one_slack(const RunContext& context) {
  return std::make_unique<OneSlack>(context, Kind::kOneSlack);
}
std::unique_ptr<Solver> make_bmrm(const RunContext& context) {
  return std::make_unique<OneSlack>(context, Kind::kBmrm);
}

}  // namespace gapwise::internal
