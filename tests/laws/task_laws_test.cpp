// What every task of the registry promises to the solvers, tested on a sample of its own data. A
// new task is covered by being registered.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <ostream>
#include <set>

#include "solve/training.h"
#include "support/identifier.h"
#include "support/problems.h"
#include "support/run_options.h"
#include "support/scratch_folder.h"
#include "support/stop_after_steps.h"
#include "support/task_sample.h"
#include "support/tasks_where.h"
#include "tasks/task.h"

namespace gapwise::internal {
namespace {

using testing::StopAfterSteps;

using Sample = testing::TaskSample;

/// What the oracle of a block says at some weights.
struct RandomOutput {
  Oracle& oracle;
  Index i;
  const std::vector<double>& w;
  const PartScores& theta;
  const Corner& corner;
};

/// Calls visit(output) for outputs of every block of a sample, found by
/// decoding at random weights, every second time with the loss.
template <class Visit>
void for_random_outputs(const std::string& task, int trials, Visit visit) {
  const Sample sample(task);
  const auto oracle = sample.problem().make_oracle();
  Rng rng(7);
  PartScores theta;
  Corner corner;
  for (int trial = 0; trial < trials; ++trial) {
    const auto w = testing::feasible_weights(sample.problem(), rng, trial % 3 == 0);
    for (Index i = 0; i < sample.problem().num_blocks(); ++i) {
      oracle->score(i, w, theta);
      oracle->decode(i, theta, trial % 2 == 0 ? Augment::kLoss : Augment::kNone, corner);
      visit(RandomOutput{*oracle, i, w, theta, corner});
    }
  }
}

class TaskLaws : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Every, TaskLaws, ::testing::ValuesIn(testing::all_tasks()),
                         [](const auto& test) { return testing::identifier(test.param); });

/// What a task offers beyond the max oracle.
struct Abilities {
  bool has_expectations = false;
  bool has_projection = false;
  bool has_kernel_inputs = false;
  bool needs_nonnegative = false;  ///< some weights must be >= 0
  bool has_factor_graphs = false;

  friend bool operator==(const Abilities&, const Abilities&) = default;
};

Abilities abilities_of(const std::string& task) {
  const Sample sample(task);
  const auto oracle = sample.problem().make_oracle();
  Abilities found;
  found.has_expectations = oracle->has_expectations();
  found.has_projection = oracle->has_projection();
  found.has_kernel_inputs = sample.problem().kernel_inputs() != nullptr;
  found.has_factor_graphs = sample.problem().factor_graphs() != nullptr;
  for (const WeightGroup& group : sample.problem().weight_groups()) {
    found.needs_nonnegative = found.needs_nonnegative || group.must_be_nonnegative;
  }
  return found;
}

void PrintTo(const Abilities& abilities, std::ostream* out) {
  *out << "{" << abilities.has_expectations << ", " << abilities.has_projection << ", "
       << abilities.has_kernel_inputs << ", " << abilities.needs_nonnegative << ", "
       << abilities.has_factor_graphs << "}";
}

/// So that no ability gets lost unseen; docs/design/capabilities.md has the same table.
TEST(TaskAbilities, AreThoseOfTheTable) {
  const std::map<std::string, Abilities> table{
      {"alignment", {.has_projection = true}},
      {"factor-graph", {.has_factor_graphs = true}},
      {"multiclass", {.has_expectations = true, .has_kernel_inputs = true}},
      {"multilabel", {.has_kernel_inputs = true, .has_factor_graphs = true}},
      {"parsing", {}},
      {"pose", {.needs_nonnegative = true}},
      {"segmentation", {.needs_nonnegative = true, .has_factor_graphs = true}},
      {"sequence", {.has_expectations = true, .has_kernel_inputs = true}},
  };
  for (const std::string& task : testing::all_tasks()) {
    ASSERT_TRUE(table.contains(task)) << "a new task '" << task << "' has no row in the table";
    EXPECT_EQ(abilities_of(task), table.at(task)) << task;
  }
}

/// Examples of 40 labels, more than are tried one by one.
std::string many_labels() {
  Rng rng(3);
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += std::to_string(i);
    for (int k = 0; k < 40; ++k) {
      if (k != i && rng.uniform() < 0.2) text += "," + std::to_string(k);
    }
    text += " 1:" + std::to_string(rng.uniform()) + " 2:" + std::to_string(rng.uniform()) + "\n";
  }
  return text;
}

