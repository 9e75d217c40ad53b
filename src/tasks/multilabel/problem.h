#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gapwise/option_table.h"
#include "gapwise/problem.h"
#include "tasks/multilabel/constraints.h"
#include "tasks/shared/feature_rows.h"
#include "tasks/shared/hamming_loss.h"
#include "tasks/shared/support_scorer.h"

namespace gapwise::internal {

/// Examples with any number of labels each, numbers only.
struct MultilabelData {
  FeatureRows inputs;              ///< one row per example
  std::vector<std::uint8_t> sets;  ///< sets[i * labels + l] is 1 if example i has label l, else 0
  Index attributes = 0;
  int labels = 0;
  std::vector<double> missed;    ///< how many times it counts to miss each label; empty: once
  std::vector<double> invented;  ///< and to find it where it is not; empty: once
  std::shared_ptr<const SetConstraints> constraints;  ///< null: all sets may be

  Index size() const { return static_cast<Index>(inputs.num_rows()); }
};

using MultilabelLoss = HammingLoss;

/// Which pairs of labels have a weight.
enum class Couplings { kNone, kBias };
constexpr std::array<std::string_view, 2> enum_names(Couplings) {
  return {"none", "bias"};
}

/// How the weights lie in w: each attribute owns one weight per label, next to each other; then
/// comes one for each pair of labels (infer/binary_pairs.h), which the input does not change.
struct MultilabelLayout {
  Index attributes = 0;
  int labels = 0;
  Couplings couplings = Couplings::kBias;

  Index pairs() const { return attributes * labels; }
  Index num_pairs() const {
    return couplings == Couplings::kNone ? 0 : Index{labels} * (labels - 1) / 2;
  }
  Index dimension() const { return pairs() + num_pairs(); }
};

/// Training problem of a model that finds sets of labels, among those that keep to the constraints
/// of the data. Parts are "label l is on" and, if there
/// are couplings, "labels l and l' are both on". InputError if the data do not fit together.
std::unique_ptr<Problem> make_multilabel_problem(std::shared_ptr<const MultilabelData> data,
                                                 Couplings couplings, MultilabelLoss loss);

/// Finds sets of labels with given weights; one per thread.
class MultilabelClassifier {
 public:
  /// With a kernel between inputs, the layout has no attributes.
  MultilabelClassifier(const MultilabelLayout& layout, Weights w,
                       std::shared_ptr<const SetConstraints> constraints = nullptr,
                       const std::optional<SupportScorer>& kernel = std::nullopt)
      : layout_(layout),
        w_(w),
        constraints_(std::move(constraints)),
        kernel_(kernel),
        on_(static_cast<std::size_t>(layout.labels)),
        decoder_(on_.size(), constraints_) {}

  /// For another thread, with scratch memory of its own.
  MultilabelClassifier(const MultilabelClassifier& other)
      : MultilabelClassifier(other.layout_, other.w_, other.constraints_, other.kernel_) {}
  MultilabelClassifier& operator=(const MultilabelClassifier&) = delete;

  /// What the labels of one row of `inputs` score, and their pairs; valid until the next call.
  BinaryPairScores scores(const FeatureRows& inputs, std::size_t row);
  /// 1 for each label of one row of `inputs`, 0 for the others; valid until the next call.
  std::span<const std::uint8_t> classify(const FeatureRows& inputs, std::size_t row);
  /// Whether no set scores more than the last one.
  bool is_proven() const { return is_proven_; }

 private:
  MultilabelLayout layout_;
  Weights w_;
  std::shared_ptr<const SetConstraints> constraints_;
  std::optional<SupportScorer> kernel_;
  std::vector<double> singles_;
  std::vector<std::uint8_t> on_;
  bool is_proven_ = false;
  SetDecoder decoder_;
};

}  // namespace gapwise::internal
