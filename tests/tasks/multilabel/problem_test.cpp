#include "tasks/multilabel/problem.h"

#include <gtest/gtest.h>

#include "gapwise/errors.h"
#include "support/linear_map.h"
#include "support/problems.h"

namespace gapwise::internal {
namespace {

using testing::Decoding;
using testing::Inputs;
using Set = std::vector<std::uint8_t>;

struct Spec {
  Index examples = 6;
  int labels = 4;
  std::uint32_t attributes = 5;
  Inputs inputs = Inputs::kSparse;
  Couplings couplings = Couplings::kBias;
  MultilabelLoss loss = MultilabelLoss::kHamming;
  std::uint64_t seed = 1;
  bool has_costs = false;  ///< of each label
  std::size_t most = 0;    ///< labels of an example; 0: any number
};

struct Sets {
  Spec spec;
  std::shared_ptr<const MultilabelData> data;
  std::unique_ptr<Problem> problem;

  MultilabelLayout layout() const { return {data->attributes, data->labels, spec.couplings}; }
  Set truth(Index i) const {
    const auto begin = data->sets.begin() + i * data->labels;
    return {begin, begin + data->labels};
  }
};

Sets random_sets(const Spec& spec) {
  Rng rng(spec.seed);
  auto data = std::make_shared<MultilabelData>();
  for (Index i = 0; i < spec.examples; ++i) {
    for (std::uint32_t a = 0; a < spec.attributes; ++a) {
      const double value = std::floor(rng.uniform() * 9.0 - 4.0) / 2.0;
      if (spec.inputs == Inputs::kDense) {
        data->inputs.add(a, value + 0.25);
      } else if (rng.uniform() < 0.6) {
        data->inputs.add(a, spec.inputs == Inputs::kBinary ? 1.0 : value);
      }
    }
    data->inputs.end_row();
    std::size_t count = 0;
    for (int l = 0; l < spec.labels; ++l) {
      const bool is_on = rng.uniform() < 0.4 && (spec.most == 0 || count < spec.most);
      data->sets.push_back(is_on ? 1 : 0);
      count += is_on ? 1 : 0;
    }
  }
  data->inputs.finish(spec.attributes);
  data->attributes = spec.attributes;
  data->labels = spec.labels;
  if (spec.most > 0) {
    auto constraints = std::make_shared<SetConstraints>();
    constraints->rules.push_back({SetRule::Kind::kAtMost, spec.most, {}});
    for (int l = 0; l < spec.labels; ++l) {
      constraints->rules[0].labels.push_back(static_cast<std::size_t>(l));
    }
    constraints->lines = {"at-most"};
    data->constraints = constraints;
  }
  for (int l = 0; l < spec.labels && spec.has_costs; ++l) {
    data->missed.push_back(0.25 * static_cast<double>(1 + rng.below(12)));
    data->invented.push_back(0.25 * static_cast<double>(1 + rng.below(12)));
  }
  return {spec, data, make_multilabel_problem(data, spec.couplings, spec.loss)};
}

std::vector<Spec> all_specs() {
  std::vector<Spec> specs;
  for (const Inputs inputs : {Inputs::kBinary, Inputs::kSparse, Inputs::kDense}) {
    for (const Couplings couplings : {Couplings::kNone, Couplings::kBias}) {
      for (const int labels : {1, 2, 5, 9}) {
        specs.push_back({.labels = labels,
                         .inputs = inputs,
                         .couplings = couplings,
                         .loss = static_cast<MultilabelLoss>(specs.size() % 2),
                         .seed = specs.size() + 1,
                         .has_costs = specs.size() % 3 == 0,
                         .most = labels > 2 && inputs != Inputs::kBinary ? std::size_t{2} : 0});
      }
    }
  }
  return specs;
}

/// phi(x_i, y) written out from its definition.
std::vector<double> joint_features(const Sets& sets, Index i, const Set& y) {
  const MultilabelLayout layout = sets.layout();
  std::vector<double> phi(static_cast<std::size_t>(layout.dimension()), 0.0);
  const FeatureRow row = sets.data->inputs.row(static_cast<std::size_t>(i));
  for (std::size_t l = 0; l < y.size(); ++l) {
    for (std::size_t f = 0; f < row.size && y[l] == 1; ++f) {
      const std::size_t a = row.attributes != nullptr ? row.attributes[f] : f;
      phi[a * y.size() + l] += row.values != nullptr ? row.values[f] : 1.0;
    }
  }
  auto next = phi.begin() + layout.pairs();
  for (std::size_t a = 0; a < y.size() && layout.num_pairs() > 0; ++a) {
    for (std::size_t b = a + 1; b < y.size(); ++b) *next++ += y[a] * y[b];
  }
  return phi;
}

double loss_of(const Sets& sets, Index i, const Set& y) {
  const Set truth = sets.truth(i);
  double wrong = 0.0;
  for (std::size_t l = 0; l < y.size(); ++l) {
    if (y[l] == truth[l]) continue;
    wrong += !sets.spec.has_costs ? 1.0
             : truth[l] == 1      ? sets.data->missed[l]
                                  : sets.data->invented[l];
  }
  return sets.spec.loss == MultilabelLoss::kHamming ? wrong : wrong / sets.spec.labels;
}

/// The best value over all label sets, and the first of the best sets.
struct Best {
  double value = 0.0;
  Set y;
};
Best enumerate(const Sets& sets, Index i, const std::vector<double>& w, Augment augment) {
  Best best;
  testing::for_each_labelling(sets.spec.labels, 2, [&](const std::vector<std::int32_t>& labels) {
    const Set y(labels.begin(), labels.end());
    if (sets.data->constraints && first_broken(sets.data->constraints->rules, y)) return;
    const double value = testing::dot(w, joint_features(sets, i, y)) +
                         (augment == Augment::kLoss ? loss_of(sets, i, y) : 0.0);
    if (best.y.empty() || value > best.value + 1e-10) best = {value, y};
  });
  return best;
}

TEST(MultilabelProblem, ArgmaxEqualsEnumerationAndTiesGoToTheFirstSet) {
  for (const Spec& spec : all_specs()) {
    const Sets sets = random_sets(spec);
    testing::for_random_decodings(*sets.problem, 12, [&](const Decoding& found, Oracle& oracle) {
      const auto& [i, w, augment, theta, corner] = found;
      const auto phi_truth = joint_features(sets, i, sets.truth(i));
      const Best best = enumerate(sets, i, w, augment);
      const auto phi_best = joint_features(sets, i, best.y);
      ASSERT_TRUE(corner.is_exact);
      ASSERT_NEAR(corner.loss, loss_of(sets, i, best.y), 1e-12);
      ASSERT_NEAR(found.value(), best.value - testing::dot(w, phi_truth), 1e-9);
      std::vector<double> psi(w.size(), 0.0);
      oracle.scatter(i, corner.parts, 1.0, psi);
      for (std::size_t j = 0; j < w.size(); ++j) {
        ASSERT_NEAR(psi[j], phi_truth[j] - phi_best[j], 1e-12);
      }
      if (found.has_loss()) return;
      MultilabelClassifier classifier(sets.layout(), w, sets.data->constraints);
      const auto on = classifier.classify(sets.data->inputs, static_cast<std::size_t>(i));
      ASSERT_EQ(Set(on.begin(), on.end()), best.y);
    });
  }
}

TEST(MultilabelProblem, ScoreDotScatterAndNormAreTheSameLinearMap) {
  for (const Spec& spec : all_specs()) {
    testing::expect_one_linear_map(*random_sets(spec).problem, 20);
  }
}

/// More labels than can be enumerated.
struct ManyLabels {
  explicit ManyLabels(std::uint64_t seed)
      : sets(random_sets({.examples = 3, .labels = 40, .seed = seed})),
        oracle(sets.problem->make_oracle()),
        rng(seed + 2) {}

