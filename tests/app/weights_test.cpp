// Weights of examples from the outside: fits, proofs, paths and folds.

#include <gtest/gtest.h>

#include <cmath>

#include "app/small_data.h"

namespace gapwise::internal {
namespace {

using testing::proven_run;
using testing::samples;
using testing::says;

std::vector<double> some_weights(Index n) {
  std::vector<double> weights;
  for (Index i = 0; i < n; ++i) weights.push_back(0.25 * static_cast<double>(1 + i % 7));
  return weights;
}

TEST(ExampleWeights, AreAHandleOfTheSameExamples) {
  ScratchFolder folder;
  const Examples plain = samples(folder, "sequence", 6);
  EXPECT_TRUE(plain.weights().empty());
  const Examples weighted = plain.with_weights(some_weights(6));
  EXPECT_EQ(weighted.weights()[3], 1.0);
  EXPECT_EQ(weighted.size(), 6);
  EXPECT_NE(weighted.problem().fingerprint(), plain.problem().fingerprint());
  EXPECT_TRUE(weighted.with_weights({}).weights().empty());
  EXPECT_THROW(plain.with_weights({1.0}), OptionError);
}

TEST(ExampleWeights, AreProvenForEveryTaskAndForBothHinges) {
  ScratchFolder folder;
  for (const std::string_view task : task_names()) {
    const Examples plain = samples(folder, task, 8);
    const Examples weighted = plain.with_weights(some_weights(8));
    for (const std::string_view solver : {"auto", "bcfw", "dcd"}) {
      SCOPED_TRACE(std::string(task) + ", " + std::string(solver));
      const Fit done = fit(weighted, proven_run(solver));
      const std::string proof = folder.path("proof");
      testing::expect_proof(done, weighted, proof);
      EXPECT_THROW(verify(done.model, proof, plain, 1), InputError);
      EXPECT_EQ(done.model.settings().count("example_weights"), 1U);
    }
  }
}

TEST(ExampleWeights, CountInTheTrainingLoss) {
  ScratchFolder folder;
  const Examples plain = samples(folder, "multiclass", 20);
  const Examples doubled = plain.with_weights(std::vector<double>(20, 2.0));
  TrainOptions options = proven_run("auto");
  options.relative_gap = 1e-6;
  options.max_passes = 10'000;
  const Fit twice = fit(doubled, options);
  options.lambda = Lambda::of(0.025);  // half of everything
  const Fit once = fit(plain, options);
  EXPECT_NEAR(*twice.report.progress.primal, 2.0 * *once.report.progress.primal, 1e-5);
  EXPECT_NEAR(*twice.train_loss, 2.0 * *once.train_loss, 1e-9);
}

TEST(ExampleWeights, NeedNoPlainArgmax) {
  std::shared_ptr<const Problem> own =
      make_argmax_problem(3, 1, [](Index i, Weights w, Corner& corner) {
        const double psi = i < 2 ? 1.0 : -1.0;
        if (w[0] * psi >= 1.0) return;
        corner.parts.append(0, psi);
        corner.loss = 1.0;
      });
  const Examples plain(std::move(own));
  const Fit done = fit(plain.with_weights({1.0, 1.0, 9.0}), proven_run("bcfw"));
  EXPECT_LT(done.report.w[0], 0.0);
  EXPECT_FALSE(done.train_loss);
}

TEST(ExampleWeights, GoIntoPathsAndFolds) {
  ScratchFolder folder;
  const Examples weighted = samples(folder, "sequence", 10).with_weights(some_weights(10));
  PathSettings settings;
  settings.epsilon = 0.05;
  settings.lambda_min = 1e-2;
  TrainOptions options;
  options.threads = 1;
  const Path path = fit_path(weighted, options, settings);
  for (const double lambda : {3.0, 0.5, 0.05}) {
    TrainOptions single;
    single.lambda = Lambda::of(lambda);
    single.relative_gap = 1e-6;
    single.threads = 1;
    const Progress best = fit(weighted, single).report.progress;
    const PathValue value = path.at(lambda);
    EXPECT_LE(value.dual, *best.primal + 1e-9) << lambda;
    EXPECT_GE(value.primal, best.dual - 1e-9) << lambda;
    EXPECT_LE(value.primal - best.dual, 0.05 + 1e-6) << lambda;
  }
  options.lambda.is_auto = true;
  EXPECT_NO_THROW(fit(weighted, options));
}

}  // namespace
}  // namespace gapwise::internal
