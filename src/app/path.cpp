#include "gapwise/path.h"

#include "app/sweep.h"

namespace gapwise {

Path fit_path(const Examples& examples, const TrainOptions& options, const PathSettings& settings,
              PathObserver& observer) {
  internal::check_sweep(options, settings);
  const auto data = std::make_shared<const internal::TrainingData>(examples, settings.test,
                                                                   settings.oracle_delay);
  internal::Sweep sweep(data, options, settings, observer);
  while (sweep.next()) continue;
  sweep.finish();
  return Path(sweep.path());
}

Path fit_path(const Examples& examples, const TrainOptions& options, const PathSettings& settings) {
  PathObserver nobody;
  return fit_path(examples, options, settings, nobody);
}

Path load_path(const std::string& file) {
  return Path(std::make_shared<internal::PathData>(internal::PathFile(file).read()));
}

}  // namespace gapwise
