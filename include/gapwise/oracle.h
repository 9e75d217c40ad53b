#pragma once

#include <optional>
#include <span>

#include "gapwise/corner.h"
#include "gapwise/part_rows.h"
#include "gapwise/parts.h"
#include "gapwise/types.h"

namespace gapwise {

/// What one thread may ask about the blocks of a problem; owns scratch memory and is never shared.
/// With B_i the linear map from parts to features, phi(x_i, y) = B_i m(y); it is never built.
class Oracle {
 public:
  virtual ~Oracle() = default;

  /// theta = B_i' w, the scores of all parts.
  virtual void score(Index i, Weights w, PartScores& theta) = 0;

  /// The best output for the scores theta: argmax_y <theta, m(y)>, plus L_i(y) if augmented.
  /// Ties go to the smallest label. Knows no w.
  virtual void decode(Index i, const PartScores& theta, Augment augment, Corner& out) = 0;

  /// The max oracle, [LJSP13] eq. (2): scores of block i at w and the corner that maximises
  /// H_i(y; w) = L_i(y) - <w, psi_i(y)>. The same as scoring and decoding, perhaps faster.
  virtual void argmax(Index i, Weights w, PartScores& theta, Corner& out) {
    score(i, w, theta);
    decode(i, theta, Augment::kLoss, out);
  }

  /// Passes over all blocks at one w are made in batches of so many: each is prepared before
  /// `argmax` is called for its blocks, in this order, and an empty one is prepared behind them.
  virtual Index batch_size() const { return 1; }
  virtual void prepare(std::span<const Index>, Weights) {}  ///< may answer the whole batch at once

  /// The scores of some parts only: out[k] = (B_i' w)[ids[k]], reading no other weights. This is
  /// what makes a step between remembered outputs cheap.
  virtual void score_some(Index i, Weights w, std::span<const Index> ids,
                          std::span<double> out) = 0;

  /// The weights behind the same scores, so that steps between remembered outputs can do without
  /// the oracle (docs/design/auto.md): out gives part ids[k] as k. False if the oracle cannot tell,
  /// as by default; solvers then ask `score_some` and `scatter`, which must agree with this.
  virtual bool describe(Index i, std::span<const Index> ids, PartRows& out);

  /// w += scale * B_i v.
  virtual void scatter(Index i, const Parts& v, double scale, MutableWeights w) = 0;

  /// |B_i v|^2.
  virtual double squared_norm(Index i, const Parts& v) = 0;
  /// <B_i u, B_i v>.
  virtual double inner_product(Index i, const Parts& u, const Parts& v) = 0;

  /// |w|^2: the sum of squares, unless w is kept in other coordinates. An oracle that overrides
  /// this says so in has_plain_weights().
  virtual double squared_length(Weights w) const;
  /// Whether inner products of weight vectors are sums of products of their coordinates. Otherwise
  /// a solver may add, scale and scatter them, and everything else goes through the oracle.
  virtual bool has_plain_weights() const { return true; }

  // What only some problems can do: averages over all outputs, or projections onto their convex
  // hull (docs/design/expectations.md). Without the capability nobody calls these.
  virtual bool has_expectations() const { return false; }  ///< part_costs, expect, radius
  virtual bool has_projection() const { return false; }    ///< part_costs, project
  /// The loss as costs of parts, with either: L_i(y) = <costs, m(y) - m(y_i)>.
  virtual void part_costs(Index i, PartScores& costs);
  /// Under p(y) proportional to exp <logits, m(y)>: mean = m(y_i) - E m(y), and the result is log
  /// sum_y exp <logits, m(y) - m(y_i)>.
  virtual double expect(Index i, const PartScores& logits, Parts& mean);
  /// With expectations: at least half of every |psi_i(y) - psi_i(y')|.
  virtual double radius(Index i);
  /// With projection: to = m(y_i) - z, where z is the point of the convex hull of the outputs
  /// nearest to m(y_i) - from + step.
  virtual void project(Index i, const Parts& from, const PartScores& step, Parts& to);

  // What proofs need (docs/design/proof.md); without it a run has none.
  virtual bool has_recognition() const { return false; }  ///< recognize
  /// The output of block i that has these parts relative to the truth, as `decode` with the loss
  /// would return it; false if there is none. The parts come from a file and may be anything.
  virtual bool recognize(Index i, const Parts& parts, Corner& out);
  /// Sizes that hold for every part and every output. Without them all parts are looked at, and
  /// outputs are taken to have each part at most once.
  virtual std::optional<PartSizes> part_sizes(Index) { return std::nullopt; }
};

}  // namespace gapwise
