#include "tasks/alignment/problem.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gapwise/errors.h"
#include "infer/matching/matching_polytope.h"
#include "tasks/shared/row_sums.h"

namespace gapwise::internal {
namespace {

/// What is computed once for all oracles.
struct AlignmentProblemData {
  std::shared_ptr<const AlignmentData> pairs;
  AlignmentCosts costs;
  Index fertility = 1;
  std::vector<std::uint8_t> truth = {};  ///< 1 for each link that is right, pair after pair
};

/// Appends a largest set of sure links of pair i.
void add_sure_links(const AlignmentData& data, Index i, LinkFinder& finder,
                    std::vector<std::uint8_t>& truth) {
  const auto k = static_cast<std::size_t>(i);
  std::vector<double> weights(data.num_links(i));
  for (std::size_t link = 0; link < weights.size(); ++link) {
    weights[link] = data.gold[data.first_link(i) + link] == Gold::kSure ? 1.0 : 0.0;
  }
  const auto links = finder.find({weights.data(), data.sources[k], data.targets[k]});
  truth.insert(truth.end(), links.begin(), links.end());
}

/// Part s * targets + t of a pair is the link (s, t).
class AlignmentOracle final : public Oracle {
 public:
  explicit AlignmentOracle(const AlignmentProblemData& problem)
      : problem_(problem),
        data_(*problem.pairs),
        finder_(problem.fertility),
        image_(static_cast<std::size_t>(data_.attributes), 0.0) {}

  void score(Index i, Weights w, PartScores& theta) override {
    const std::span<double> scores = theta.resize(data_.num_links(i));
    for (std::size_t link = 0; link < scores.size(); ++link) {
      scores[link] = row_dot(row(i, link), w.data());
    }
  }

  void decode(Index i, const PartScores& theta, Augment augment, Corner& out) override {
    const auto k = static_cast<std::size_t>(i);
    const double* scores = theta.values().data();
    if (augment == Augment::kLoss) {
      augmented_.resize(data_.num_links(i));
      set_costs(i, augmented_);
      for (std::size_t link = 0; link < augmented_.size(); ++link) augmented_[link] += scores[link];
      scores = augmented_.data();
    }
    compare_with_truth(i, finder_.find({scores, data_.sources[k], data_.targets[k]}), out);
  }

  void score_some(Index i, Weights w, std::span<const Index> ids, std::span<double> out) override {
    for (std::size_t k = 0; k < ids.size(); ++k) {
      out[k] = row_dot(row(i, static_cast<std::size_t>(ids[k])), w.data());
    }
  }

  bool describe(Index i, std::span<const Index> ids, PartRows& out) override {
    for (std::size_t k = 0; k < ids.size(); ++k) {
      describe_row(row(i, static_cast<std::size_t>(ids[k])), k, 0, 1.0, out);
    }
    return true;
  }

  void scatter(Index i, const Parts& v, double scale, MutableWeights w) override {
    for (const Part& part : v) {
      add_row(row(i, static_cast<std::size_t>(part.id)), scale * part.value, w.data());
    }
  }

  double squared_norm(Index i, const Parts& v) override {
    scatter(i, v, 1.0, image_);
    double sum = 0.0;
    for (const Part& part : v) {
      sum += take_squares(row(i, static_cast<std::size_t>(part.id)), image_.data());
    }
    return sum;
  }

  /// Adds up B_i u, then looks at it from the links of v.
  double inner_product(Index i, const Parts& u, const Parts& v) override {
    scatter(i, u, 1.0, image_);
    double sum = 0.0;
    for (const Part& part : v) {
      sum += part.value * row_dot(row(i, static_cast<std::size_t>(part.id)), image_.data());
    }
    for (const Part& part : u) {
      clear_row(row(i, static_cast<std::size_t>(part.id)), image_.data());
    }
    return sum;
  }

