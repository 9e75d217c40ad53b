#include "tasks/multiclass/problem.h"

#include <gtest/gtest.h>

#include <limits>

#include "gapwise/errors.h"
#include "support/linear_map.h"
#include "support/problems.h"

namespace gapwise::internal {
namespace {

using testing::Classes;
using testing::ClassesSpec;
using testing::Decoding;
using testing::Inputs;

std::vector<ClassesSpec> all_specs() {
  std::vector<ClassesSpec> specs;
  for (const Inputs inputs : {Inputs::kBinary, Inputs::kSparse, Inputs::kDense}) {
    for (const bool has_costs : {false, true}) {
      for (const int classes : {2, 3, 9}) {
        specs.push_back({.classes = classes,
                         .inputs = inputs,
                         .has_costs = has_costs,
                         .seed = specs.size() + 1});
      }
    }
  }
  return specs;
}

double cost_of(const Classes& classes, std::int32_t truth, std::int32_t k) {
  const MulticlassData& data = *classes.data;
  if (data.costs.empty()) return truth == k ? 0.0 : 1.0;
  return data.costs[static_cast<std::size_t>(truth * data.classes + k)];
}

/// phi(x_i, k) written out from its definition.
std::vector<double> joint_features(const Classes& classes, Index i, std::int32_t k) {
  const MulticlassData& data = *classes.data;
  std::vector<double> phi(static_cast<std::size_t>(data.attributes * data.classes), 0.0);
  const FeatureRow row = data.inputs.row(static_cast<std::size_t>(i));
  for (std::size_t f = 0; f < row.size; ++f) {
    const std::size_t a = row.attributes != nullptr ? row.attributes[f] : f;
    phi[a * static_cast<std::size_t>(data.classes) + static_cast<std::size_t>(k)] +=
        row.values != nullptr ? row.values[f] : 1.0;
  }
  return phi;
}

TEST(MulticlassProblem, ArgmaxEqualsEnumerationAndTiesGoToTheSmallestClass) {
  for (const ClassesSpec& spec : all_specs()) {
    const Classes classes = testing::random_classes(spec);
    testing::for_random_decodings(*classes.problem, 40, [&](const Decoding& found, Oracle&) {
      const std::int32_t truth = classes.data->labels[static_cast<std::size_t>(found.i)];
      std::int32_t best = -1;
      double best_value = 0.0;
      for (std::int32_t k = 0; k < spec.classes; ++k) {
        const double score = testing::dot(found.w, joint_features(classes, found.i, k));
        ASSERT_NEAR(found.theta[k], score, 1e-12);
        const double value = score + (found.has_loss() ? cost_of(classes, truth, k) : 0.0);
        if (best < 0 || value > best_value + 1e-12) {
          best = k;
          best_value = value;
        }
      }
      Parts expected;
      if (best != truth) {
        expected.collect(truth, 1.0);
        expected.collect(best, -1.0);
        expected.normalize();
      }
      EXPECT_EQ(found.corner.parts, expected);
      EXPECT_EQ(found.corner.loss, cost_of(classes, truth, best));
      EXPECT_TRUE(found.corner.is_exact);
      if (found.has_loss()) return;
      MulticlassClassifier classifier(spec.classes, found.w);
      EXPECT_EQ(classifier.classify(classes.data->inputs, static_cast<std::size_t>(found.i)), best);
    });
  }
}

TEST(MulticlassProblem, ScoreDotScatterAndNormAreTheSameLinearMap) {
  for (const ClassesSpec& spec : all_specs()) {
    testing::expect_one_linear_map(*testing::random_classes(spec).problem, 30);
  }
}

TEST(MulticlassProblem, FingerprintTellsDataApart) {
  const auto first = testing::random_classes({.seed = 1}).problem->fingerprint();
  EXPECT_EQ(first, testing::random_classes({.seed = 1}).problem->fingerprint());
  EXPECT_NE(first, testing::random_classes({.seed = 2}).problem->fingerprint());
  EXPECT_NE(first, testing::random_classes({.has_costs = true}).problem->fingerprint());
}

TEST(MulticlassProblem, RefusesDataThatDoNotFitTogether) {
  const MulticlassData good = *testing::random_classes({.classes = 3}).data;
  const auto refuses = [](MulticlassData data) {
    EXPECT_THROW(make_multiclass_problem(std::make_shared<const MulticlassData>(std::move(data))),
                 InputError);
  };
  refuses({});
  MulticlassData data = good;
  data.labels[0] = 3;
  refuses(data);
  data.labels.pop_back();
  refuses(data);
  data = good;
  data.costs.assign(4, 0.0);
  refuses(data);
  for (const double cost : {-1.0, std::numeric_limits<double>::infinity()}) {
    data.costs.assign(9, 0.0);
    data.costs[1] = cost;
    refuses(data);
  }
  data.costs.assign(9, 1.0);
  refuses(data);
}

}  // namespace
}  // namespace gapwise::internal
