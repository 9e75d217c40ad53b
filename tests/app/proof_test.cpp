// Proofs: what honest runs prove, and what nobody can prove.

#include <gtest/gtest.h>

#include <cmath>

#include "app/loaded_model.h"
#include "app/proof/proof_record.h"
#include "app/small_data.h"
#include "support/problems.h"

namespace gapwise::internal {
namespace {

using testing::expect_proof;
using testing::proven_run;
using testing::samples;
using testing::says;

std::vector<std::string> provers() {
  std::vector<std::string> names;
  for (const SolverInfo& solver : solvers()) {
    if (has_option(solver, "keep-outputs")) names.emplace_back(solver.name);
  }
  return names;
}

TEST(Proof, HoldsForEverySolverAndTask) {
  ScratchFolder folder;
  ASSERT_EQ(provers().size(), 12U);
  for (const std::string_view task : task_names()) {
    const Examples examples = samples(folder, task, 8);
    for (const std::string& solver : provers()) {
      SCOPED_TRACE(std::string(task) + ", " + solver);
      const Fit done = fit(examples, proven_run(solver));
      const std::string proof = folder.path("proof");
      const Verification found = expect_proof(done, examples, proof);
      EXPECT_LE(found.lower, done.report.progress.dual + 1e-12);
      EXPECT_GE(found.upper, *done.report.progress.primal);
      EXPECT_GT(found.outputs, 0);
      if (solver != "auto") {
        EXPECT_LT(found.distance, 1e-9);
      }
      const Verification again = verify(done.model, proof, examples, 3);
      EXPECT_EQ(found.lower, again.lower);
      EXPECT_EQ(found.upper, again.upper);
    }
  }
}

TEST(Proof, HoldsForAProblemOfOnesOwnThatRecognisesItsOutputs) {
  ScratchFolder folder;
  const auto classes = testing::random_classes({.examples = 30, .has_costs = true});
  const Examples own{std::shared_ptr<const Problem>(&*classes.problem, [](const Problem*) {})};
  const Fit done = fit(own, proven_run("auto"));
  done.save_proof(folder.path("proof"));
  EXPECT_TRUE(verify(done.model, folder.path("proof"), own).holds);
}

TEST(Proof, SurvivesACheckpoint) {
  ScratchFolder folder;
  const Examples examples = samples(folder, "sequence", 30);
  for (const std::string& solver : provers()) {
    TrainOptions options = proven_run(solver);
    options.relative_gap = 1e-9;
    options.max_passes = 3;
    FitSettings settings;
    settings.checkpoint = folder.path("checkpoint");
    settings.checkpoint_seconds = 0.0;
    fit(examples, options, settings);
    options.max_passes = 6;
    FitSettings resuming;
    resuming.resume = settings.checkpoint;
    const Fit resumed = fit(examples, options, resuming);
    const Fit whole = fit(examples, options);
    resumed.save_proof(folder.path("resumed"));
    whole.save_proof(folder.path("whole"));
    EXPECT_EQ(read_file(folder.path("resumed")), read_file(folder.path("whole"))) << solver;
  }
}

TEST(Proof, IsRefusedWhereThereIsNone) {
  ScratchFolder folder;
  const Examples examples = samples(folder, "multiclass", 20);
  const auto complaint = [&](const TrainOptions& options, const FitSettings& settings = {}) {
    return message_of<OptionError>(
        [&] { fit(examples, options, settings).save_proof(folder.path("proof")); });
  };
  TrainOptions options = proven_run("bcfw");
  options.average = Average::kWeighted;
  EXPECT_TRUE(says(complaint(options), "average"));
  options = proven_run("bcfw");
  options.keep_outputs = false;
  EXPECT_TRUE(says(complaint(options), "keep-outputs"));
  EXPECT_TRUE(says(complaint(proven_run("ssg")), "no meaning for solver ssg"));
  const Fit earlier = fit(examples, proven_run("bcfw"));
  FitSettings warm;
  warm.start = &earlier;
  for (const char* solver : {"bcfw", "fw", "auto"}) {
    EXPECT_TRUE(says(complaint(proven_run(solver), warm), "began at the dual point")) << solver;
  }
  const Fit own = fit(testing::own_examples(), proven_run("bcfw"));
  EXPECT_TRUE(
      says(message_of<OptionError>([&] { own.save_proof(folder.path("own")); }), "recognise"));
}

/// A proof and a model that can be changed and sealed again.
struct Forgery {
  ModelRecord model;
  ProofRecord proof;
};

class ProofTampering : public ::testing::Test {
 protected:
  ProofTampering() { honest_.save_proof(path_); }

