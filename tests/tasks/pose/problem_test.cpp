#include "tasks/pose/problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gapwise/errors.h"
#include "support/problems.h"

namespace gapwise::internal {
namespace {

constexpr Index kMaps = 2;

struct Figures {
  std::shared_ptr<PoseData> data = std::make_shared<PoseData>();
  PoseSettings settings;
  std::unique_ptr<Problem> problem;
};

/// Figures of three joints on a grid that is small enough for enumeration.
Figures random_figures(PoseLoss loss, bool has_springs, std::uint64_t seed) {
  Rng rng(seed);
  Figures result;
  PoseData& data = *result.data;
  data.grid = {static_cast<std::int32_t>(2 + rng.below(2)),
               static_cast<std::int32_t>(1 + rng.below(3))};
  data.skeleton = {PartTree({1, -1, 1}), {0, 2}};
  for (int i = 0; i < 5; ++i) {
    for (std::int32_t cell = 0; cell < data.grid.cells(); ++cell) {
      if (rng.below(3) == 0) continue;
      data.cells.push_back(cell);
      for (std::uint32_t map = 0; map < kMaps; ++map) {
        if (rng.below(3) > 0) data.maps.add(map, static_cast<double>(rng.below(5)) / 2.0);
      }
      data.maps.end_row();
    }
    data.cell_starts.push_back(data.cells.size());
    for (int j = 0; j < 3; ++j) {
      data.joints.push_back(
          {rng.uniform() * data.grid.width - 0.5, rng.uniform() * data.grid.height - 0.5});
    }
  }
  data.maps.finish(kMaps);
  result.settings = {{kMaps, 3, has_springs}, measure_rest(data), loss, 0.7};
  result.problem = make_pose_problem(result.data, result.settings);
  return result;
}

using Cells = std::vector<std::int32_t>;

Cells truth_of(const Figures& figures, Index i) {
  Cells cells;
  for (const GridPoint& joint : figures.data->joints_of(i)) {
    cells.push_back(cell_at(figures.data->grid, joint));
  }
  return cells;
}

/// phi(x_i, y) written out from its definition.
std::vector<double> joint_features(const Figures& figures, Index i, const Cells& y) {
  const PoseData& data = *figures.data;
  const PoseLayout& layout = figures.settings.layout;
  std::vector<double> phi(static_cast<std::size_t>(layout.dimension()), 0.0);
  const auto at = static_cast<std::size_t>(i);
  for (std::size_t j = 0; j < y.size(); ++j) {
    for (std::size_t r = data.cell_starts[at]; r < data.cell_starts[at + 1]; ++r) {
      if (data.cells[r] != y[j]) continue;
      const FeatureRow row = data.maps.row(r);
      for (std::size_t f = 0; f < row.size; ++f) {
        const std::size_t map = row.attributes != nullptr ? row.attributes[f] : f;
        phi[j * kMaps + map] += row.values != nullptr ? row.values[f] : 1.0;
      }
    }
  }
  Index spring = 0;
  for (std::size_t j = 0; j < y.size() && layout.has_springs; ++j) {
    if (data.skeleton.tree.parent(j) < 0) continue;
    const std::int32_t parent = y[static_cast<std::size_t>(data.skeleton.tree.parent(j))];
    const Rest& rest = figures.settings.rest[j];
    const double x = (data.grid.x_of(y[j]) - data.grid.x_of(parent) - rest.x.mean) / rest.x.spread;
    const double y_away =
        (data.grid.y_of(y[j]) - data.grid.y_of(parent) - rest.y.mean) / rest.y.spread;
    const auto linear = static_cast<std::size_t>(layout.linear(spring));
    const auto square = static_cast<std::size_t>(layout.square(spring));
    phi[linear] = -x;
    phi[linear + 1] = -y_away;
    phi[square] = -x * x;
    phi[square + 1] = -y_away * y_away;
    ++spring;
  }
  return phi;
}

double loss_of(const Figures& figures, Index i, const Cells& y) {
  const PoseData& data = *figures.data;
  const double radius = figures.settings.threshold * data.skeleton.torso_size(data.joints_of(i));
  const Cells truth = truth_of(figures, i);
  double loss = 0.0;
  for (std::size_t j = 0; j < y.size(); ++j) {
    const double away = std::hypot(data.grid.x_of(y[j]) - data.grid.x_of(truth[j]),
                                   data.grid.y_of(y[j]) - data.grid.y_of(truth[j]));
    if (away == 0.0) continue;
    const bool is_far = away > radius;
    loss += figures.settings.loss == PoseLoss::kPdj ? (is_far ? 1.0 : 0.0)
                                                    : (is_far ? 1.0 : away / radius);
  }
  return loss / static_cast<double>(y.size());
}

std::vector<double> random_weights(const Figures& figures, Rng& rng, bool small_integers) {
  auto w = testing::random_weights(figures.problem->dimension(), rng, small_integers);
  for (auto k = static_cast<std::size_t>(figures.settings.layout.square(0)); k < w.size(); ++k) {
    w[k] = std::abs(w[k]);
  }
  return w;
}

TEST(PoseProblem, DecodesAsWellAsEnumerationWithAndWithoutLoss) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Figures figures =
        random_figures(seed % 2 == 0 ? PoseLoss::kPdj : PoseLoss::kDistance, seed % 3 != 0, seed);
    const auto oracle = figures.problem->make_oracle();
    Rng rng(seed);
    PartScores theta;
    Corner corner;
    for (int trial = 0; trial < 6; ++trial) {
      const auto w = random_weights(figures, rng, trial % 2 == 0);
      const Index i = rng.below(figures.problem->num_blocks());
      const double truth_score = testing::dot(w, joint_features(figures, i, truth_of(figures, i)));
      oracle->score(i, w, theta);
      for (const double loss_weight : {1.0, 0.0}) {
        double best = -std::numeric_limits<double>::infinity();
        testing::for_each_labelling(3, figures.data->grid.cells(), [&](const Cells& y) {
          best = std::max(best, testing::dot(w, joint_features(figures, i, y)) - truth_score +
                                    loss_weight * loss_of(figures, i, y));
        });
        oracle->decode(i, theta, loss_weight == 1.0 ? Augment::kLoss : Augment::kNone, corner);
        EXPECT_NEAR(violation(loss_weight * corner.loss, corner.parts, theta), best, 1e-9)
            << "seed " << seed << ", trial " << trial;
        EXPECT_TRUE(corner.is_exact);
      }
    }
  }
}

