// No oracle that breaks its contract gets a certificate, whoever the solver is.

#include "support/broken_oracle.h"

#include <gtest/gtest.h>

#include "gapwise/check_oracle.h"
#include "gapwise/train.h"
#include "solve/frank_wolfe/kernel_bcfw.h"
#include "support/primal.h"
#include "support/problems.h"
#include "support/reading.h"
#include "support/refusals.h"

namespace gapwise::internal {
namespace {

using testing::Breakage;
using testing::BrokenProblem;

constexpr double kLambda = 0.01;

/// Chains of one length, so that parts of one example are parts of every other, with labels that
/// can be learned for the most part. A beam of 1 is a greedy decoder.
std::unique_ptr<Problem> chains(int beam = 0) {
  constexpr std::uint32_t kAttributes = 8;
  constexpr int kLabels = 5;
  Rng rng(4);
  const std::vector<double> planted = testing::random_weights(kAttributes * kLabels, rng, false);
  auto data = std::make_shared<SequenceData>();
  for (Index i = 0; i < 24; ++i) {
    std::int32_t last = 0;
    for (int t = 0; t < 6; ++t) {
      std::vector<double> scores(kLabels);
      for (std::uint32_t a = 0; a < kAttributes; ++a) {
        const double x = rng.uniform() * 2.0 - 1.0;
        data->nodes.add(a, x);
        for (std::size_t k = 0; k < scores.size(); ++k)
          scores[k] += x * planted[a * scores.size() + k];
      }
      data->nodes.end_row();
      data->edges.end_row();
      scores[static_cast<std::size_t>((last + 2) % kLabels)] += 1.0;  // transitions matter
      last = static_cast<std::int32_t>(std::max_element(scores.begin(), scores.end()) -
                                       scores.begin());
      if (rng.below(8) == 0) last = static_cast<std::int32_t>(rng.below(kLabels));
      data->labels.push_back(last);
    }
    data->starts.push_back(data->labels.size());
  }
  data->nodes.finish(kAttributes);
  data->edges.finish(0);
  return make_sequence_problem(data, {kAttributes, 0, kLabels}, SequenceLoss::kNormalizedHamming,
                               {.beam = beam});
}

/// What becomes of a run.
enum class Outcome { kError, kUncertified, kTrueCertificate, kFalseCertificate };

struct Run {
  Outcome outcome;
  std::string message;
};

Run run(const Problem& problem, std::string_view solver) {
  TrainOptions options;
  options.solver = solver;
  options.lambda = Lambda::of(kLambda);
  options.threads = 1;
  options.max_passes = 100;
  try {
    const Report report = train(problem, options);
    if (!report.progress.is_certified) return {Outcome::kUncertified, ""};
    const auto honest = chains();
    const auto kernel = make_kernel_problem(*honest, options, 1);
    const double primal = testing::primal_at(kernel ? *kernel : *honest, kLambda, report.w,
                                             solver_info(solver).objective);
    const bool is_true = *report.progress.primal >= primal - 1e-9;
    return {is_true ? Outcome::kTrueCertificate : Outcome::kFalseCertificate,
            "primal " + std::to_string(*report.progress.primal) + ", in truth " +
                std::to_string(primal)};
  } catch (const OracleError& error) {
    return {Outcome::kError, error.what()};
  }
}

/// No certificate at all; where the oracle erred nowhere near the result, a true one may be.
void expect_no_certificate(const Problem& problem, const std::string& name) {
  for (const SolverInfo& solver : solvers()) {
    if (!solver.has_dual || testing::may_refuse(solver.name, problem)) continue;
    const Run found = run(problem, solver.name);
    EXPECT_NE(found.outcome, Outcome::kFalseCertificate)
        << name << ", " << solver.name << ": " << found.message;
    EXPECT_NE(found.outcome, Outcome::kTrueCertificate)
        << name << ", " << solver.name << ": " << found.message;
  }
}

void expect_no_certificate(const Problem& inner, Breakage breakage, const std::string& name) {
  const BrokenProblem broken(inner, breakage);
  expect_no_certificate(broken, name);
  expect_no_certificate(*testing::as_own(broken), "own " + name);
}

TEST(BrokenOracle, GetsNoCertificateIfItIsGreedy) {
  expect_no_certificate(*chains(1), Breakage::kNone, "greedy");
}
struct Broken {
  Breakage breakage;
  const char* how;
};
class BrokenChains : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenChains, GetNoCertificateIf) {
  expect_no_certificate(*chains(), GetParam().breakage, GetParam().how);
}
INSTANTIATE_TEST_SUITE_P(BrokenOracle, BrokenChains,
                         ::testing::Values(Broken{Breakage::kWrongSign, "PsiHasTheWrongSign"},
                                           Broken{Breakage::kForgetsLoss, "ItForgetsTheLoss"},
                                           Broken{Breakage::kAddsTwice, "ItAddsTheLossTwice"},
                                           Broken{Breakage::kStale, "ItsAnswersAreStale"},
                                           Broken{Breakage::kNotANumber, "ItReturnsNoNumbers"},
                                           Broken{Breakage::kRandom, "ItAnswersAtRandom"},
                                           Broken{Breakage::kBoundsTooLittle,
                                                  "ItsUpperBoundsAreNone"}),
                         [](const auto& test) { return test.param.how; });

/// The same oracles honestly used: no alarm, at any lambda.
TEST(BrokenOracle, IsNotSeenWhereNothingIsBroken) {
  const auto inner = chains();
  const BrokenProblem honest(*inner, Breakage::kNone);
  const auto own = testing::as_own(honest);
  for (const Problem* problem : std::initializer_list<const Problem*>{&honest, own.get()}) {
    for (const SolverInfo& solver : solvers()) {
      if (testing::may_refuse(solver.name, *problem)) continue;
      for (const double lambda : {1e-12, 1e-6, 0.05, 1e3, 1e9}) {
        TrainOptions options;
        options.solver = solver.name;
        options.lambda = Lambda::of(lambda);
        options.threads = 1;
        options.max_passes = 10;
        EXPECT_NO_THROW(train(*problem, options)) << solver.name << ", lambda " << lambda;
      }
    }
  }
}

TEST(BrokenOracle, IsNamedWithExampleValuesAndRemedy) {
  const auto inner = chains();
  const BrokenProblem broken(*inner, Breakage::kWrongSign);
  const auto [outcome, message] = run(broken, "bcfw");
  ASSERT_EQ(outcome, Outcome::kError);
  for (const char* part : {"example ", "claims to be exact", "the truth has 0", "sign of psi",
                           "is_exact = false", "upper_bound"}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
  }
}

TEST(BrokenOracle, IsTheSameWhateverTheNumberOfThreads) {
  const auto inner = chains(1);
  const BrokenProblem broken(*inner, Breakage::kNone);
  const auto message_with = [&](Index threads) {
    TrainOptions options;
    options.solver = "fw";
    options.lambda = Lambda::of(kLambda);
    options.threads = threads;
    return message_of<OracleError>([&] { train(broken, options); });
  };
  EXPECT_NE(message_with(1), "no error");
  EXPECT_EQ(message_with(1), message_with(4));
}

// What a plain run cannot tell, because the oracle is right for another problem.

TEST(BrokenOracle, OfAnotherLossIsRightForThatLoss) {
  const auto inner = chains();
  const BrokenProblem broken(*inner, Breakage::kReportsTwice);
  TrainOptions options;
  options.lambda = Lambda::of(kLambda);
  options.threads = 1;
  const Report report = train(*testing::as_own(broken, false), options);
  EXPECT_EQ(report.reason, StopReason::kConverged);
}

std::string complaint(const Problem& problem, const OracleCheckOptions& options = {}) {
  try {
    check_oracle(problem, options);
  } catch (const OracleError& error) {
    return error.what();
  }
  return "";
}

TEST(CheckOracle, FindsEveryBreakage) {
  const auto inner = chains();
  for (const Breakage breakage :
       {Breakage::kWrongSign, Breakage::kForgetsLoss, Breakage::kHasNoLoss, Breakage::kAddsTwice,
        Breakage::kReportsTwice, Breakage::kStale, Breakage::kNotANumber, Breakage::kRandom,
        Breakage::kBoundsTooLittle}) {
    const BrokenProblem broken(*inner, breakage);
    EXPECT_NE(complaint(broken), "") << static_cast<int>(breakage);
    EXPECT_NE(complaint(*testing::as_own(broken)), "") << "own " << static_cast<int>(breakage);
  }
  const auto greedy = chains(1);
  const BrokenProblem broken(*greedy, Breakage::kNone);
  EXPECT_NE(complaint(broken), "");
  EXPECT_NE(complaint(*testing::as_own(broken)), "");
}

TEST(CheckOracle, FindsALossThatIsCountedTwiceFromAnotherLossFunction) {
  const auto inner = chains();
  const BrokenProblem broken(*inner, Breakage::kReportsTwice);
  const auto own = testing::as_own(broken, false);  // nothing to compare with
  EXPECT_EQ(complaint(*own), "");
  const auto honest = testing::as_own(*inner, false);
  const OracleCheckOptions options{.loss = [&](Index, const Corner& y) {
    return y.loss > 0.0 ? std::round(6.0 * y.loss) / 6.0 : 0.0;
  }};
  EXPECT_EQ(complaint(*honest, options), "");
  const OracleCheckOptions half{.loss = [&](Index, const Corner& y) { return 0.5 * y.loss; }};
  EXPECT_NE(complaint(*own, half), "");
}

TEST(CheckOracle, AcceptsHonestOracles) {
  const auto inner = chains();
  const OracleCheck done = check_oracle(*inner);
  EXPECT_EQ(done.examples, 24);
  EXPECT_EQ(done.truths_found, 10);
  EXPECT_EQ(complaint(*testing::as_own(*inner)), "");
  EXPECT_EQ(complaint(*testing::random_chains({.labels = 6, .variant = {.beam = 2}}).problem), "");
  EXPECT_EQ(
      complaint(*testing::random_chains({.labels = 4, .variant = {.rescaling = Rescaling::kSlack}})
                     .problem),
      "");
  EXPECT_EQ(complaint(*testing::random_classes({.has_costs = true}).problem), "");
}

TEST(CheckOracle, SeesALossOfTheTruth) {
  const auto problem = make_argmax_problem(2, 1, [](Index, Weights w, Corner& out) {
    if (w[0] < 1.0) out.parts.collect(0, 1.0);
    out.loss = w[0] < 1.0 ? 1.0 : 0.25;
  });
  EXPECT_NE(complaint(*problem), "");
}

}  // namespace
}  // namespace gapwise::internal
