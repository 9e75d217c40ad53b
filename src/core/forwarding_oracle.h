#pragma once

#include <memory>
#include <utility>

#include "gapwise/problem.h"

namespace gapwise::internal {

/// An oracle that passes every call on to another one; decorators override what they change.
class ForwardingOracle : public Oracle {
 public:
  explicit ForwardingOracle(std::unique_ptr<Oracle> inner) : inner_(std::move(inner)) {}

  void score(Index i, Weights w, PartScores& theta) override { inner_->score(i, w, theta); }
  void decode(Index i, const PartScores& theta, Augment augment, Corner& out) override {
    inner_->decode(i, theta, augment, out);
  }
  void argmax(Index i, Weights w, PartScores& theta, Corner& out) override {
    inner_->argmax(i, w, theta, out);
  }
  Index batch_size() const override { return inner_->batch_size(); }
  void prepare(std::span<const Index> blocks, Weights w) override { inner_->prepare(blocks, w); }
  void score_some(Index i, Weights w, std::span<const Index> ids, std::span<double> out) override {
    inner_->score_some(i, w, ids, out);
  }
  bool describe(Index i, std::span<const Index> ids, PartRows& out) override {
    return inner_->describe(i, ids, out);
  }
  void scatter(Index i, const Parts& v, double scale, MutableWeights w) override {
    inner_->scatter(i, v, scale, w);
  }
  double squared_norm(Index i, const Parts& v) override { return inner_->squared_norm(i, v); }
  double inner_product(Index i, const Parts& u, const Parts& v) override {
    return inner_->inner_product(i, u, v);
  }
  double squared_length(Weights w) const override { return inner_->squared_length(w); }
  bool has_plain_weights() const override { return inner_->has_plain_weights(); }
  bool has_expectations() const override { return inner_->has_expectations(); }
  bool has_projection() const override { return inner_->has_projection(); }
  void part_costs(Index i, PartScores& costs) override { inner_->part_costs(i, costs); }
  double expect(Index i, const PartScores& logits, Parts& mean) override {
    return inner_->expect(i, logits, mean);
  }
  double radius(Index i) override { return inner_->radius(i); }
  bool has_recognition() const override { return inner_->has_recognition(); }
  bool recognize(Index i, const Parts& parts, Corner& out) override {
    return inner_->recognize(i, parts, out);
  }
  std::optional<PartSizes> part_sizes(Index i) override { return inner_->part_sizes(i); }
  void project(Index i, const Parts& from, const PartScores& step, Parts& to) override {
    inner_->project(i, from, step, to);
  }

 private:
  std::unique_ptr<Oracle> inner_;
};

}  // namespace gapwise::internal