  bool has_projection() const override { return problem_.fertility == 1; }
  void part_costs(Index i, PartScores& costs) override {
    set_costs(i, costs.resize(data_.num_links(i)));
  }
  /// Starts cold, so that the result does not depend on what was projected before.
  void project(Index i, const Parts& from, const PartScores& step, Parts& to) override {
    const auto k = static_cast<std::size_t>(i);
    point_.assign(step.values().begin(), step.values().end());
    add_truth(i, 1.0, point_);
    for (const Part& part : from) point_[static_cast<std::size_t>(part.id)] -= part.value;
    project_onto_matchings(point_, data_.sources[k], data_.targets[k], ProjectionStart::kCold,
                           projection_);
    add_truth(i, -1.0, point_);
    to.assign_negative(point_);
  }

  bool has_recognition() const override { return true; }
  bool recognize(Index i, const Parts& parts, Corner& out) override {
    const auto targets = static_cast<std::size_t>(data_.targets[static_cast<std::size_t>(i)]);
    linked_.assign(truth(i).begin(), truth(i).end());
    for (const Part& part : parts) {
      if (part.id < 0 || part.id >= static_cast<Index>(data_.num_links(i))) return false;
      linked_[static_cast<std::size_t>(part.id)] = part.value < 0.0 ? 1 : 0;
    }
    std::vector<Index> of_source(
        static_cast<std::size_t>(data_.sources[static_cast<std::size_t>(i)]));
    std::vector<Index> of_target(targets);
    for (std::size_t link = 0; link < linked_.size(); ++link) {
      if (linked_[link] == 0) continue;
      if (++of_source[link / targets] > problem_.fertility) return false;
      if (++of_target[link % targets] > problem_.fertility) return false;
    }
    compare_with_truth(i, linked_, out);
    return out.parts == parts;
  }

 private:
  FeatureRow row(Index i, std::size_t link) const {
    return data_.links.row(data_.first_link(i) + link);
  }
  std::span<const std::uint8_t> truth(Index i) const {
    return {problem_.truth.data() + data_.first_link(i), data_.num_links(i)};
  }
  double wrong_cost(Index i, std::size_t link) const {
    return data_.gold[data_.first_link(i) + link] == Gold::kWrong ? problem_.costs.precision : 0.0;
  }
  double recall() const { return problem_.costs.recall; }

  /// Adds `value` to the links of the truth.
  void add_truth(Index i, double value, std::span<double> links) const {
    const std::span<const std::uint8_t> right = truth(i);
    for (std::size_t link = 0; link < right.size(); ++link) {
      if (right[link] != 0) links[link] += value;
    }
  }
  /// The loss as costs of links, relative to the truth.
  void set_costs(Index i, std::span<double> links) const {
    for (std::size_t link = 0; link < links.size(); ++link) links[link] = wrong_cost(i, link);
    add_truth(i, -recall(), links);
  }

  void compare_with_truth(Index i, std::span<const std::uint8_t> found, Corner& out) const {
    out.set_truth();
    const std::span<const std::uint8_t> right = truth(i);
    for (std::size_t link = 0; link < right.size(); ++link) {
      if (right[link] == found[link]) continue;
      out.parts.append(static_cast<Index>(link), right[link] - found[link]);
      out.loss += right[link] != 0 ? recall() : wrong_cost(i, link);
    }
  }

  const AlignmentProblemData& problem_;
  const AlignmentData& data_;
  LinkFinder finder_;
  std::vector<double> image_;  ///< one number per attribute, all 0 between calls
  std::vector<double> augmented_;
  std::vector<std::uint8_t> linked_;
  std::vector<double> point_;  ///< one number per link
  MatchingProjection projection_;
};

class AlignmentProblem final : public Problem {
 public:
  AlignmentProblem(std::shared_ptr<const AlignmentData> data, const AlignmentCosts& costs,
                   Index fertility)
      : data_{std::move(data), costs, fertility} {
    LinkFinder finder(fertility);
    for (Index i = 0; i < num_blocks(); ++i) {
      add_sure_links(*data_.pairs, i, finder, data_.truth);
    }
  }

