#pragma once

#include <vector>

#include "gapwise/examples.h"
#include "gapwise/model.h"

namespace gapwise {

/// Places at which a model was about as sure: what it claimed and how often it was right.
struct ReliabilityBin {
  double low = 0.0;         ///< of the probabilities in it
  double high = 0.0;        ///< the same; the last bin includes it
  Index places = 0;         ///< how many there are
  double confidence = 0.0;  ///< mean probability of what was said
  double accuracy = 0.0;    ///< share of what was right
};

/// How far probabilities are to be trusted.
struct Reliability {
  double temperature = 1.0;  ///< of the probabilities
  Index places = 0;          ///< tokens or inputs
  double accuracy = 0.0;     ///< share of right ones
  double confidence = 0.0;   ///< mean probability of what was said
  /// The expected calibration error: |accuracy - confidence| of the bins, weighted by their places.
  double calibration_error = 0.0;
  /// Mean of -log(probability of what is right), over labels that the model knows.
  double log_loss = 0.0;
  std::vector<ReliabilityBin> bins;  ///< ten of the same width
};

/// How far the probabilities of a model at some temperature are to be trusted on labelled examples,
/// place by place. OptionError if the task has no probabilities.
Reliability reliability(const Model& model, const Examples& examples, double temperature,
                        ThreadCount threads = {});

/// The temperature with the smallest log loss on labelled examples, which should be others than
/// those of the training, found to a thousandth of itself between 1e-4 and 1e4.
double fit_temperature(const Model& model, const Examples& examples, ThreadCount threads = {});

}  // namespace gapwise
