// Probabilities that mean what they say.

#include "gapwise/calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/example_set.h"
#include "app/loaded_model.h"

namespace gapwise {
namespace {

using internal::Belief;

constexpr std::size_t kBins = 10;
constexpr double kColdest = 1e-4;
constexpr double kLeastProbability = 1e-30;
constexpr double kHottest = 1e4;
constexpr double kAccuracy = 1e-3;  ///< of the logarithm of the temperature

/// The examples as a model sees them, to be asked at several temperatures.
class Places {
 public:
  Places(const Model& model, const Examples& examples, ThreadCount threads)
      : predictor_(model.loaded().predictor()),
        batches_(examples.set().batches(predictor_, internal::Purpose::kEvaluate)),
        threads_(internal::make_threads(threads)) {}

  template <class Visit>
  void for_each(double temperature, Visit visit) const {
    for (const auto& batch : batches_) {
      for (const Belief& belief : predictor_.beliefs(*batch, temperature, *threads_)) visit(belief);
    }
  }

  /// Labels that the model does not know are left out. Those that its constraints forbid are as
  /// unlikely at every temperature, and should not hide the others.
  double log_loss(double temperature) const {
    double sum = 0.0;
    Index known = 0;
    for_each(temperature, [&](const Belief& belief) {
      if (belief.gold < 0.0) return;
      sum -= std::log(std::max(belief.gold, kLeastProbability));
      ++known;
    });
    return known == 0 ? std::numeric_limits<double>::infinity() : sum / static_cast<double>(known);
  }

 private:
  const internal::Predictor& predictor_;
  std::vector<std::unique_ptr<internal::Batch>> batches_;
  std::unique_ptr<internal::Threads> threads_;
};

/// The minimum of f between a and b, if it has one only there, by golden sections.
template <class F>
double minimize(F f, double a, double b) {
  const double golden = (std::sqrt(5.0) - 1.0) / 2.0;
  double left = b - golden * (b - a);
  double right = a + golden * (b - a);
  double at_left = f(left);
  double at_right = f(right);
  while (b - a > kAccuracy) {
    if (at_left <= at_right) {
      b = right;
      right = left;
      at_right = at_left;
      left = b - golden * (b - a);
      at_left = f(left);
    } else {
      a = left;
      left = right;
      at_left = at_right;
      right = a + golden * (b - a);
      at_right = f(right);
    }
  }
  return (a + b) / 2.0;
}

}  // namespace

Reliability reliability(const Model& model, const Examples& examples, double temperature,
                        ThreadCount threads) {
  internal::expect_task(model, examples);
  const Places places(model, examples, threads);
  Reliability result;
  result.temperature = temperature;
  result.bins.resize(kBins);
  places.for_each(temperature, [&](const Belief& belief) {
    const auto k = static_cast<std::size_t>(belief.predicted * static_cast<double>(kBins));
    ReliabilityBin& bin = result.bins[std::min(k, kBins - 1)];
    ++bin.places;
    bin.confidence += belief.predicted;
    bin.accuracy += belief.is_right ? 1.0 : 0.0;
  });
  for (std::size_t k = 0; k < kBins; ++k) {
    ReliabilityBin& bin = result.bins[k];
    bin.low = static_cast<double>(k) / static_cast<double>(kBins);
    bin.high = static_cast<double>(k + 1) / static_cast<double>(kBins);
    result.places += bin.places;
    result.confidence += bin.confidence;
    result.accuracy += bin.accuracy;
    result.calibration_error += std::fabs(bin.accuracy - bin.confidence);
    if (bin.places == 0) continue;
    bin.confidence /= static_cast<double>(bin.places);
    bin.accuracy /= static_cast<double>(bin.places);
  }
  const auto count = static_cast<double>(result.places);
  result.confidence /= count;
  result.accuracy /= count;
  result.calibration_error /= count;
  result.log_loss = places.log_loss(temperature);
  return result;
}

/// The loss may have several minima, so a few temperatures are looked at first.
double fit_temperature(const Model& model, const Examples& examples, ThreadCount threads) {
  internal::expect_task(model, examples);
  const Places places(model, examples, threads);
  const auto loss = [&](double log_temperature) {
    return places.log_loss(std::exp(log_temperature));
  };
  constexpr int kLooks = 13;
  const double first = std::log(kColdest);
  const double step = (std::log(kHottest) - first) / (kLooks - 1);
  double best = first;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kLooks; ++k) {
    const double value = loss(first + k * step);
    if (value >= least) continue;
    least = value;
    best = first + k * step;
  }
  if (least == std::numeric_limits<double>::infinity()) {
    throw InputError("the examples hold no label that the model knows; give others");
  }
  return std::exp(minimize(loss, best - step, best + step));
}

}  // namespace gapwise
