#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figures.h"

namespace gapwise::internal {

/// How one entry of a comparison went.
struct Outcome {
  std::string label;
  std::string objective;               ///< equal for runs that minimise the same, lambda aside
  Figures figures;                     ///< at the end; without a status if the run broke off
  std::vector<Progress> measurements;  ///< every gap pass, in order
  std::vector<Tested> tests;           ///< on the way, in order
  std::optional<std::string> error;    ///< why the run broke off
};

/// Several runs on the same data.
struct Comparison {
  std::vector<std::string> notes;    ///< what all runs have in common, a line each
  std::vector<double> gaps;          ///< relative gaps to tell the way to
  std::vector<Outcome> outcomes;     ///< in the order of the list
  std::vector<std::string> skipped;  ///< labels of the entries that were not run
};

/// Whether some gap of the run is no certificate.
bool lacks_certificate(const Outcome& outcome);

/// The largest lower bound of the optimum that any run with the objective of `run` has found.
double best_dual(const std::vector<Outcome>& outcomes, const Outcome& run);

/// By the certificate of the run itself if it has one, otherwise against `best_dual`; none if no
/// run had a dual.
std::optional<double> relative_gap(Progress progress, double best_dual);

/// The first measurement of `run` within a relative gap; null if there is none.
const Progress* first_within(const std::vector<Outcome>& outcomes, const Outcome& run, double gap);

/// The value of a metric, if it was measured.
std::optional<double> value_of(const std::optional<Metrics>& metrics, std::string_view name);

/// The metrics to tell of the test, which all runs share: the first one and the main one.
struct TestColumns {
  explicit TestColumns(const std::vector<Outcome>& outcomes);

  std::string first;
  std::string main;
  Better better = Better::kHigher;  ///< values of the main one
  bool has_way = false;             ///< some run was tested on the way

  /// The main one, by which a model is judged, before the first.
  std::vector<std::string> names() const;
  /// The first test on the way that is as good as `share` of the last one; null if there is none.
  const Progress* first_near_the_end(const Outcome& outcome, double share) const;
};

}  // namespace gapwise::internal
