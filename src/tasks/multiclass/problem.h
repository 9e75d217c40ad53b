#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gapwise/problem.h"
#include "tasks/shared/feature_rows.h"
#include "tasks/shared/support_scorer.h"

namespace gapwise::internal {

/// Examples of which each belongs to one of several classes, numbers only.
struct MulticlassData {
  FeatureRows inputs;                ///< one row per example
  std::vector<std::int32_t> labels;  ///< the class of each example; -1: one the model does not know
  Index attributes = 0;
  int classes = 0;
  /// What it costs to predict class k where c is right: costs[c * classes + k], zero for k = c.
  /// Empty: 1 for every wrong class.
  std::vector<double> costs;

  Index size() const { return static_cast<Index>(labels.size()); }
};

/// The multiclass SVM of Crammer and Singer: phi(x, k) holds x at the weights of class k, and the
/// only parts of an example are "class k". Each attribute owns one weight per class, next to each
/// other: w[attribute * classes + k]. InputError if the data do not fit together.
std::unique_ptr<Problem> make_multiclass_problem(std::shared_ptr<const MulticlassData> data);

/// Finds the best class with given weights or a kernel; one per thread.
class MulticlassClassifier {
 public:
  MulticlassClassifier(int classes, Weights w)
      : w_(w), scores_(static_cast<std::size_t>(classes)) {}
  MulticlassClassifier(int classes, const SupportScorer& kernel)
      : kernel_(kernel), scores_(static_cast<std::size_t>(classes)) {}
  /// The class of one row of `inputs`, whose attributes are those of the weights; the smallest of
  /// several equally good ones.
  std::int32_t classify(const FeatureRows& inputs, std::size_t row);
  /// What each class scores; valid until the next call.
  std::span<const double> scores(const FeatureRows& inputs, std::size_t row);

 private:
  Weights w_;
  std::optional<SupportScorer> kernel_;
  std::vector<double> scores_;
};

}  // namespace gapwise::internal