  Forgery copy() const {
    return {honest_.model.loaded().record(),
            decode_proof(read_sealed(FileKind::kProof, path_), path_)};
  }
  /// What verify says of it; with `knows_model` the forger made the two fit.
  std::string complaint(const Forgery& forgery, bool knows_model) const {
    ProofRecord proof = forgery.proof;
    if (knows_model) proof.model = checksum_of_model(encode_model(forgery.model));
    write_file(forged_, seal(FileKind::kProof, encode_proof(proof)));
    try {
      const Verification found = verify(make_model(forgery.model), forged_, examples_, 1);
      return found.holds ? "" : "does not hold";
    } catch (const InputError& error) {
      return error.what();
    }
  }

  void expect_refusals(int trials) const;

  ScratchFolder folder_;
  Examples examples_ = samples(folder_, "sequence", 20);
  Fit honest_ = fit(examples_, proven_run("bcpfw"));
  std::string path_ = folder_.path("proof");
  std::string forged_ = folder_.path("forged");
};

TEST_F(ProofTampering, IsNotSeenWhereNothingWasChanged) {
  EXPECT_EQ(complaint(copy(), false), "");
  EXPECT_EQ(complaint(copy(), true), "");
}

TEST_F(ProofTampering, IsNamed) {
  const auto with = [&](auto change) {
    Forgery forgery = copy();
    change(forgery);
    return complaint(forgery, true);
  };
  EXPECT_TRUE(says(with([](Forgery& f) { f.proof.outputs[3][0].weight = -0.25; }),
                   "a multiplier is -0.25"));
  EXPECT_TRUE(says(with([](Forgery& f) { f.proof.outputs[3][0].weight += 1.0; }), "add up to"));
  EXPECT_TRUE(says(with([](Forgery& f) { f.model.w[0] += 0.01; }), "not those of the model"));
  EXPECT_TRUE(says(with([](Forgery& f) { f.proof.w.scale(1.0 + 1e-9); }), "not those of the"));
  EXPECT_TRUE(says(with([](Forgery& f) {
                     Parts parts;
                     parts.append(0, 1.0);
                     f.proof.outputs[3].push_back({parts, 0.0});
                   }),
                   "no output"));
  EXPECT_TRUE(says(with([](Forgery& f) { f.model.settings["gap"] = "0"; }), "does not hold"));
  EXPECT_TRUE(says(with([](Forgery& f) {
                     f.proof.dual += 1e-3;
                     f.model.settings["dual"] = detail::show_number(f.proof.dual);
                   }),
                   "claims a dual"));
  EXPECT_TRUE(says(with([](Forgery& f) { f.proof.lambda *= 2.0; }), "its lambda is"));
  Forgery changed = copy();
  changed.model.settings["seed"] = "2";
  EXPECT_TRUE(says(complaint(changed, false), "another model"));
}

/// Every number and every output of a proof matters.
void ProofTampering::expect_refusals(int trials) const {
  Rng rng(3);
  const auto pick = [&](auto& list) -> auto& {
    return list[static_cast<std::size_t>(rng.below(std::ssize(list)))];
  };
  const auto factor = [&] { return 1.0 + (0.01 + rng.uniform()) * (rng.below(2) == 0 ? 1 : -1); };
  for (int trial = 0; trial < trials; ++trial) {
    Forgery forgery = copy();
    switch (rng.below(6)) {
      case 0: {
        auto& outputs = pick(forgery.proof.outputs);
        pick(outputs).weight *= factor();
        break;
      }
      case 1: {  // an output gives its weight to one of another example
        auto& from = pick(pick(forgery.proof.outputs));
        const Parts other = pick(pick(forgery.proof.outputs)).parts;
        if (from.parts == other) continue;
        from.parts = other;
        break;
      }
      case 2:
        pick(forgery.model.w) += 0.01 * rng.uniform() + 1e-12;
        break;
      case 3:
        forgery.proof.primal *= factor();
        break;
      case 4:
        std::swap(pick(forgery.proof.outputs), forgery.proof.outputs.front());
        if (forgery.proof.outputs.front().size() == copy().proof.outputs.front().size()) continue;
        break;
      default:
        forgery.proof.lambda *= factor();
        break;
    }
    EXPECT_NE(complaint(forgery, true), "") << "trial " << trial;
  }
  // And every bit of the file, for those who cannot seal.
  const std::string bytes = read_file(path_);
  for (int trial = 0; trial < trials; ++trial) {
    std::string broken = bytes;
    pick(broken) ^= static_cast<char>(1 << rng.below(8));
    write_file(forged_, broken);
    EXPECT_THROW(verify(honest_.model, forged_, examples_, 1), InputError) << "trial " << trial;
  }
  // Whoever can seal may give anything to the reader.
  const std::string payload = read_sealed(FileKind::kProof, path_);
  for (int trial = 0; trial < trials; ++trial) {
    std::string broken = payload;
    for (Index flips = 1 + rng.below(4); flips > 0; --flips) {
      pick(broken) = static_cast<char>(rng.below(256));
    }
    broken.resize(broken.size() - static_cast<std::size_t>(rng.below(2)));
    try {
      decode_proof(broken, "proof");
    } catch (const InputError&) {
    }
  }
}

TEST_F(ProofTampering, IsFoundWhereverItIs) {
  expect_refusals(200);
}
TEST_F(ProofTampering, SlowIsFoundAThousandTimes) {
  expect_refusals(1000);
}

TEST_F(ProofTampering, IsNoOtherDataEither) {
  const Examples other = samples(folder_, "sequence", 20, 2);
  EXPECT_TRUE(says(message_of<InputError>([&] { verify(honest_.model, path_, other); }),
                   "other training data"));
  const Examples task = samples(folder_, "multiclass", 20);
  EXPECT_TRUE(
      says(message_of<InputError>([&] { verify(honest_.model, path_, task); }), "task multiclass"));
}

/// Random multiclass data, and their optimum by a solver in extended precision that shares nothing
/// with the library: the most violating pair of one example at a time.
class LongReference {
 public:
  LongReference(Index n, int classes, int attributes, long double lambda, Rng& rng)
      : classes_(classes), attributes_(attributes), lambda_(lambda) {
    for (Index i = 0; i < n; ++i) {
      std::vector<double> x;
      for (int a = 0; a < attributes; ++a) {
        x.push_back(std::floor(rng.uniform() * 4096.0 - 2048.0) / 512.0);
      }
      x_.push_back(x);
      y_.push_back(static_cast<int>(rng.below(classes)));
    }
    for (int k = 0; k < classes; ++k) y_[static_cast<std::size_t>(k)] = k;
  }

