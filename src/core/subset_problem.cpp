#include "core/subset_problem.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <utility>

namespace gapwise::internal {
namespace {

/// An oracle of the whole, asked by the numbers of the subset.
class SubsetOracle final : public Oracle {
 public:
  SubsetOracle(std::unique_ptr<Oracle> whole, const std::vector<Index>& blocks)
      : whole_(std::move(whole)), blocks_(blocks) {}

  void score(Index i, Weights w, PartScores& theta) override { whole_->score(at(i), w, theta); }
  void decode(Index i, const PartScores& theta, Augment augment, Corner& out) override {
    whole_->decode(at(i), theta, augment, out);
  }
  void argmax(Index i, Weights w, PartScores& theta, Corner& out) override {
    whole_->argmax(at(i), w, theta, out);
  }
  Index batch_size() const override { return whole_->batch_size(); }
  void prepare(std::span<const Index> blocks, Weights w) override {
    batch_.clear();
    for (const Index i : blocks) batch_.push_back(at(i));
    whole_->prepare(batch_, w);
  }
  void score_some(Index i, Weights w, std::span<const Index> ids, std::span<double> out) override {
    whole_->score_some(at(i), w, ids, out);
  }
  bool describe(Index i, std::span<const Index> ids, PartRows& out) override {
    return whole_->describe(at(i), ids, out);
  }
  void scatter(Index i, const Parts& v, double scale, MutableWeights w) override {
    whole_->scatter(at(i), v, scale, w);
  }
  double squared_norm(Index i, const Parts& v) override { return whole_->squared_norm(at(i), v); }
  double inner_product(Index i, const Parts& u, const Parts& v) override {
    return whole_->inner_product(at(i), u, v);
  }
  double squared_length(Weights w) const override { return whole_->squared_length(w); }
  bool has_plain_weights() const override { return whole_->has_plain_weights(); }
  bool has_expectations() const override { return whole_->has_expectations(); }
  bool has_projection() const override { return whole_->has_projection(); }
  void part_costs(Index i, PartScores& costs) override { whole_->part_costs(at(i), costs); }
  double expect(Index i, const PartScores& logits, Parts& mean) override {
    return whole_->expect(at(i), logits, mean);
  }
  double radius(Index i) override { return whole_->radius(at(i)); }
  void project(Index i, const Parts& from, const PartScores& step, Parts& to) override {
    whole_->project(at(i), from, step, to);
  }
  bool has_recognition() const override { return whole_->has_recognition(); }
  bool recognize(Index i, const Parts& parts, Corner& out) override {
    return whole_->recognize(at(i), parts, out);
  }
  std::optional<PartSizes> part_sizes(Index i) override { return whole_->part_sizes(at(i)); }

 private:
  Index at(Index i) const { return blocks_[static_cast<std::size_t>(i)]; }

  std::unique_ptr<Oracle> whole_;
  const std::vector<Index>& blocks_;
  std::vector<Index> batch_;
};

class SubsetGraphs final : public FactorGraphs {
 public:
  SubsetGraphs(const FactorGraphs& whole, const std::vector<Index>& blocks)
      : whole_(whole), blocks_(blocks) {}

  const FactorGraph& graph(Index i) const override { return whole_.graph(at(i)); }
  std::span<const std::int32_t> truth(Index i) const override { return whole_.truth(at(i)); }
  double cost(Index i, Index v, Index s) const override { return whole_.cost(at(i), v, s); }

 private:
  Index at(Index i) const { return blocks_[static_cast<std::size_t>(i)]; }

  const FactorGraphs& whole_;
  const std::vector<Index>& blocks_;
};

class SubsetProblem final : public Problem {
 public:
  SubsetProblem(const Problem& whole, std::vector<Index> blocks)
      : whole_(whole), blocks_(std::move(blocks)) {
    if (const FactorGraphs* const graphs = whole.factor_graphs()) {
      graphs_ = std::make_unique<SubsetGraphs>(*graphs, blocks_);
    }
    if (const std::span<const double> weights = whole.block_weights(); !weights.empty()) {
      for (const Index i : blocks_) weights_.push_back(weights[static_cast<std::size_t>(i)]);
    }
  }

  Index num_blocks() const override { return std::ssize(blocks_); }
  Index dimension() const override { return whole_.dimension(); }
  std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<SubsetOracle>(whole_.make_oracle(), blocks_);
  }
  std::vector<WeightGroup> weight_groups() const override { return whole_.weight_groups(); }
  double oracle_cost() const override { return whole_.oracle_cost(); }
  const FactorGraphs* factor_graphs() const override { return graphs_.get(); }
  bool is_relaxed() const override { return whole_.is_relaxed(); }
  std::span<const double> block_weights() const override { return weights_; }
  std::uint64_t fingerprint() const override {
    return XXH3_64bits_withSeed(blocks_.data(), blocks_.size() * sizeof(Index),
                                whole_.fingerprint());
  }

 private:
  const Problem& whole_;
  std::vector<Index> blocks_;
  std::vector<double> weights_;  ///< of the blocks, if those of the whole have any
  std::unique_ptr<SubsetGraphs> graphs_;
};

}  // namespace

std::unique_ptr<Problem> make_subset_problem(const Problem& whole, std::vector<Index> blocks) {
  return std::make_unique<SubsetProblem>(whole, std::move(blocks));
}

}  // namespace gapwise::internal