/// The only task whose decoder is sometimes not exact unasked; its bounds keep gaps certified.
TEST(TaskAbilities, ManyLabelsComeWithUpperBounds) {
  const ScratchFolder folder;
  std::ofstream(folder.path("data"), std::ios::binary) << many_labels();
  const auto training =
      make_task_driver("multilabel")->read_training({folder.path("data"), "", ""}, Threads(1));
  const Problem& problem = training->problem();
  const auto oracle = problem.make_oracle();
  Rng rng(7);
  const std::vector<double> w = testing::random_weights(problem.dimension(), rng, false);
  PartScores theta;
  Corner corner;
  int inexact = 0;
  for (Index i = 0; i < problem.num_blocks(); ++i) {
    oracle->argmax(i, w, theta, corner);
    if (corner.is_exact) continue;
    ++inexact;
    ASSERT_TRUE(corner.upper_bound.has_value());
    EXPECT_GE(*corner.upper_bound, violation(corner.loss, corner.parts, theta) - 1e-9);
  }
  EXPECT_GT(inexact, 0) << "no decode was inexact, so no bound was seen";
}

/// B_i v written out.
std::vector<double> features(Oracle& oracle, Index i, const Parts& v, std::size_t dimension) {
  std::vector<double> out(dimension, 0.0);
  oracle.scatter(i, v, 1.0, out);
  return out;
}

TEST_P(TaskLaws, ScoresAndFeaturesAreAdjoint) {
  for_random_outputs(GetParam(), 6, [](const RandomOutput& at) {
    const auto& [oracle, i, w, theta, corner] = at;
    const double by_scores = corner.parts.dot(theta.values());
    const double by_features = testing::dot(w, features(oracle, i, corner.parts, w.size()));
    EXPECT_NEAR(by_scores, by_features, 1e-9 * (1.0 + std::abs(by_scores)));
    std::vector<Index> ids;
    for (const Part& part : corner.parts) ids.push_back(part.id);
    std::vector<double> some(ids.size());
    oracle.score_some(i, w, ids, some);
    for (std::size_t k = 0; k < ids.size(); ++k) {
      EXPECT_NEAR(some[k], theta[ids[k]], 1e-9 * (1.0 + std::abs(some[k]))) << "part " << ids[k];
    }
  });
}

TEST_P(TaskLaws, DescribedPartsHaveTheScoresOfTheOracle) {
  for_random_outputs(GetParam(), 4, [&](const RandomOutput& at) {
    const auto& [oracle, i, w, theta, corner] = at;
    std::vector<Index> ids;
    for (const Part& part : corner.parts) ids.push_back(part.id);
    PartRows rows;
    ASSERT_TRUE(oracle.describe(i, ids, rows));
    std::vector<double> scores(ids.size(), 0.0);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (const PartRows::Member& member : rows.members(row)) {
        for (const PartRows::Feature& feature : rows.features(row)) {
          const auto place = static_cast<std::size_t>(member.base + feature.offset);
          scores[member.part] += member.factor * feature.value * w[place];
        }
      }
    }
    for (std::size_t k = 0; k < ids.size(); ++k) {
      EXPECT_NEAR(scores[k], theta[ids[k]], 1e-9 * (1.0 + std::abs(scores[k])))
          << "part " << ids[k];
    }
  });
}

