#include "gapwise/argmax_problem.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/decorated_problem.h"
#include "core/plain_decode.h"
#include "gapwise/errors.h"

namespace gapwise {

namespace {

class ArgmaxOracle final : public Oracle {
 public:
  ArgmaxOracle(Index dimension, const ArgmaxFunctions& functions)
      : dimension_(dimension), functions_(functions) {}

  void score(Index, Weights w, PartScores& theta) override { theta.look_at(w); }

  void decode(Index i, const PartScores& theta, Augment augment, Corner& out) override {
    if (augment == Augment::kNone && !functions_.predict) {
      throw OracleError(
          "this problem has no argmax without the loss (predict); give make_argmax_problem one");
    }
    out.set_truth();
    const auto& argmax = augment == Augment::kLoss ? functions_.argmax : functions_.predict;
    argmax(i, theta.values(), out);
    out.parts.normalize();
    check(i, out);
  }

  Index batch_size() const override { return functions_.batch ? functions_.batch_size : 1; }

  void prepare(std::span<const Index> blocks, Weights w) override {
    blocks_.assign(blocks.begin(), blocks.end());
    next_ = 0;
    if (blocks_.empty()) return;
    answers_.resize(std::max(answers_.size(), blocks_.size()));
    const auto answers = std::span(answers_).first(blocks_.size());
    for (Corner& answer : answers) answer.set_truth();
    functions_.batch(blocks_, w, answers);
    for (std::size_t k = 0; k < answers.size(); ++k) {
      answers[k].parts.normalize();
      check(blocks_[k], answers[k]);
    }
  }

  void argmax(Index i, Weights w, PartScores& theta, Corner& out) override {
    score(i, w, theta);
    if (next_ < blocks_.size() && blocks_[next_] == i) {
      std::swap(out, answers_[next_++]);
    } else {
      decode(i, theta, Augment::kLoss, out);
    }
  }

  void score_some(Index, Weights w, std::span<const Index> ids, std::span<double> out) override {
    for (std::size_t k = 0; k < ids.size(); ++k) out[k] = w[static_cast<std::size_t>(ids[k])];
  }

  bool describe(Index, std::span<const Index> ids, PartRows& out) override {
    for (std::size_t k = 0; k < ids.size(); ++k) out.add_weight(k, ids[k]);
    return true;
  }

  void scatter(Index, const Parts& v, double scale, MutableWeights w) override {
    for (const Part& part : v) w[static_cast<std::size_t>(part.id)] += scale * part.value;
  }

  double squared_norm(Index, const Parts& v) override { return v.dot(v); }

  double inner_product(Index, const Parts& u, const Parts& v) override { return u.dot(v); }

 private:
  void check(Index i, const Corner& corner) const {
    const auto fail = [i](const std::string& what) {
      throw OracleError("the argmax of block " + std::to_string(i) + " returned " + what);
    };
    if (!std::isfinite(corner.loss) || corner.loss < 0.0) {
      fail("loss " + std::to_string(corner.loss) + "; a loss is finite and >= 0");
    }
    for (const Part& part : corner.parts) {
      if (part.id < 0 || part.id >= dimension_) {
        fail("feature " + std::to_string(part.id) + "; the dimension is " +
             std::to_string(dimension_));
      }
      if (!std::isfinite(part.value)) {
        fail("a value that is not finite for feature " + std::to_string(part.id));
      }
    }
  }

  Index dimension_;
  const ArgmaxFunctions& functions_;
  std::vector<Index> blocks_;  ///< that were prepared
  std::vector<Corner> answers_;
  std::size_t next_ = 0;  ///< of them, to be asked about
};

class ArgmaxProblem final : public Problem {
 public:
  ArgmaxProblem(Index num_blocks, Index dimension, ArgmaxFunctions functions)
      : num_blocks_(num_blocks), dimension_(dimension), functions_(std::move(functions)) {
    if (num_blocks < 1 || dimension < 1) {
      throw OracleError("a problem needs at least one block and one feature, not " +
                        std::to_string(num_blocks) + " and " + std::to_string(dimension));
    }
    if (functions_.batch_size < 1) {
      throw OracleError("the batch size of a problem is " + std::to_string(functions_.batch_size) +
                        "; it is at least 1");
    }
  }

  Index num_blocks() const override { return num_blocks_; }
  Index dimension() const override { return dimension_; }
  bool has_plain_decode() const { return functions_.predict != nullptr; }
  std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<ArgmaxOracle>(dimension_, functions_);
  }
  double oracle_cost() const override {
    // A combinatorial solver of the user's own: slow, as far as anybody knows.
    return 100.0 * static_cast<double>(dimension_);
  }
  std::uint64_t fingerprint() const override {
    // All that can be told of a user's function.
    return static_cast<std::uint64_t>(num_blocks_) * 0x9e3779b97f4a7c15ULL ^
           static_cast<std::uint64_t>(dimension_);
  }

 private:
  Index num_blocks_;
  Index dimension_;
  ArgmaxFunctions functions_;
};

}  // namespace

std::unique_ptr<Problem> make_argmax_problem(Index num_blocks, Index dimension,
                                             ArgmaxFunctions functions) {
  return std::make_unique<ArgmaxProblem>(num_blocks, dimension, std::move(functions));
}

std::unique_ptr<Problem> make_argmax_problem(Index num_blocks, Index dimension,
                                             ArgmaxFunction argmax, ArgmaxFunction predict) {
  return make_argmax_problem(
      num_blocks, dimension,
      ArgmaxFunctions{.argmax = std::move(argmax), .predict = std::move(predict)});
}

bool internal::has_plain_decode(const Problem& problem) {
  if (const auto* const outer = dynamic_cast<const internal::DecoratedProblem*>(&problem)) {
    return has_plain_decode(outer->inner());
  }
  const auto* const own = dynamic_cast<const ArgmaxProblem*>(&problem);
  return own == nullptr || own->has_plain_decode();
}

}  // namespace gapwise