  Sets sets;
  std::unique_ptr<Oracle> oracle;
  Rng rng;
  PartScores theta;
  Corner corner;
};

TEST(MultilabelProblem, SaysHowMuchItMayHaveMissed) {
  // Labels that fight each other: the bound must hold for every set seen.
  ManyLabels many(3);
  auto& [sets, oracle, rng, theta, corner] = many;
  Corner other;
  int inexact = 0;
  for (int trial = 0; trial < 6; ++trial) {
    const auto w = testing::random_weights(sets.problem->dimension(), rng, trial % 2 == 0);
    for (Index i = 0; i < 3; ++i) {
      oracle->argmax(i, w, theta, corner);
      const double found = violation(corner.loss, corner.parts, theta);
      EXPECT_GE(found, -1e-9) << "worse than the truth";
      if (corner.is_exact) continue;
      ++inexact;
      ASSERT_TRUE(corner.upper_bound);
      EXPECT_GE(*corner.upper_bound, found - 1e-9);
      PartScores elsewhere;
      oracle->score(i, testing::random_weights(sets.problem->dimension(), rng, false), elsewhere);
      oracle->decode(i, elsewhere, Augment::kLoss, other);
      EXPECT_GE(*corner.upper_bound, violation(other.loss, other.parts, theta) - 1e-9);
    }
  }
  EXPECT_GT(inexact, 0);
}

TEST(MultilabelProblem, IsExactForManyLabelsThatAttractEachOther) {
  ManyLabels many(4);
  auto& [sets, oracle, rng, theta, corner] = many;
  auto w = testing::random_weights(sets.problem->dimension(), rng, false);
  for (auto j = static_cast<std::size_t>(sets.layout().pairs()); j < w.size(); ++j) {
    w[j] = 0.05 * std::fabs(w[j]);
  }
  for (Index i = 0; i < 3; ++i) {
    oracle->argmax(i, w, theta, corner);
    EXPECT_TRUE(corner.is_exact);
  }
}

TEST(MultilabelProblem, NamesTheGroupsOfItsWeights) {
  const auto names = [](const Problem& problem) {
    std::vector<std::string> result;
    for (const WeightGroup& group : problem.weight_groups()) result.push_back(group.name);
    return result;
  };
  EXPECT_EQ(names(*random_sets({}).problem), (std::vector<std::string>{"labels", "pairs", "all"}));
  EXPECT_EQ(names(*random_sets({.couplings = Couplings::kNone}).problem),
            (std::vector<std::string>{"labels", "all"}));
}

TEST(MultilabelProblem, FingerprintTellsDataApart) {
  const auto first = random_sets({}).problem->fingerprint();
  EXPECT_EQ(first, random_sets({}).problem->fingerprint());
  EXPECT_NE(first, random_sets({.seed = 2}).problem->fingerprint());
  EXPECT_NE(first, random_sets({.couplings = Couplings::kNone}).problem->fingerprint());
  EXPECT_NE(first,
            random_sets({.loss = MultilabelLoss::kNormalizedHamming}).problem->fingerprint());
}

TEST(MultilabelProblem, RefusesDataThatDoNotFitTogether) {
  const MultilabelData good = *random_sets({}).data;
  const auto refuses = [](MultilabelData data) {
    EXPECT_THROW(make_multilabel_problem(std::make_shared<const MultilabelData>(std::move(data)),
                                         Couplings::kBias, MultilabelLoss::kHamming),
                 InputError);
  };
  refuses({});
  MultilabelData data = good;
  data.labels = 0;
  refuses(data);
  data = good;
  data.sets.pop_back();
  refuses(data);
  data = good;
  data.sets[0] = 2;
  refuses(data);
}

}  // namespace
}  // namespace gapwise::internal
