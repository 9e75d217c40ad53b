#include "gapwise/check_oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/oracle_contract.h"
#include "core/plain_decode.h"
#include "core/random.h"
#include "core/sums.h"
#include "gapwise/errors.h"

namespace gapwise {

using namespace internal;  // NOLINT(google-build-using-namespace)

namespace {

/// Random weights are drawn so long that scores are so many times the losses.
constexpr std::array<double, 4> kLengths{1.0, 0.1, 10.0, 0.5};
/// Features are written out for so many outputs at the least, and at the most for so many that they
/// are this many numbers.
constexpr Index kLeastFeatures = 20;
constexpr Index kMostNumbers = 200'000'000;
/// Steps to make the truth of one example win.
constexpr int kStepsToTruth = 200;
/// Examples for which that is tried, at the most.
constexpr std::size_t kTruths = 10;

[[noreturn]] void fail(Index i, const std::string& what) {
  throw OracleError(
      fmt::format("the oracle broke its contract for example {} (counted from 0): {}", i, what));
}

bool are_close(double a, double b, double magnitude) {
  return std::abs(a - b) <= kRounding * (std::abs(a) + std::abs(b) + magnitude);
}

class Checker {
 public:
  Checker(const Problem& problem, const OracleCheckOptions& options)
      : problem_(problem),
        options_(options),
        oracle_(problem.make_oracle()),
        other_oracle_(problem.make_oracle()),
        rng_(options.seed),
        decodes_plainly_(has_plain_decode(problem)),
        has_costs_(oracle_->has_expectations() || oracle_->has_projection()),
        features_left_(std::max(kLeastFeatures, kMostNumbers / problem.dimension())) {
    const Index n = problem.num_blocks();
    const Index count = std::min(n, options.examples);
    for (Index k = 0; k < count; ++k) blocks_.push_back({k * n / count, {}, {}});
  }

  OracleCheck run() {
    if (options_.examples < 1 || options_.points < 1) {
      throw OptionError(fmt::format("an oracle is tested at {} examples and {} points; give >= 1",
                                    options_.examples, options_.points));
    }
    check_at(std::vector<double>(dimension(), 0.0));
    for (Index k = 0; k < options_.points; ++k) check_at(random_weights(k));
    check_losses();
    for (std::size_t k = 0; k < std::min(blocks_.size(), kTruths); ++k) find_truth(blocks_[k].i);
    done_.examples = std::ssize(blocks_);
    return done_;
  }

 private:
  struct Block {
    Index i;
    // Different ones that were returned, for any weights: with the loss in the maximisation and
    // without, which are not the same corners where the loss rescales psi.
    std::vector<Corner> outputs;
    std::vector<Corner> plain;
  };

  std::size_t dimension() const { return static_cast<std::size_t>(problem_.dimension()); }

  /// Where the decoder needs that, no weight is negative.
  void make_allowed(std::vector<double>& w) const {
    for (const WeightGroup& group : problem_.weight_groups()) {
      if (!group.must_be_nonnegative) continue;
      for (Index j = group.begin; j < group.end; ++j) {
        double& x = w[static_cast<std::size_t>(j)];
        x = std::abs(x);
      }
    }
  }

  std::vector<double> random_weights(Index k) {
    std::vector<double> w(dimension());
    for (double& x : w) x = 2.0 * rng_.uniform() - 1.0;
    make_allowed(w);
    std::vector<double> scores{0.0};
    std::vector<double> losses{0.0};
    PartScores theta;
    for (const Block& block : blocks_) {
      oracle_->score(block.i, w, theta);
      for (const Corner& corner : block.outputs) {
        scores.push_back(std::abs(corner.parts.dot(theta.values())));
        losses.push_back(corner.loss);
      }
    }
    const double length = ordered_sum(scores);
    const double loss = ordered_sum(losses);
    const double factor = length > 0.0 && loss > 0.0 ? loss / length : 1.0;
    for (double& x : w) x *= factor * kLengths[static_cast<std::size_t>(k) % kLengths.size()];
    return w;
  }

  void check_at(const std::vector<double>& w) {
    std::vector<Corner> answers(blocks_.size());
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      Block& block = blocks_[k];
      ask(*oracle_, block.i, w, answers[k]);
      check_corner(block.i, answers[k]);
      check_map(block.i, w, answers[k]);
      remember(block, answers[k], block.outputs);
      if (decodes_plainly_) check_plain(block);
      for (const Corner& output : block.outputs) {
        check_against(block.i, theta_, answers[k], violation(output.loss, output.parts, theta_));
      }
    }
    // The other way round, so that nothing can be left over from the call before.
    Corner again;
    for (std::size_t k = blocks_.size(); k-- > 0;) {
      ask(k % 2 == 0 ? *oracle_ : *other_oracle_, blocks_[k].i, w, again);
      if (again.parts == answers[k].parts && again.loss == answers[k].loss) continue;
      fail(blocks_[k].i,
           fmt::format("asked twice at the same weights it first gave an output of loss {} and {} "
                       "parts, then one of loss {} and {} parts; answers may depend on nothing "
                       "but the example and the weights",
                       answers[k].loss, answers[k].parts.size(), again.loss, again.parts.size()));
    }
    if (oracle_->batch_size() > 1) check_batches(w, answers);
  }