TEST_P(TaskLaws, NormsAndInnerProductsAreThoseOfTheFeatures) {
  std::map<Index, Parts> before;  // another output of the block
  int pairs = 0;
  for_random_outputs(GetParam(), 6, [&](const RandomOutput& at) {
    const auto& [oracle, i, w, theta, corner] = at;
    const auto a = features(oracle, i, corner.parts, w.size());
    const double norm = testing::dot(a, a);
    EXPECT_NEAR(oracle.squared_norm(i, corner.parts), norm, 1e-9 * (1.0 + norm));
    Parts mixed;  // not an output
    add_scaled(corner.parts, -0.3, corner.parts, mixed);
    EXPECT_NEAR(oracle.inner_product(i, corner.parts, mixed), 0.7 * norm, 1e-9 * (1.0 + norm));
    const Parts& other = before[i];
    if (!other.empty() && !(other == corner.parts)) {
      const auto b = features(oracle, i, other, w.size());
      const double inner = testing::dot(a, b);
      EXPECT_NEAR(oracle.inner_product(i, corner.parts, other), inner,
                  1e-9 * (1.0 + norm + testing::dot(b, b)));
      ++pairs;
    }
    before[i] = corner.parts;
  });
  EXPECT_GT(pairs, 0) << "no two different outputs of a block were seen";
}

TEST_P(TaskLaws, CostsOfPartsAddUpToTheLossWhereThereAreAny) {
  if (!abilities_of(GetParam()).has_expectations && !abilities_of(GetParam()).has_projection) {
    GTEST_SKIP() << GetParam() << " has neither expectations nor projections";
  }
  PartScores costs;
  for_random_outputs(GetParam(), 6, [&](const RandomOutput& at) {
    const auto& [oracle, i, w, theta, corner] = at;
    oracle.part_costs(i, costs);
    EXPECT_NEAR(-corner.parts.dot(costs.values()), corner.loss, 1e-12);
  });
}

/// The mean is the gradient of the log of the sum, up to its sign.
TEST_P(TaskLaws, ExpectationsAreSlopesWhereThereAreAny) {
  if (!abilities_of(GetParam()).has_expectations) {
    GTEST_SKIP() << GetParam() << " has no expectations";
  }
  constexpr double kStep = 1e-4;
  PartScores moved;
  Parts mean;
  Parts other;
  for_random_outputs(GetParam(), 2, [&](const RandomOutput& at) {
    Oracle& oracle = at.oracle;
    const Index i = at.i;
    const PartScores& theta = at.theta;
    const Corner& corner = at.corner;
    oracle.expect(i, theta, mean);
    const auto log_sum_at = [&](double step) {
      const std::span<double> logits = moved.resize(theta.values().size());
      std::copy(theta.values().begin(), theta.values().end(), logits.begin());
      for (const Part& part : corner.parts) {
        logits[static_cast<std::size_t>(part.id)] += step * part.value;
      }
      return oracle.expect(i, moved, other);
    };
    const double slope = (log_sum_at(kStep) - log_sum_at(-kStep)) / (2.0 * kStep);
    EXPECT_NEAR(slope, -mean.dot(corner.parts), 1e-5 * (1.0 + std::abs(slope)));
    EXPECT_LE(oracle.squared_norm(i, corner.parts),
              4.0 * oracle.radius(i) * oracle.radius(i) * (1.0 + 1e-12));
  });
}

/// No output lies farther than the projection in the direction in which the projection moved.
TEST_P(TaskLaws, ProjectionsAreNearestWhereThereAreAny) {
  if (!abilities_of(GetParam()).has_projection) {
    GTEST_SKIP() << GetParam() << " has no projections";
  }
  PartScores step;
  Parts to;
  Corner farthest;
  for_random_outputs(GetParam(), 6, [&](const RandomOutput& at) {
    const auto& [oracle, i, w, theta, from] = at;
    oracle.project(i, from.parts, theta, to);
    const std::span<double> beyond = step.resize(theta.values().size());
    std::copy(theta.values().begin(), theta.values().end(), beyond.begin());
    for (const Part& part : from.parts) beyond[static_cast<std::size_t>(part.id)] -= part.value;
    for (const Part& part : to) beyond[static_cast<std::size_t>(part.id)] += part.value;
    oracle.decode(i, step, Augment::kNone, farthest);
    EXPECT_NEAR(to.dot(step.values()), farthest.parts.dot(step.values()), 1e-8);
  });
}

