// An observer that looks on while a model is trained and stops once more training no longer helps
// on examples that were kept aside.

#include <gapwise/gapwise.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>

namespace {

/// Points around three centres, half of them with much noise.
gapwise::Examples draw_points(int count, std::mt19937& random) {
  gapwise::ExampleRows rows("multiclass", {{"bias", "yes"}});
  for (int i = 0; i < count; ++i) {
    const int kind = static_cast<int>(random() % 3);
    for (int f = 0; f < 20; ++f) {
      const double noise = static_cast<double>(random()) / 0x1p31 - 1.0;
      rows.feature(f + 1, (f % 3 == kind ? 0.4 : 0.0) + noise);
    }
    rows.label("kind " + std::to_string(kind));
    rows.end_example();
  }
  return rows.finish();
}

class StopsWhenNothingHelps : public gapwise::Observer {
 public:
  void on_test(const gapwise::Progress& progress, const gapwise::Metrics& metrics) override {
    const double score = gapwise::main_metric(metrics)->value;
    std::printf("pass %3ld: accuracy %.3f\n", static_cast<long>(progress.passes), score);
    tests_without_gain_ = score > best_ ? 0 : tests_without_gain_ + 1;
    best_ = std::max(best_, score);
  }
  /// Asked before every step.
  bool wants_stop() override { return tests_without_gain_ == kPatience; }

 private:
  static constexpr int kPatience = 5;
  double best_ = 0.0;
  int tests_without_gain_ = 0;
};

}  // namespace

int main() {
  std::mt19937 random(3);
  const gapwise::Examples train = draw_points(300, random);

  gapwise::TrainOptions options;
  options.solver = "bcfw";
  options.lambda = gapwise::Lambda::of(1e-4);
  options.relative_gap = 1e-6;
  options.max_passes = 100000;
  gapwise::FitSettings settings;
  settings.test = draw_points(200, random);
  settings.test_every = 1;
  StopsWhenNothingHelps observer;
  const gapwise::Fit fit = gapwise::fit(train, options, observer, settings);
  std::printf("%s after %ld passes, at a certified gap of %.1f %%\n",
              name_of(fit.report.reason).data(), static_cast<long>(fit.report.progress.passes),
              100.0 * fit.report.progress.relative_gap().value_or(1.0));
  return fit.report.reason == gapwise::StopReason::kInterrupted ? 0 : 1;
}
