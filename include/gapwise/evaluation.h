#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gapwise/examples.h"
#include "gapwise/metrics.h"
#include "gapwise/model.h"

namespace gapwise {

/// What `evaluate_in_detail` is asked.
struct EvaluationSettings {
  Index worst = 0;  ///< so many examples with the most errors
  /// The share of a confidence interval: 0.95; none if not set.
  std::optional<double> confidence = {};
  Index resamples = 1000;  ///< how often examples are drawn anew for intervals
  std::uint64_t seed = 1;  ///< of what is drawn
};

/// How well one label is told: a label of tokens or inputs, a type of chunks where labels mark
/// chunks, a relation of a parser, a class of pixels, a state, a joint.
struct LabelFigures {
  std::string label;       ///< its name
  double support = 0.0;    ///< how often it is right
  double predicted = 0.0;  ///< how often it was said
  double correct = 0.0;    ///< both at once

  double precision() const { return predicted == 0.0 ? 0.0 : correct / predicted; }  ///< 0 of none
  double recall() const { return support == 0.0 ? 0.0 : correct / support; }         ///< 0 of none
  /// Their harmonic mean.
  double f1() const {
    return support + predicted == 0.0 ? 0.0 : 2.0 * correct / (support + predicted);
  }
};

/// How often something was said where something else is right; an empty name stands for nothing.
struct Confusion {
  std::string gold;       ///< what is right
  std::string predicted;  ///< what was said
  double count = 0.0;     ///< how often, or how many pixels
};

/// An example with errors.
struct WorstExample {
  Index example = 0;                  ///< its number, from 0
  double errors = 0.0;                ///< wrong tokens, labels, pixels, links, arcs or joints
  std::vector<Confusion> confusions;  ///< what went wrong there, most frequent first
};

/// Between these a figure of merit lies with the confidence asked for.
struct Interval {
  double low = 0.0;   ///< its lower end
  double high = 0.0;  ///< its upper end
};

/// How good a model is on labelled examples, and where it is not.
struct Evaluation {
  Metrics metrics;                   ///< as Model::evaluate says
  std::vector<Interval> intervals;   ///< one for each metric, if asked for
  std::vector<LabelFigures> labels;  ///< by name; none for tasks without labels
  /// What was said where, right or wrong, most frequent first; none for tasks without labels.
  std::vector<Confusion> confusions;
  std::vector<WorstExample> worst;  ///< those with the most errors first, if asked for
};

/// Evaluates a model on examples, which are all in memory at once. Intervals are percentiles over
/// examples drawn with repetition (the bootstrap).
Evaluation evaluate_in_detail(const Model& model, const Examples& examples,
                              const EvaluationSettings& settings = {}, ThreadCount threads = {});

/// How two models differ on the same examples, by their main metric.
struct Difference {
  Metric first;          ///< of the first model
  Metric second;         ///< of the second one
  double by = 0.0;       ///< how much better the first one is; negative: worse
  Interval interval;     ///< of `by`
  double p_value = 1.0;  ///< how likely so much, either way, is where there is no difference
};

/// The paired bootstrap: both models are measured on the same examples drawn with repetition.
/// `settings.confidence` is 0.95 if not set. OptionError if their tasks differ.
Difference compare_models(const Model& first, const Model& second, const Examples& examples,
                          const EvaluationSettings& settings = {}, ThreadCount threads = {});

}  // namespace gapwise