  Examples examples() const {
    ExampleRows rows("multiclass");
    for (std::size_t i = 0; i < x_.size(); ++i) {
      rows.features(x_[i]).label(std::string(1, static_cast<char>('a' + y_[i])));
      rows.end_example();
    }
    return rows.finish();
  }

  /// Dual and primal, which are closer to each other than 1e-15 of them.
  std::pair<long double, long double> solve() const {
    const auto K = static_cast<std::size_t>(classes_);
    const auto A = static_cast<std::size_t>(attributes_);
    const long double n = static_cast<long double>(x_.size());
    std::vector<long double> w(K * A, 0.0L);
    std::vector<std::vector<long double>> alpha(x_.size(), std::vector<long double>(K, 0.0L));
    for (std::size_t i = 0; i < x_.size(); ++i) alpha[i][truth(i)] = 1.0L;
    std::vector<long double> h(K);
    const auto violations = [&](std::size_t i) {
      for (std::size_t k = 0; k < K; ++k) {
        h[k] = k == truth(i) ? 0.0L : 1.0L;
        for (std::size_t a = 0; a < A; ++a) h[k] += (w[k * A + a] - w[truth(i) * A + a]) * x_[i][a];
      }
    };
    for (int pass = 0; pass < 200'000; ++pass) {
      for (std::size_t i = 0; i < x_.size(); ++i) {
        long double norm = 0.0L;
        for (const double x : x_[i]) norm += static_cast<long double>(x) * x;
        violations(i);
        std::size_t up = 0;
        std::size_t down = K;
        for (std::size_t k = 0; k < K; ++k) {
          if (h[k] > h[up]) up = k;
          if (alpha[i][k] > 0.0L && (down == K || h[k] < h[down])) down = k;
        }
        if (up == down || norm == 0.0L) continue;
        const long double step =
            std::min(alpha[i][down], (h[up] - h[down]) * lambda_ * n / (2.0L * norm));
        alpha[i][up] += step;
        alpha[i][down] -= step;
        for (std::size_t a = 0; a < A; ++a) {
          w[up * A + a] -= step * x_[i][a] / (lambda_ * n);
          w[down * A + a] += step * x_[i][a] / (lambda_ * n);
        }
      }
      if (pass % 20 != 0) continue;
      long double square = 0.0L;
      for (const long double x : w) square += x * x;
      long double primal = 0.5L * lambda_ * square;
      long double dual = -primal;
      for (std::size_t i = 0; i < x_.size(); ++i) {
        violations(i);
        primal += *std::max_element(h.begin(), h.end()) / n;
        dual += (1.0L - alpha[i][truth(i)]) / n;
      }
      if (primal - dual < 1e-15L * primal) return {dual, primal};
    }
    return {0.0L, -1.0L};
  }