  Index num_blocks() const override { return data_.pairs->size(); }
  Index dimension() const override { return data_.pairs->attributes; }
  std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<AlignmentOracle>(data_);
  }
  double oracle_cost() const override {
    // The matching takes about as long as the scores of all its links.
    return 2.0 * static_cast<double>(data_.pairs->gold.size()) /
           static_cast<double>(data_.pairs->size());
  }
  std::uint64_t fingerprint() const override {
    const AlignmentData& data = *data_.pairs;
    const std::array<double, 2> costs{data_.costs.precision, data_.costs.recall};
    // One link for each element as before there was a choice.
    const auto seed = static_cast<std::uint64_t>(data_.fertility - 1);
    std::uint64_t hash = XXH3_64bits_withSeed(costs.data(), sizeof costs, seed);
    for (const auto* sizes : {&data.sources, &data.targets}) {
      hash = XXH3_64bits_withSeed(sizes->data(), sizes->size() * sizeof(Index), hash);
    }
    hash = XXH3_64bits_withSeed(data.gold.data(), data.gold.size(), hash);
    data.links.hash_into(hash);
    return hash;
  }

 private:
  AlignmentProblemData data_;
};

void check_shape(const AlignmentData& data) {
  if (data.size() < 1) throw InputError("there are no pairs to train on");
  const auto pairs = static_cast<std::size_t>(data.size());
  if (data.targets.size() != pairs || data.starts.size() != pairs + 1) {
    throw InputError(
        fmt::format("{} first sides, {} second sides and {} starts of pairs; there "
                    "must be as many, and one start more",
                    pairs, data.targets.size(), data.starts.size()));
  }
  for (Index i = 0; i < data.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (data.sources[k] < 1 || data.targets[k] < 1 ||
        static_cast<Index>(data.num_links(i)) != data.sources[k] * data.targets[k]) {
      throw InputError(fmt::format("pair {} has {} and {} elements but {} links", i,
                                   data.sources[k], data.targets[k], data.num_links(i)));
    }
  }
  if (data.gold.size() != data.starts.back() || data.links.num_rows() != data.starts.back()) {
    throw InputError(
        fmt::format("{} links, {} rows of features and {} gold links; there must be "
                    "as many",
                    data.starts.back(), data.links.num_rows(), data.gold.size()));
  }
}

}  // namespace

std::unique_ptr<Problem> make_alignment_problem(std::shared_ptr<const AlignmentData> data,
                                                const AlignmentCosts& costs, Index fertility) {
  check_shape(*data);
  if (fertility < 1 || fertility > kMostFertile) {
    throw InputError(
        fmt::format("elements have up to {} links; give 1 to {}", fertility, kMostFertile));
  }
  for (const double cost : {costs.precision, costs.recall}) {
    if (std::isfinite(cost) && cost >= 0.0) continue;
    throw InputError(
        fmt::format("a wrong or missing link costs {}; costs are finite and not negative", cost));
  }
  return std::make_unique<AlignmentProblem>(std::move(data), costs, fertility);
}

std::span<const std::uint8_t> LinkFinder::find(const MatchingScores& scores) {
  const auto rows = static_cast<std::size_t>(scores.rows);
  const auto columns = static_cast<std::size_t>(scores.columns);
  is_linked_.assign(rows * columns, 0);
  if (fertility_ > 1) {
    max_weight_links(scores, fertility_, links_, is_linked_);
    return is_linked_;
  }
  target_of_.resize(rows);
  max_weight_matching(scores, matching_, target_of_);
  for (std::size_t s = 0; s < rows; ++s) {
    if (target_of_[s] == kUnmatched) continue;
    is_linked_[s * columns + static_cast<std::size_t>(target_of_[s])] = 1;
  }
  return is_linked_;
}

std::span<const std::uint8_t> Aligner::align(const AlignmentData& data, Index i) {
  const auto k = static_cast<std::size_t>(i);
  scores_.resize(data.num_links(i));
  for (std::size_t link = 0; link < scores_.size(); ++link) {
    scores_[link] = row_dot(data.links.row(data.first_link(i) + link), w_.data());
  }
  return finder_.find({scores_.data(), data.sources[k], data.targets[k]});
}

}  // namespace gapwise::internal