  /// Several questions at once have answers as good as one at a time; of equal ones any will do.
  void check_batches(Weights w, const std::vector<Corner>& answers) {
    const auto size = static_cast<std::size_t>(oracle_->batch_size());
    Corner found;
    for (std::size_t begin = 0; begin < blocks_.size(); begin += size) {
      std::vector<Index> batch;
      for (std::size_t k = begin; k < std::min(begin + size, blocks_.size()); ++k) {
        batch.push_back(blocks_[k].i);
      }
      other_oracle_->prepare(batch, w);
      for (std::size_t k = begin; k < begin + batch.size(); ++k) {
        ask(*other_oracle_, blocks_[k].i, w, found);
        check_corner(blocks_[k].i, found);
        const Corner& alone = answers[k];
        const double expected = violation(alone.loss, alone.parts, theta_);
        const double got = violation(found.loss, found.parts, theta_);
        if (std::abs(got - expected) <= rounding_of(theta_, found) + rounding_of(theta_, alone)) {
          continue;
        }
        fail(blocks_[k].i, fmt::format("asked alone it gave an output whose violation is {}, asked "
                                       "in a batch one of {}; both are to be the same",
                                       expected, got));
      }
      other_oracle_->prepare({}, w);
    }
  }

  void ask(Oracle& oracle, Index i, Weights w, Corner& out) {
    oracle.argmax(i, w, theta_, out);
    ++done_.calls;
    if (out.is_exact) ++done_.exact;
    if (!out.is_exact && out.upper_bound) ++done_.with_bound;
    check_answer(i, theta_, out);
  }

  void check_corner(Index i, const Corner& corner) {
    if (!(corner.loss >= 0.0 && std::isfinite(corner.loss))) {
      fail(i,
           fmt::format("it returned an output of loss {}; a loss is finite and >= 0", corner.loss));
    }
    for (std::size_t k = 0; k < corner.parts.size(); ++k) {
      const Part& part = corner.parts[k];
      if (!std::isfinite(part.value)) {
        fail(i, fmt::format("the value of part {} is {}", part.id, part.value));
      }
      if (k > 0 && corner.parts[k - 1].id >= part.id) {
        fail(i, fmt::format("part {} comes after part {}; ids ascend, each at most once", part.id,
                            corner.parts[k - 1].id));
      }
    }
    if (corner.parts.empty() && corner.loss > 0.0 && !options_.allows_twins_of_truth) {
      fail(i, fmt::format("it returned an output with the features of the truth and with loss {}; "
                          "the loss of the truth is 0 (if outputs may have the features of the "
                          "truth and a loss all the same, say so: allows_twins_of_truth)",
                          corner.loss));
    }
    if (options_.loss) expect_loss(i, corner, options_.loss(i, corner), "the loss function given");
    if (!has_costs_) return;
    PartScores costs;
    oracle_->part_costs(i, costs);
    expect_loss(i, corner, -corner.parts.dot(costs.values()), "the costs of its parts");
  }

  static void expect_loss(Index i, const Corner& corner, double expected, const char* whose) {
    if (are_close(corner.loss, expected, 0.0) || std::abs(corner.loss - expected) <= kRounding) {
      return;
    }
    fail(i, fmt::format("it returned an output of loss {}, which by {} is {}", corner.loss, whose,
                        expected));
  }

