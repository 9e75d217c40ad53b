// Features of very different sizes: how they are scaled, what a model keeps of it.

#include <gtest/gtest.h>

#include <cmath>

#include "app/small_data.h"

namespace gapwise::internal {
namespace {

using testing::says;

constexpr int kFeatures = 6;

/// Points around two centres; the k-th value is multiplied by sizes[k].
Examples points(const std::vector<double>& sizes, const std::string& scale, std::uint64_t seed,
                std::string_view task = "multiclass") {
  Rng rng(seed);
  ExampleRows rows(task, {{"scale", scale}, {"bias", "yes"}});
  for (int i = 0; i < 80; ++i) {
    const bool is_first = rng.uniform() < 0.5;
    for (int k = 0; k < kFeatures; ++k) {
      const double x = (is_first == (k % 2 == 0) ? 1.0 : 0.0) + 2.0 * rng.uniform() - 1.0;
      rows.feature(k + 1, x * sizes[static_cast<std::size_t>(k)]);
    }
    rows.label(is_first ? "a" : "b");
    rows.end_example();
  }
  return rows.finish();
}

const std::vector<double> kAlike(kFeatures, 1.0);
const std::vector<double> kUnlike{0.0625, 1024.0, 1.0, 16384.0, 0.5, 128.0};  // no rounding

TrainOptions options() {
  TrainOptions options;
  options.lambda = Lambda::of(0.01);
  options.max_passes = 50;
  return options;
}

TEST(Scale, MakesTheUnitsOfFeaturesIrrelevant) {
  for (const char* task : {"multiclass", "multilabel"}) {
    for (const char* scale : {"range", "standard"}) {
      const Fit alike = fit(points(kAlike, scale, 1, task), options());
      const Fit unlike = fit(points(kUnlike, scale, 1, task), options());
      ASSERT_EQ(alike.report.w.size(), unlike.report.w.size());
      for (std::size_t j = 0; j < alike.report.w.size(); ++j) {
        EXPECT_NEAR(alike.report.w[j], unlike.report.w[j], 1e-9) << task << ' ' << scale;
      }
      const Metrics expected = alike.model.evaluate(points(kAlike, scale, 2, task));
      EXPECT_EQ(unlike.model.evaluate(points(kUnlike, "none", 2, task)), expected);
      const Model loaded = load_model_bytes(unlike.model.bytes());
      EXPECT_EQ(loaded.evaluate(points(kUnlike, "none", 2, task)), expected);
    }
  }
}

TEST(Scale, IsUndoneWhereWeightsAreShown) {
  const auto shown = [](const std::vector<double>& sizes) {
    std::map<std::string, double> weights;
    const Fit result = fit(points(sizes, "range", 1), options());
    const WeightTable table = result.model.top_weights(100).front();
    for (const auto& [name, weight] : table.rows) weights[name] = weight;
    return weights;
  };
  const auto alike = shown(kAlike);
  for (const auto& [name, weight] : shown(kUnlike)) {
    if (name == "bias") continue;
    const double size = kUnlike[static_cast<std::size_t>(std::stoi(name) - 1)];
    EXPECT_NEAR(weight * size, alike.at(name), 1e-9) << name;
  }
}

TEST(Scale, WorksForKernelsToo) {
  TrainOptions kernel = options();
  kernel.solver = "kernel-bcfw";
  kernel.kernel = KernelKind::kRbf;
  const Fit alike = fit(points(kAlike, "range", 1), kernel);
  const Fit unlike = fit(points(kUnlike, "range", 1), kernel);
  EXPECT_EQ(load_model_bytes(unlike.model.bytes()).evaluate(points(kUnlike, "none", 2)),
            alike.model.evaluate(points(kAlike, "none", 2)));
}

TEST(Scale, IsRecommendedOnlyWhereFeaturesDifferMuch) {
  EXPECT_TRUE(says(points(kUnlike, "none", 1).describe(), "differ by a factor of"));
  for (const Examples& fine : {points(kAlike, "none", 1), points(kUnlike, "range", 1)}) {
    EXPECT_EQ(fine.describe().find("differ"), std::string::npos) << fine.describe();
  }
}

TEST(Scale, LeavesZerosAndEmptyFeaturesAlone) {
  ExampleRows rows("multiclass", {{"scale", "standard"}});
  rows.feature(1, 0.0).feature(2, 1000.0).label("a").end_example();
  rows.feature(1, 0.0).label("b").end_example();
  const Fit result = fit(rows.finish(), options());
  for (const double x : result.report.w) EXPECT_TRUE(std::isfinite(x));
}

}  // namespace
}  // namespace gapwise::internal