TEST(PoseProblem, FindsTheSameCellsWithoutAProblem) {
  for (const bool has_springs : {true, false}) {
    const Figures figures = random_figures(PoseLoss::kDistance, has_springs, 5);
    const auto oracle = figures.problem->make_oracle();
    Rng rng(2);
    PartScores theta;
    Corner corner;
    for (Index i = 0; i < figures.problem->num_blocks(); ++i) {
      const auto w = random_weights(figures, rng, false);
      PoseFinder finder(figures.settings.layout, figures.settings.rest, w);
      const auto cells = finder.find(*figures.data, i);
      const Cells found(cells.begin(), cells.end());
      oracle->score(i, w, theta);
      oracle->decode(i, theta, Augment::kNone, corner);
      std::vector<double> psi(w.size(), 0.0);
      oracle->scatter(i, corner.parts, 1.0, psi);
      const auto right = joint_features(figures, i, truth_of(figures, i));
      const auto mine = joint_features(figures, i, found);
      for (std::size_t k = 0; k < psi.size(); ++k) EXPECT_NEAR(psi[k], right[k] - mine[k], 1e-9);
      EXPECT_NEAR(corner.loss, loss_of(figures, i, found), 1e-12);
    }
  }
}

TEST(PoseProblem, NamesTheWeightsThatMustNotBeNegative) {
  const Figures figures = random_figures(PoseLoss::kDistance, true, 1);
  Index protected_weights = 0;
  for (const WeightGroup& group : figures.problem->weight_groups()) {
    if (group.must_be_nonnegative) protected_weights += group.end - group.begin;
  }
  EXPECT_EQ(protected_weights, 4);
  EXPECT_EQ(figures.problem->dimension(), 3 * kMaps + 8);
  EXPECT_EQ(random_figures(PoseLoss::kDistance, false, 1).problem->dimension(), 3 * kMaps);
}

