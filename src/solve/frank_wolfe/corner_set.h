#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/prefetch.h"
#include "gapwise/problem.h"
#include "solve/state_archive.h"

namespace gapwise::internal {

/// Whether the weights of a block are a convex combination, or just not negative.
enum class SumOfAlpha { kOne, kAny };

/// The remembered corners of one block, with their weights alpha in what the block adds to w (for
/// most solvers a convex combination, for the squared hinge any sum with alpha >= 0): those with
/// alpha > 0 are the active set S_i, all of them the cache C_i or working set W_i. Parts are kept
/// relative to one sorted list of all part ids that occur, so that scoring the whole set means
/// scoring those parts once. Inner products between corners are computed when first asked for and
/// kept.
class CornerSet {
 public:
  /// The truth alone, with weight 1.
  CornerSet();
  /// Nothing at all, for blocks that are not convex combinations.
  static CornerSet empty();

  /// A mixture of outputs with weight 1, beside the truth with none.
  static CornerSet at(const Parts& parts, double loss);

  /// Whether no output but a mixture of several stands here.
  bool is_mixture(int p) const { return entry(p).is_mixture; }
  /// The parts of corner p.
  void write_parts(int p, Parts& out) const;

  int size() const { return static_cast<int>(entries_.size()); }
  double loss(int p) const { return entry(p).loss; }
  double alpha(int p) const { return entry(p).alpha; }
  /// alpha as it was at the last mark_alpha().
  double marked_alpha(int p) const { return entry(p).marked_alpha; }
  void mark_alpha(int p) { entries_[static_cast<std::size_t>(p)].marked_alpha = alpha(p); }
  void mark_alpha() {
    for (Entry& e : entries_) e.marked_alpha = e.alpha;
  }
  double sum_of_alpha() const;
  void set_alpha(int p, double alpha) { entries_[static_cast<std::size_t>(p)].alpha = alpha; }
  void set_alpha(int p, double alpha, double marked) {
    entries_[static_cast<std::size_t>(p)].alpha = alpha;
    entries_[static_cast<std::size_t>(p)].marked_alpha = marked;
  }
  /// Another number whenever other corners are remembered, or in another order.
  std::uint64_t revision() const { return revision_; }
  /// visit(k, value) for the parts of corner p, whose ids are ids()[k], ascending.
  template <class Visit>
  void for_each_part(int p, Visit visit) const {
    for (const LocalPart& part : parts_of(p)) visit(part.at, part.value);
  }

  /// Ids of all parts that occur in some corner, ascending.
  std::span<const Index> ids() const { return ids_; }

  /// Asks for the block's memory, to be there at the next visit. See prefetch.h for the inlining.
  [[gnu::always_inline]] void prefetch_contents() const {
    prefetch(std::span<const Index>(ids_));
    prefetch(std::span<const Entry>(entries_));
    prefetch(std::span<const LocalPart>(parts_));
  }

  /// The scores of ids() at w, for block i.
  void score(Oracle& oracle, Index i, Weights w, std::vector<double>& scores) const {
    scores.resize(ids_.size());
    oracle.score_some(i, w, ids_, scores);
  }
  /// scores[k] = theta[ids()[k]].
  void pick_scores(const PartScores& theta, std::vector<double>& scores) const;
  /// h[p] = H_i of corner p, from the scores of ids().
  void violations(std::span<const double> scores, std::vector<double>& h) const;

  /// The largest of them, from the scores of all parts of the block; 0 if there are none.
  double best_violation(const PartScores& theta) const;

  /// The place of a corner, remembering it with alpha = 0 if it is new; `now` stamps its use.
  int place(const Corner& corner, std::int32_t now);
  void touch(int p, std::int32_t now) { entries_[static_cast<std::size_t>(p)].last_used = now; }

  /// <psi_p, psi_q> = <B_i m_p, B_i m_q>.
  double product(Oracle& oracle, Index i, int p, int q);

  /// The part vector and loss of sum_p weights[p] * corner p.
  void combine(std::span<const double> weights, Parts& parts, double& loss) const;
  /// That of the block as it stands.
  void combine(Parts& parts, double& loss) const;

  /// Forgets corners without weight that were last used before `since`.
  void forget(std::int32_t since);
  /// If there are more than `most`, the least recently used without weight go, then the two
  /// lightest are merged into one (their mean, which is as good a point of the convex hull), until
  /// there are not: the block itself never changes but for rounding. If it may not merge, those
  /// with weight all stay.
  void shrink(int most, bool may_merge = true);

  /// Every weight is multiplied by `factor`. Uses are dated anew, at pass 0.
  void scale(double factor);
  /// Every weight is multiplied by `share`, and the truth takes what is left of 1. Uses are dated
  /// anew, at pass 0.
  void give_to_truth(double share);

  /// Brings the sum of the weights back to 1 after the rounding of many steps.
  void renormalize();

  void save(StateWriter& out) const;
  /// As the corners of block i.
  void load(StateReader& in, Index i, SumOfAlpha sum);

 private:
  struct Entry {
    double loss = 0.0;
    double alpha = 0.0;
    double marked_alpha = 0.0;
    std::uint64_t key = 0;
    std::int32_t first = 0;  ///< its parts are parts_[first .. first + count)
    std::int32_t count = 0;
    std::int32_t last_used = 0;
    bool is_mixture = false;  ///< not an output, so it equals no corner
  };
  struct LocalPart {
    std::int32_t at;  ///< index in ids_
    double value;
  };

  const Entry& entry(int p) const { return entries_[static_cast<std::size_t>(p)]; }
  std::span<const LocalPart> parts_of(int p) const {
    return {parts_.data() + entry(p).first, static_cast<std::size_t>(entry(p).count)};
  }
  template <class WeightOf>
  void add_up(WeightOf weight_of, Parts& parts, double& loss) const;
  int find(const Corner& corner, std::uint64_t key) const;
  void append(const Parts& parts, Entry entry);
  void learn_ids(const Parts& parts);
  void keep(const std::vector<bool>& kept);
  void merge_two_lightest();
  double& product_slot(int p, int q);
  void load_entry(StateReader& in);
  void check_weights(const StateReader& in, SumOfAlpha sum) const;

  std::vector<Index> ids_;
  std::vector<Entry> entries_;
  std::vector<LocalPart> parts_;
  std::uint64_t revision_ = 0;
  std::vector<double> products_;  ///< lower triangle, row after row; NaN: not yet computed
};

}  // namespace gapwise::internal