  /// Scores, scatter, norms and products all mean the same map of parts to features.
  void check_map(Index i, Weights w, const Corner& corner) {
    const Parts& v = corner.parts;
    oracle_->score(i, w, scores_);
    double size = 0.0;
    for (const Part& part : v) size += std::abs(part.value * scores_[part.id]);
    const double score = v.dot(scores_.values());
    const auto expect = [&](double found, double magnitude, const char* what) {
      if (are_close(found, score, size + magnitude)) return;
      fail(i, fmt::format("<w, psi(y)> is {} by its scores and {} by {}", score, found, what));
    };
    expect(v.dot(theta_.values()), 0.0, "the scores that the argmax left");

    std::vector<Index> ids;
    for (const Part& part : v) ids.push_back(part.id);
    std::vector<double> some(ids.size());
    oracle_->score_some(i, w, ids, some);
    double sum = 0.0;
    for (std::size_t k = 0; k < ids.size(); ++k) sum += v[k].value * some[k];
    expect(sum, 0.0, "the scores of its parts alone (score_some)");

    if (!oracle_->has_plain_weights() || features_left_-- <= 0) return;
    features_.assign(dimension(), 0.0);
    oracle_->scatter(i, v, 1.0, features_);
    double magnitude = 0.0;
    for (std::size_t j = 0; j < features_.size(); ++j) magnitude += std::abs(features_[j] * w[j]);
    expect(dot(features_, w), magnitude, "the features that scatter adds");

    const double length = dot(features_, features_);
    const auto expect_length = [&](double found, const char* what) {
      if (are_close(found, length, 0.0)) return;
      fail(i, fmt::format("|psi(y)|^2 is {} by its features and {} by {}", length, found, what));
    };
    expect_length(oracle_->squared_norm(i, v), "squared_norm");
    expect_length(oracle_->inner_product(i, v, v), "inner_product");
  }

  /// Keeps an output in `list`; one that is known already must have the loss it had.
  void remember(const Block& block, const Corner& corner, std::vector<Corner>& list) const {
    for (const std::vector<Corner>* known : {&block.outputs, &block.plain}) {
      for (const Corner& other : *known) {
        if (other.parts != corner.parts || other.loss == corner.loss) continue;
        if (corner.parts.empty() || options_.allows_twins_of_truth) continue;
        fail(block.i, fmt::format("the same output has loss {} once and {} another time, with and "
                                  "without the loss in the maximisation or at other weights",
                                  other.loss, corner.loss));
      }
    }
    const auto is_same = [&](const Corner& other) {
      return other.parts == corner.parts && other.loss == corner.loss;
    };
    if (std::none_of(list.begin(), list.end(), is_same)) list.push_back(corner);
  }

  /// Without the loss; at the scores of the last question.
  void check_plain(Block& block) {
    Corner plain;
    oracle_->decode(block.i, theta_, Augment::kNone, plain);
    ++done_.calls;
    check_corner(block.i, plain);
    const auto score = [&](const Corner& output) { return -output.parts.dot(theta_.values()); };
    const double found = score(plain);
    double best = 0.0;
    for (const Corner& output : block.plain) best = std::max(best, score(output));
    remember(block, plain, block.plain);
    if (!plain.is_exact || best - found <= rounding_of(theta_, plain)) return;
    fail(block.i,
         fmt::format("without the loss it claims to be exact with <w, phi(y) - phi(truth)> "
                     "= {}, but an output that it returned has {}",
                     found, best));
  }

  void check_losses() const {
    bool has_outputs = false;
    for (const Block& block : blocks_) {
      for (const Corner& output : block.outputs) {
        if (output.loss > 0.0) return;
        has_outputs = has_outputs || !output.parts.empty();
      }
    }
    if (!has_outputs) return;
    fail(blocks_.front().i,
         "no output that it returned for any example has a loss, so w = 0 is optimal; does it "
         "set the loss of its answers?");
  }

  /// Moves w until nothing beats the truth of block i, to see its loss.
  void find_truth(Index i) {
    std::vector<double> w(dimension(), 0.0);
    Corner corner;
    for (int step = 0; step < kStepsToTruth; ++step) {
      ask(*oracle_, i, w, corner);
      check_corner(i, corner);
      if (corner.parts.empty()) {
        ++done_.truths_found;
        return;
      }
      const double length = oracle_->squared_norm(i, corner.parts);
      const double found = violation(corner.loss, corner.parts, theta_);
      if (!(length > 0.0)) return;  // no weights tell this output from the truth
      oracle_->scatter(i, corner.parts, (1.1 * found + 1e-3 * corner.loss) / length, w);
      for (const WeightGroup& group : problem_.weight_groups()) {
        if (!group.must_be_nonnegative) continue;
        for (Index j = group.begin; j < group.end; ++j) {
          double& x = w[static_cast<std::size_t>(j)];
          x = std::max(0.0, x);
        }
      }
    }
  }

  const Problem& problem_;
  const OracleCheckOptions& options_;
  std::unique_ptr<Oracle> oracle_;
  std::unique_ptr<Oracle> other_oracle_;
  Rng rng_;
  bool decodes_plainly_;
  bool has_costs_;
  std::vector<Block> blocks_;
  OracleCheck done_;
  PartScores theta_;   ///< of the last question
  PartScores scores_;  ///< of the last question, by score()
  std::vector<double> features_;
  Index features_left_;  ///< outputs whose features may still be written out
};

}  // namespace

OracleCheck check_oracle(const Problem& problem, const OracleCheckOptions& options) {
  return Checker(problem, options).run();
}

}  // namespace gapwise