 private:
  std::size_t truth(std::size_t i) const { return static_cast<std::size_t>(y_[i]); }

  int classes_;
  int attributes_;
  long double lambda_;
  std::vector<std::vector<double>> x_;
  std::vector<int> y_;
};

void expect_optimum_inside(int problems) {
  ScratchFolder folder;
  Rng rng(11);
  const std::vector<std::string> names = provers();
  int solved = 0;
  for (int k = 0; k < problems; ++k) {
    const double lambda = std::pow(10.0, -2.0 + 2.0 * rng.uniform());
    const LongReference reference(8, 3, 3, lambda, rng);
    const auto [dual, primal] = reference.solve();
    if (primal < dual) continue;  // not solved so well
    ++solved;
    std::string solver = names[static_cast<std::size_t>(k) % names.size()];
    if (solver_info(solver).objective == Objective::kL2) solver = "auto";
    TrainOptions options = proven_run(solver);
    options.lambda = Lambda::of(lambda);
    options.relative_gap = std::pow(10.0, -1.0 - 7.0 * rng.uniform());
    options.max_passes = 100;
    const Examples examples = reference.examples();
    const Fit done = fit(examples, options);
    done.save_proof(folder.path("proof"));
    const Verification found = verify(done.model, folder.path("proof"), examples, 1);
    EXPECT_TRUE(found.holds);
    EXPECT_LE(static_cast<long double>(found.lower), primal) << k << ", " << solver;
    EXPECT_GE(static_cast<long double>(found.upper), dual) << k << ", " << solver;
  }
  EXPECT_GT(solved, problems * 9 / 10);
}

TEST(Proof, HasTheOptimumInItsInterval) {
  expect_optimum_inside(60);
}
TEST(Proof, SlowHasTheOptimumInTheIntervalsOfAThousandProblems) {
  expect_optimum_inside(1000);
}

}  // namespace
}  // namespace gapwise::internal
