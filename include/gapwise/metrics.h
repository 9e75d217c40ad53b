#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gapwise {

/// Which values of a figure of merit are the good ones.
enum class Better { kHigher, kLower };

/// One figure of merit of a model on some data.
struct Metric {
  std::string name;                 ///< "token_accuracy"
  double value = 0.0;               ///< mostly between 0 and 1
  Better better = Better::kHigher;  ///< which values are good
  /// The one to judge a model by where only one is looked at; each task has one.
  bool is_main = false;

  friend bool operator==(const Metric&, const Metric&) = default;
};

/// In the order they are printed.
using Metrics = std::vector<Metric>;

/// The metric of this name; null if there is none.
const Metric* find_metric(const Metrics& metrics, std::string_view name);
/// The main one; null if there is none.
const Metric* main_metric(const Metrics& metrics);

/// The largest weights of one group, for people to look at.
struct WeightTable {
  std::string title;                                 ///< "label B-NP", "transitions"
  std::vector<std::pair<std::string, double>> rows;  ///< names and weights, largest first
};

}  // namespace gapwise