TEST(PoseProblem, BearsAFigureWithoutSize) {
  Figures figures = random_figures(PoseLoss::kDistance, true, 1);
  for (GridPoint& joint : figures.data->joints) joint = {0.0, 0.0};
  const auto problem = make_pose_problem(figures.data, figures.settings);
  const auto oracle = problem->make_oracle();
  PartScores theta;
  Corner corner;
  const std::vector<double> zero(static_cast<std::size_t>(problem->dimension()), 0.0);
  oracle->argmax(0, zero, theta, corner);
  EXPECT_NEAR(corner.loss, 1.0, 1e-12);
}

TEST(PoseProblem, RefusesDataThatDoNotFitTogether) {
  const auto refuses = [](auto spoil) {
    Figures figures = random_figures(PoseLoss::kDistance, true, 1);
    spoil(*figures.data, figures.settings);
    EXPECT_THROW(make_pose_problem(figures.data, figures.settings), InputError);
  };
  refuses([](PoseData& data, PoseSettings&) { data = PoseData{}; });
  refuses([](PoseData& data, PoseSettings&) { data.joints.pop_back(); });
  refuses([](PoseData& data, PoseSettings&) { data.joints[3].x = -0.6; });
  refuses([](PoseData& data, PoseSettings&) { data.joints[3].y = data.grid.height - 0.5; });
  refuses([](PoseData& data, PoseSettings&) {
    data.joints[0].x = std::numeric_limits<double>::quiet_NaN();
  });
  refuses([](PoseData& data, PoseSettings&) { data.cells[0] = data.grid.cells(); });
  refuses([](PoseData& data, PoseSettings&) { data.cells[1] = data.cells[0]; });
  refuses([](PoseData& data, PoseSettings&) { data.cells.pop_back(); });
  refuses([](PoseData&, PoseSettings& settings) { settings.rest.pop_back(); });
  refuses([](PoseData&, PoseSettings& settings) { settings.layout.joints = 2; });
}

TEST(PoseProblem, FingerprintChangesWithTheDataAndTheLoss) {
  const auto fingerprint = [](PoseLoss loss, std::uint64_t seed) {
    return random_figures(loss, true, seed).problem->fingerprint();
  };
  EXPECT_EQ(fingerprint(PoseLoss::kPdj, 1), fingerprint(PoseLoss::kPdj, 1));
  EXPECT_NE(fingerprint(PoseLoss::kPdj, 1), fingerprint(PoseLoss::kPdj, 2));
  EXPECT_NE(fingerprint(PoseLoss::kPdj, 1), fingerprint(PoseLoss::kDistance, 1));
}

TEST(PoseRest, IsTheMeanDisplacementInUnitsOfThreeDeviations) {
  PoseData data;
  data.grid = {30, 30};
  data.skeleton = {PartTree({-1, 0}), {0, 1}};
  data.cell_starts = {0, 0, 0};
  data.joints = {{5.0, 5.0}, {7.0, 5.0}, {5.0, 5.0}, {13.0, 5.0}};
  const auto rest = measure_rest(data);
  EXPECT_DOUBLE_EQ(rest[1].x.mean, 5.0);
  EXPECT_DOUBLE_EQ(rest[1].x.spread, 9.0);
  EXPECT_DOUBLE_EQ(rest[1].y.mean, 0.0);
  EXPECT_DOUBLE_EQ(rest[1].y.spread, 1.0);
}

}  // namespace
}  // namespace gapwise::internal