TEST_P(TaskLaws, LossesAreNotNegativeAndTheTruthHasNone) {
  int wrong = 0;
  for_random_outputs(GetParam(), 6, [&](const RandomOutput& at) {
    const auto& [oracle, i, w, theta, corner] = at;
    EXPECT_GE(corner.loss, 0.0);
    if (corner.parts.empty()) {
      EXPECT_EQ(corner.loss, 0.0);
    }
    wrong += corner.loss > 0.0 ? 1 : 0;
  });
  EXPECT_GT(wrong, 0);
}

/// An exact decoder gives the best output of all, with and without the loss.
TEST_P(TaskLaws, NoOtherOutputBeatsTheDecodedOne) {
  std::map<Index, std::vector<Corner>> seen;
  for_random_outputs(GetParam(), 8, [&](const RandomOutput& at) {
    const auto& [oracle, i, w, theta, corner] = at;
    auto& others = seen[i];
    others.push_back(corner);
    Corner truth;
    truth.set_truth();
    others.push_back(truth);
    Corner best[2];
    oracle.decode(i, theta, Augment::kLoss, best[0]);
    oracle.decode(i, theta, Augment::kNone, best[1]);
    for (const double loss_weight : {1.0, 0.0}) {
      const Corner& top = best[loss_weight == 1.0 ? 0 : 1];
      const double found = violation(loss_weight * top.loss, top.parts, theta);
      for (const Corner& other : others) {
        const double value = violation(loss_weight * other.loss, other.parts, theta);
        if (top.is_exact) {
          EXPECT_GE(found, value - 1e-9 * (1.0 + std::abs(value)));
        }
        if (top.upper_bound && loss_weight == 1.0) {
          EXPECT_GE(*top.upper_bound, value - 1e-9 * (1.0 + std::abs(value)));
        }
      }
    }
  });
}

/// Vectors of parts in echelon form, each with its loss.
class LinearLoss {
 public:
  /// How far the loss is from what the outputs before say it must be; 0 if they say nothing.
  double mismatch(const Corner& corner) {
    std::map<Index, double> rest;
    for (const Part& part : corner.parts) rest[part.id] = part.value;
    double loss = corner.loss;
    for (const Row& row : rows_) {
      const auto at = rest.find(row.pivot);
      if (at == rest.end()) continue;
      const double factor = at->second;
      for (const auto& [id, value] : row.parts) rest[id] -= factor * value;
      loss -= factor * row.loss;
    }
    Row row;
    double largest = 0.0;
    for (const auto& [id, value] : rest) {
      if (std::abs(value) <= largest) continue;
      largest = std::abs(value);
      row.pivot = id;
    }
    if (largest < 1e-6) return std::abs(loss);
    for (const auto& [id, value] : rest) row.parts[id] = value / rest[row.pivot];
    row.loss = loss / rest[row.pivot];
    rows_.push_back(row);
    return 0.0;
  }

 private:
  struct Row {
    Index pivot = 0;
    std::map<Index, double> parts;
    double loss = 0.0;
  };
  std::vector<Row> rows_;
};

TEST_P(TaskLaws, LossIsLinearInTheParts) {
  std::map<Index, LinearLoss> losses;
  for_random_outputs(GetParam(), 40, [&](const RandomOutput& at) {
    const auto& [oracle, i, w, theta, corner] = at;
    EXPECT_LT(losses[i].mismatch(corner), 1e-6);
  });
}

