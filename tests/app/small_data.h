#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/random.h"
#include "gapwise/gapwise.h"
#include "io/files.h"
#include "support/reading.h"
#include "support/run_options.h"
#include "tasks/task.h"

namespace gapwise::internal::testing {

/// A few examples of a task in the format that it takes without being told.
inline std::string sample_of(std::string_view task, Index examples, std::uint64_t seed = 1) {
  Rng rng(seed);
  return make_task_driver(task)->sample(examples, rng);
}

/// The same in a file.
inline DataSource sample_file(const ScratchFolder& folder, std::string_view task, Index examples,
                              std::uint64_t seed = 1) {
  const std::string path = folder.path(std::string(task) + std::to_string(seed) + ".txt");
  write_file(path, sample_of(task, examples, seed));
  return {path};
}

inline Examples samples(const ScratchFolder& folder, std::string_view task, Index examples,
                        std::uint64_t seed = 1) {
  return read_examples(task, sample_file(folder, task, examples, seed));
}

/// Short runs that do not depend on the defaults.
inline TrainOptions short_run(const std::string& solver = "bcfw") {
  TrainOptions options;
  options.solver = solver;
  options.lambda = Lambda::of(0.05);
  options.max_passes = 7;
  if (has_option(solver_info(solver), "relative-gap")) options.relative_gap = 1e-9;
  options.seed = 3;
  return options;
}

/// Shorter ones whose outputs are kept for a proof.
inline TrainOptions proven_run(std::string_view solver) {
  TrainOptions options = options_for(solver, 0.05);
  options.keep_outputs = true;
  options.max_passes = 10;
  return options;
}

/// Runs on one thread that end after so many passes.
inline TrainOptions bounded_run(const std::string& solver, Index passes) {
  TrainOptions options = options_for(solver, Lambda());
  options.max_passes = passes;
  return options;
}

/// Writes the proof of a fit to `path` and expects that it holds for the examples.
inline Verification expect_proof(const Fit& done, const Examples& examples,
                                 const std::string& path) {
  done.save_proof(path);
  const Verification found = verify(done.model, path, examples, 1);
  EXPECT_TRUE(found.holds) << found.gap() << " > " << found.claimed;
  EXPECT_LE(found.lower, found.upper);
  EXPECT_LT(found.rounding, 1e-6 * found.upper);
  return found;
}

/// Three classes that one number each speaks for, as a problem of somebody's own.
inline Examples own_examples() {
  const auto argmax = [](Index i, Weights w, Corner& out) {
    const Index truth = i % 3;
    const double x = 1.0 + 0.1 * static_cast<double>(i);
    const auto score = [&](Index y) {
      return x * w[static_cast<std::size_t>(y)] + (y == truth ? 0.0 : 1.0);
    };
    Index best = truth;
    for (Index y = 0; y < 3; ++y) {
      if (score(y) > score(best)) best = y;
    }
    if (best == truth) return;
    out.parts.collect(truth, x);
    out.parts.collect(best, -x);
    out.loss = 1.0;
  };
  return Examples(make_argmax_problem(9, 3, argmax));
}

}  // namespace gapwise::internal::testing
