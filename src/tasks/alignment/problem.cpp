#include "tasks/alignment/problem.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gapwise/errors.h"
#include "infer/matching_polytope.h"
#include "tasks/shared/row_sums.h"

namespace gapwise::internal {
namespace {

/// What is computed once for all oracles.
struct AlignmentProblemData {
  std::shared_ptr<const AlignmentData> pairs;
  AlignmentCosts costs;
  std::vector<std::size_t> truth_starts{0};
  std::vector<std::int32_t> truth;  ///< the target of each source element, pair after pair
};

/// A largest matching among the sure links of pair i.
std::vector<std::int32_t> sure_matching(const AlignmentData& data, Index i) {
  const auto k = static_cast<std::size_t>(i);
  std::vector<double> weights(data.num_links(i));
  for (std::size_t link = 0; link < weights.size(); ++link) {
    weights[link] = data.gold[data.first_link(i) + link] == Gold::kSure ? 1.0 : 0.0;
  }
  std::vector<std::int32_t> target_of(static_cast<std::size_t>(data.sources[k]));
  MatchingSearch search;
  max_weight_matching({weights.data(), data.sources[k], data.targets[k]}, search, target_of);
  return target_of;
}

/// Part s * targets + t of a pair is the link (s, t).
class AlignmentOracle final : public Oracle {
 public:
  explicit AlignmentOracle(const AlignmentProblemData& problem)
      : problem_(problem),
        data_(*problem.pairs),
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
    target_of_.resize(static_cast<std::size_t>(data_.sources[k]));
    max_weight_matching({scores, data_.sources[k], data_.targets[k]}, search_, target_of_);
    compare_with_truth(i, out);
  }

  void score_some(Index i, Weights w, std::span<const Index> ids, std::span<double> out) override {
    for (std::size_t k = 0; k < ids.size(); ++k) {
      out[k] = row_dot(row(i, static_cast<std::size_t>(ids[k])), w.data());
    }
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

  bool has_projection() const override { return true; }
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
    const auto targets = data_.targets[static_cast<std::size_t>(i)];
    target_of_.assign(truth(i).begin(), truth(i).end());
    for (const bool is_new : {false, true}) {  // old links go before new ones come
      for (const Part& part : parts) {
        if (part.id < 0 || part.id >= static_cast<Index>(data_.num_links(i))) return false;
        if ((part.value < 0.0) != is_new) continue;
        target_of_[static_cast<std::size_t>(part.id / targets)] =
            is_new ? static_cast<std::int32_t>(part.id % targets) : kUnmatched;
      }
    }
    std::vector<bool> is_taken(static_cast<std::size_t>(targets), false);
    for (const std::int32_t target : target_of_) {
      if (target == kUnmatched) continue;
      if (is_taken[static_cast<std::size_t>(target)]) return false;
      is_taken[static_cast<std::size_t>(target)] = true;
    }
    compare_with_truth(i, out);
    return out.parts == parts;
  }

 private:
  FeatureRow row(Index i, std::size_t link) const {
    return data_.links.row(data_.first_link(i) + link);
  }
  std::span<const std::int32_t> truth(Index i) const {
    const auto k = static_cast<std::size_t>(i);
    return {problem_.truth.data() + problem_.truth_starts[k],
            problem_.truth_starts[k + 1] - problem_.truth_starts[k]};
  }
  std::size_t link_of(Index i, std::size_t s, std::int32_t t) const {
    return s * static_cast<std::size_t>(data_.targets[static_cast<std::size_t>(i)]) +
           static_cast<std::size_t>(t);
  }
  double wrong_cost(Index i, std::size_t link) const {
    return data_.gold[data_.first_link(i) + link] == Gold::kWrong ? problem_.costs.precision : 0.0;
  }
  double recall() const { return problem_.costs.recall; }

  /// Adds `value` to the links of the truth.
  void add_truth(Index i, double value, std::span<double> links) const {
    for (std::size_t s = 0; s < truth(i).size(); ++s) {
      if (truth(i)[s] != kUnmatched) links[link_of(i, s, truth(i)[s])] += value;
    }
  }
  /// The loss as costs of links, relative to the truth.
  void set_costs(Index i, std::span<double> links) const {
    for (std::size_t link = 0; link < links.size(); ++link) links[link] = wrong_cost(i, link);
    add_truth(i, -recall(), links);
  }

  void compare_with_truth(Index i, Corner& out) const {
    out.set_truth();
    for (std::size_t s = 0; s < target_of_.size(); ++s) {
      const std::int32_t right = truth(i)[s];
      const std::int32_t found = target_of_[s];
      if (right == found) continue;
      const auto add = [&](std::int32_t t, double value) {
        if (t != kUnmatched) out.parts.append(static_cast<Index>(link_of(i, s, t)), value);
      };
      if (right < found) add(right, 1.0);
      add(found, -1.0);
      if (right > found) add(right, 1.0);
      if (right != kUnmatched) out.loss += recall();
      if (found != kUnmatched) out.loss += wrong_cost(i, link_of(i, s, found));
    }
  }

  const AlignmentProblemData& problem_;
  const AlignmentData& data_;
  std::vector<double> image_;  ///< one number per attribute, all 0 between calls
  std::vector<double> augmented_;
  std::vector<std::int32_t> target_of_;
  MatchingSearch search_;
  std::vector<double> point_;  ///< one number per link
  MatchingProjection projection_;
};

class AlignmentProblem final : public Problem {
 public:
  AlignmentProblem(std::shared_ptr<const AlignmentData> data, const AlignmentCosts& costs)
      : data_{std::move(data), costs, {0}, {}} {
    for (Index i = 0; i < num_blocks(); ++i) {
      const std::vector<std::int32_t> truth = sure_matching(*data_.pairs, i);
      data_.truth.insert(data_.truth.end(), truth.begin(), truth.end());
      data_.truth_starts.push_back(data_.truth.size());
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
    std::uint64_t hash = XXH3_64bits(costs.data(), sizeof costs);
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
                                                const AlignmentCosts& costs) {
  check_shape(*data);
  for (const double cost : {costs.precision, costs.recall}) {
    if (std::isfinite(cost) && cost >= 0.0) continue;
    throw InputError(
        fmt::format("a wrong or missing link costs {}; costs are finite and not negative", cost));
  }
  return std::make_unique<AlignmentProblem>(std::move(data), costs);
}

std::span<const std::int32_t> Aligner::align(const AlignmentData& data, Index i) {
  const auto k = static_cast<std::size_t>(i);
  scores_.resize(data.num_links(i));
  for (std::size_t link = 0; link < scores_.size(); ++link) {
    scores_[link] = row_dot(data.links.row(data.first_link(i) + link), w_.data());
  }
  target_of_.resize(static_cast<std::size_t>(data.sources[k]));
  max_weight_matching({scores_.data(), data.sources[k], data.targets[k]}, search_, target_of_);
  return target_of_;
}

}  // namespace gapwise::internal