TEST_P(TaskLaws, SolversAgreeOnTheOptimum) {
  const Sample sample(GetParam());
  double lower = 0.0;
  double upper = 1e300;
  for (const char* solver : {"auto", "bcfw", "bcpfw", "fw"}) {
    const Report report = train(sample.problem(), testing::options_to_gap(solver, 0.05));
    EXPECT_TRUE(report.reason == StopReason::kConverged || !report.progress.is_certified) << solver;
    lower = std::max(lower, report.progress.dual);
    if (report.progress.is_certified) upper = std::min(upper, *report.progress.primal);
  }
  EXPECT_LE(lower, upper * (1.0 + 1e-9));
}

TEST_P(TaskLaws, RunsResumeBitForBitAndDoNotDependOnThreads) {
  const Sample sample(GetParam());
  TrainOptions options;
  options.max_passes = 5;
  options.relative_gap = 0.0;
  options.threads = 1;
  const Report whole = train(sample.problem(), options);
  StopAfterSteps stopper(11);
  train(sample.problem(), options, stopper);
  options.threads = 2;
  Training rest(sample.problem(), options);
  rest.restore(stopper.saved, "checkpoint");
  Observer nobody;
  EXPECT_EQ(rest.run(nobody).w, whole.w);
}

/// All figures of merit in one: errors and distances count against it.
double merit(const Metrics& metrics) {
  double sum = 0.0;
  for (const Metric& metric : metrics) {
    sum += metric.better == Better::kLower ? -metric.value : metric.value;
  }
  return sum;
}

/// A model that kept all names takes other weights: what it read before is then judged, and what it
/// reads is predicted, as by a model of those weights.
TEST_P(TaskLaws, ModelsThatKeptAllNamesTakeOtherWeights) {
  const Sample sample(GetParam());
  const Sample other(GetParam(), 8, /*seed=*/2);
  const DataSource test{other.path, "", ""};
  const Threads threads(2);
  const auto predicted_by = [&](const Predictor& predictor) {
    std::string out;
    predictor.predict(test, threads, [&](std::string_view text) { out += text; });
    return out;
  };
  const std::vector<double> zero(static_cast<std::size_t>(sample.problem().dimension()), 0.0);
  const auto predictor = sample.driver->open(sample.training->make_model(zero, Keep::kAll));
  const auto batches = predictor->read(test, Purpose::kEvaluate);
  Rng rng(3);
  for (const bool small_integers : {true, false, true}) {
    const auto w = testing::feasible_weights(sample.problem(), rng, small_integers);
    predictor->set_weights(w);
    const auto fresh = sample.driver->open(sample.training->make_model(w));
    EXPECT_EQ(predictor->evaluate(batches, threads), fresh->evaluate(test, threads));
    EXPECT_EQ(predicted_by(*predictor), predicted_by(*fresh));
  }
}

TEST_P(TaskLaws, DriversKnowTheirOwnData) {
  Rng rng(1);
  const std::string text = make_task_driver(GetParam())->sample(20, rng);
  for (const std::string& task : testing::all_tasks()) {
    EXPECT_EQ(make_task_driver(task)->looks_familiar(text), task == GetParam()) << task;
  }
}

/// What is learned from a sample helps on another one, also after the model was written and read.
TEST_P(TaskLaws, WhatIsLearnedHelpsOnOtherData) {
  const Sample sample(GetParam(), 60);
  const Sample other(GetParam(), 60, /*seed=*/2);
  TrainOptions options;
  options.relative_gap = 0.05;
  options.max_passes = 100;
  options.threads = 1;
  const Report report = train(sample.problem(), options);
  const std::string path = sample.folder.path("model");
  save_model(sample.training->make_model(report.w), path);
  const auto metric = [&](ModelRecord model) {
    return sample.driver->open(std::move(model))->evaluate({other.path, "", ""}, Threads(1));
  };
  const Metrics trained = metric(load_model(path));
  const std::vector<double> zero(report.w.size(), 0.0);
  const Metrics untrained = metric(sample.training->make_model(zero));
  ASSERT_FALSE(trained.empty());
  EXPECT_GT(merit(trained), merit(untrained));
}

}  // namespace
}  // namespace gapwise::internal
