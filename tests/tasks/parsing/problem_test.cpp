#include "tasks/parsing/problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "core/random.h"
#include "gapwise/check_oracle.h"
#include "gapwise/errors.h"
#include "support/linear_map.h"
#include "support/problems.h"
#include "tasks/parsing/treebank.h"

namespace gapwise::internal {
namespace {

using Heads = std::vector<std::int32_t>;

struct TreesSpec {
  Index sentences = 6;
  int max_length = 4;
  int labels = 2;
  TreeKind kind = {};
  ParsingLoss loss = ParsingLoss::kHamming;
  FeatureSource source = FeatureSource::kTrees;
  bool has_coarse_tags = true;
  std::size_t packed_bytes = std::size_t{1} << 20;
  std::uint64_t seed = 1;
};

struct Trees {
  std::shared_ptr<const ParsingData> data;
  std::shared_ptr<const ParsingFeatures> features;
  std::unique_ptr<Problem> problem;
};

Trees make_trees(const TreesSpec& spec, std::shared_ptr<const ParsingData> data) {
  Trees trees;
  trees.data = std::move(data);
  trees.features = std::make_shared<const ParsingFeatures>(
      collect_features(*trees.data, spec.labels, 12, spec.source));
  trees.problem =
      make_parsing_problem(trees.data, trees.features, spec.kind, spec.loss, spec.packed_bytes);
  return trees;
}

/// Random trees over random words.
Trees random_trees(const TreesSpec& spec) {
  Rng rng(spec.seed);
  auto data = std::make_shared<ParsingData>();
  const auto symbol = [&] { return static_cast<std::uint64_t>(rng.below(4)) + 1; };
  for (Index i = 0; i < spec.sentences; ++i) {
    const auto length = static_cast<std::int32_t>(1 + rng.below(spec.max_length));
    Heads heads(static_cast<std::size_t>(length));
    do {
      for (std::int32_t& head : heads) head = static_cast<std::int32_t>(rng.below(length + 1));
    } while (!is_tree(heads) || std::count(heads.begin(), heads.end(), 0) != 1);
    for (const std::int32_t head : heads) {
      const std::uint64_t form = symbol();
      const std::uint64_t lemma = symbol();
      const std::uint64_t tag = hash_text("t" + std::to_string(symbol()));
      data->words.push_back({form, lemma, tag, spec.has_coarse_tags ? symbol() : 0});
      data->heads.push_back(head);
      data->labels.push_back(static_cast<std::int32_t>(rng.below(spec.labels)));
    }
    data->starts.push_back(data->words.size());
  }
  return make_trees(spec, data);
}

std::vector<TreesSpec> all_specs() {
  std::vector<TreesSpec> specs;
  for (const bool is_projective : {true, false}) {
    for (const RootCount roots : {RootCount::kOne, RootCount::kMany}) {
      for (const int labels : {1, 2, 3}) {
        const bool is_odd = specs.size() % 2 == 1;
        specs.push_back({.labels = labels,
                         .kind = {is_projective, roots},
                         .loss = is_odd ? ParsingLoss::kNormalizedHamming : ParsingLoss::kHamming,
                         .source = labels == 2 ? FeatureSource::kAll : FeatureSource::kTrees,
                         .has_coarse_tags = !is_odd,
                         .packed_bytes = labels == 3 ? 0 : std::size_t{1} << 20,
                         .seed = specs.size() + 1});
      }
    }
  }
  return specs;
}

std::size_t part_of(int words, int labels, std::int32_t head, int m, std::int32_t label) {
  const int slot = head < m ? head : head - 1;
  return static_cast<std::size_t>(((m - 1) * words + slot) * labels + label);
}

/// The best score plus loss over all trees of the kind and the truth, by trying all heads and
/// labels (coded in one number per word).
double best_by_enumeration(const Trees& trees, const TreesSpec& spec, Index i,
                           const PartScores& theta, bool has_loss) {
  const int words = trees.data->length(i);
  const auto truth = trees.data->of(i, trees.data->heads);
  const auto true_labels = trees.data->of(i, trees.data->labels);
  const double unit = spec.loss == ParsingLoss::kHamming ? 1.0 : 1.0 / words;
  double best = -std::numeric_limits<double>::infinity();
  testing::for_each_labelling(words, (words + 1) * spec.labels, [&](const Heads& y) {
    Heads heads;
    for (const std::int32_t code : y) heads.push_back(code / spec.labels);
    const bool is_truth = std::equal(heads.begin(), heads.end(), truth.begin());
    const bool is_of_kind =
        is_tree(heads) && (!spec.kind.is_projective || is_projective(heads)) &&
        (spec.kind.roots == RootCount::kMany || std::count(heads.begin(), heads.end(), 0) == 1);
    double value = 0.0;
    bool has_true_labels = true;
    Heads labels;
    for (const std::int32_t code : y) labels.push_back(code % spec.labels);
    const auto sentence = trees.data->of(i, trees.data->words);
    if (spec.kind.rules && is_of_kind && spec.kind.rules->first_break(sentence, heads, labels) > 0)
      return;
    for (std::size_t k = 0; k < y.size() && is_tree(heads); ++k) {
      const std::int32_t label = y[k] % spec.labels;
      value +=
          theta.values()[part_of(words, spec.labels, heads[k], static_cast<int>(k) + 1, label)];
      if (has_loss) {
        value += unit * ((heads[k] != truth[k] ? 1 : 0) + (label != true_labels[k] ? 1 : 0));
      }
      has_true_labels = has_true_labels && label == true_labels[k];
    }
    if (is_of_kind || (has_loss && is_truth && has_true_labels)) best = std::max(best, value);
  });
  return best;
}

double score_of_truth(const Trees& trees, int labels, Index i, const PartScores& theta) {
  const int words = trees.data->length(i);
  double sum = 0.0;
  for (int m = 1; m <= words; ++m) {
    const auto k = static_cast<std::size_t>(m - 1);
    sum += theta.values()[part_of(words, labels, trees.data->of(i, trees.data->heads)[k], m,
                                  trees.data->of(i, trees.data->labels)[k])];
  }
  return sum;
}

TEST(ParsingProblem, DecodesTheBestTreeOfAllWithAndWithoutLoss) {
  for (TreesSpec spec : all_specs()) {
    if (spec.labels == 3) spec.max_length = 3;
    const Trees trees = random_trees(spec);
    testing::for_random_decodings(*trees.problem, 12, [&](const testing::Decoding& found, Oracle&) {
      const double best = best_by_enumeration(trees, spec, found.i, found.theta, found.has_loss());
      const double truth = score_of_truth(trees, spec.labels, found.i, found.theta);
      ASSERT_NEAR(found.value(), best - truth, 1e-9);
      ASSERT_TRUE(found.corner.is_exact);
      ASSERT_EQ(found.corner.parts.empty(), found.corner.loss == 0.0);
    });
  }
}

TEST(ParsingProblem, ParserFindsTheTreesOfTheOracle) {
  for (const TreesSpec& spec : all_specs()) {
    const Trees trees = random_trees(spec);
    const auto oracle = trees.problem->make_oracle();
    Rng rng(19);
    const auto w = testing::random_weights(trees.problem->dimension(), rng, false);
    DependencyParser parser(*trees.features, w, spec.kind);
    PartScores theta;
    Corner corner;
    for (Index i = 0; i < trees.problem->num_blocks(); ++i) {
      const auto words = static_cast<std::size_t>(trees.data->length(i));
      Heads heads(words);
      Heads labels(words);
      parser.parse(trees.data->of(i, trees.data->words), heads, labels);
      oracle->score(i, w, theta);
      oracle->decode(i, theta, Augment::kNone, corner);
      Parts expected;
      for (std::size_t k = 0; k < words; ++k) {
        const auto part = [&](std::int32_t head, std::int32_t label) {
          return static_cast<Index>(
              part_of(static_cast<int>(words), spec.labels, head, static_cast<int>(k) + 1, label));
        };
        expected.collect(
            part(trees.data->of(i, trees.data->heads)[k], trees.data->of(i, trees.data->labels)[k]),
            1.0);
        expected.collect(part(heads[k], labels[k]), -1.0);
      }
      expected.normalize();
      EXPECT_EQ(corner.parts, expected);
    }
  }
}

TEST(ParsingProblem, ScoreDotScatterAndNormAreTheSameLinearMap) {
  for (const TreesSpec& spec : all_specs()) {
    testing::expect_one_linear_map(*random_trees(spec).problem, 10);
  }
}

TEST(ParsingProblem, FeaturesThatAreNotPackedScoreTheSame) {
  TreesSpec spec{.sentences = 20, .max_length = 9, .labels = 3, .kind = {false, RootCount::kOne}};
  const Trees packed = random_trees(spec);
  spec.packed_bytes = 192 * 25;  // some sentences fit
  const Trees partly = make_trees(spec, packed.data);
  Rng rng(29);
  const auto w = testing::random_weights(packed.problem->dimension(), rng, false);
  const auto a = packed.problem->make_oracle();
  const auto b = partly.problem->make_oracle();
  PartScores theta_a;
  PartScores theta_b;
  for (Index i = 0; i < packed.problem->num_blocks(); ++i) {
    a->score(i, w, theta_a);
    b->score(i, w, theta_b);
    ASSERT_TRUE(std::equal(theta_a.values().begin(), theta_a.values().end(),
                           theta_b.values().begin(), theta_b.values().end()));
  }
}

TEST(ParsingProblem, SentencesOfOneWordAndOfTwoHundredWork) {
  auto data = std::make_shared<ParsingData>();
  for (const int length : {1, 200}) {
    for (int m = 1; m <= length; ++m) {
      const auto symbol = static_cast<std::uint64_t>(m % 7 + 1);
      data->words.push_back({symbol, symbol, symbol, 0});
      data->heads.push_back(m - 1);
      data->labels.push_back(m == 1 ? 0 : 1);
    }
    data->starts.push_back(data->words.size());
  }
  for (const TreeKind& kind : {TreeKind{true, RootCount::kOne}, TreeKind{false, RootCount::kOne}}) {
    const Trees trees = make_trees({.labels = 2, .kind = kind}, data);
    const auto oracle = trees.problem->make_oracle();
    const std::vector<double> zero(static_cast<std::size_t>(trees.problem->dimension()), 0.0);
    PartScores theta;
    Corner corner;
    oracle->argmax(0, zero, theta, corner);
    EXPECT_EQ(corner.loss, 1.0);  // no other head, but another label
    oracle->argmax(1, zero, theta, corner);
    EXPECT_EQ(corner.loss, 400.0);  // everything can be wrong
  }
}

TEST(ParsingProblem, ATrueTreeOutsideTheKindIsStillAnOutput) {
  // 1 <- 3 and 2 <- 4 cross.
  auto data = std::make_shared<ParsingData>();
  data->starts = {0, 4};
  for (std::uint64_t m = 1; m <= 4; ++m) data->words.push_back({m, m, m, 0});
  data->heads = {3, 4, 0, 3};
  data->labels = {0, 0, 0, 0};
  ASSERT_FALSE(is_projective(data->heads));
  const Trees trees = make_trees({.labels = 1}, data);
  const auto oracle = trees.problem->make_oracle();
  std::vector<double> w(static_cast<std::size_t>(trees.problem->dimension()), 0.0);
  Parts truth;
  for (int m = 1; m <= 4; ++m) {
    truth.collect(
        static_cast<Index>(part_of(4, 1, data->heads[static_cast<std::size_t>(m - 1)], m, 0)), 1.0);
  }
  truth.normalize();
  oracle->scatter(0, truth, 10.0, w);
  PartScores theta;
  Corner corner;
  oracle->argmax(0, w, theta, corner);
  EXPECT_EQ(corner.loss, 0.0);  // the truth wins in training ...
  oracle->decode(0, theta, Augment::kNone, corner);
  EXPECT_GT(corner.loss, 0.0);  // ... but cannot be predicted
}

/// Rules that no true tree breaks.
std::shared_ptr<const ArcRules> random_rules(const Trees& trees, int labels, Rng& rng) {
  const std::vector<std::string> heads{"<root>", "*", "t1", "t2", "t3", "t4"};
  std::vector<std::string> names;
  for (int l = 0; l < labels; ++l) names.push_back("l" + std::to_string(l));
  const auto pick = [&](const std::vector<std::string>& from, Index first) {
    return from[static_cast<std::size_t>(first + rng.below(std::ssize(from) - first))];
  };
  const auto parse = [&](const std::vector<std::string>& lines) {
    return ArcRules::parse(lines, Alphabet::from_names(names),
                           [](const std::string& what) { throw InputError(what); });
  };
  std::vector<std::string> kept;
  for (int trial = 0; trial < 25; ++trial) {
    const std::string line =
        "forbid " + pick(heads, 0) + " " + pick(heads, 2) + " " + pick(names, 0);
    const ArcRules rule = parse({line});
    bool is_broken = false;
    for (Index i = 0; i < trees.data->size(); ++i) {
      is_broken = is_broken || rule.first_break(trees.data->of(i, trees.data->words),
                                                trees.data->of(i, trees.data->heads),
                                                trees.data->of(i, trees.data->labels)) > 0;
    }
    if (!is_broken) kept.push_back(line);
  }
  return std::make_shared<const ArcRules>(parse(kept));
}

TEST(ParsingProblem, ForbiddenArcsAreInNoTree) {
  Rng rng(4);
  std::size_t num_rules = 0;
  for (TreesSpec spec : all_specs()) {
    if (spec.labels == 3) spec.max_length = 3;
    spec.kind.rules = random_rules(random_trees(spec), spec.labels, rng);
    num_rules += spec.kind.rules->lines().size();
    const Trees trees = random_trees(spec);
    // Trees that cross are outputs of theirs in training only, which a check takes for a fault.
    if (!spec.kind.is_projective) {
      EXPECT_NO_THROW(check_oracle(*trees.problem));
    }
    testing::for_random_decodings(*trees.problem, 12, [&](const testing::Decoding& found, Oracle&) {
      const double best = best_by_enumeration(trees, spec, found.i, found.theta, found.has_loss());
      const double truth = score_of_truth(trees, spec.labels, found.i, found.theta);
      ASSERT_NEAR(found.value(), best - truth, 1e-9);
    });
  }
  EXPECT_GT(num_rules, 60U);
}

TEST(ParsingProblem, FingerprintTellsDataAndKindsApart) {
  const auto first = random_trees({.seed = 1}).problem->fingerprint();
  EXPECT_EQ(first, random_trees({.seed = 1}).problem->fingerprint());
  EXPECT_NE(first, random_trees({.seed = 2}).problem->fingerprint());
  EXPECT_NE(first, random_trees({.kind = {false, RootCount::kOne}}).problem->fingerprint());
  EXPECT_NE(first, random_trees({.loss = ParsingLoss::kNormalizedHamming}).problem->fingerprint());
}

TEST(ParsingProblem, RefusesDataThatDoNotFitTogether) {
  const Trees good = random_trees({.sentences = 3, .labels = 2});
  const auto refuses = [&](const ParsingData& data) {
    EXPECT_THROW(make_parsing_problem(std::make_shared<const ParsingData>(data), good.features, {},
                                      ParsingLoss::kHamming),
                 InputError);
  };
  refuses({});
  ParsingData data = *good.data;
  data.labels[0] = 2;
  refuses(data);
  data = *good.data;
  data.heads[0] = 99;
  refuses(data);
  data.heads[0] = 1;  // its own head
  refuses(data);
  data = *good.data;
  data.labels.pop_back();
  refuses(data);
  data = *good.data;
  data.starts.push_back(data.words.size());
  refuses(data);
}

}  // namespace
}  // namespace gapwise::internal
