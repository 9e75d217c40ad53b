#include "gapwise/lambda_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <mutex>

#include "app/lambda_grid.h"
#include "app/split.h"
#include "app/sweep.h"
#include "core/plain_decode.h"

namespace gapwise::internal {
namespace {

/// Values of lambda after the best one before a quick search gives up: so many, or as many as took
/// this share of the work before.
constexpr std::size_t kPatience = 2;
constexpr double kShareOfWork = 0.5;
/// Steps by remembered outputs that cost about as much as a call of the oracle.
constexpr double kStepsPerCall = 8.0;
/// Fewer examples than this are worth a cross-validation, which takes as long as a training on all
/// of them with two folds.
constexpr Index kFewExamples = 5000;
/// The relative gap that a quick search is content with.
constexpr double kRoughGap = 0.1;
/// What it may take of a budget of seconds.
constexpr double kShareOfTime = 0.75;

/// Tells the observer of a search what happens on one fold. Several threads come here.
class FoldObserver final : public PathObserver {
 public:
  FoldObserver(Index fold, std::mutex& mutex, LambdaSearchObserver& user)
      : fold_(fold), mutex_(mutex), user_(user) {}

  void on_point(const PathPoint& point) override {
    const std::lock_guard lock(mutex_);
    user_.on_point(fold_, point);
  }
  void on_failure(const std::string& what) override {
    const std::lock_guard lock(mutex_);
    user_.on_failure(what);
  }
  bool wants_stop() override { return user_.wants_stop(); }

 private:
  Index fold_;
  std::mutex& mutex_;
  LambdaSearchObserver& user_;
};

/// A part of the training examples, and a sweep over lambda on it.
struct Fold {
  PathSettings settings;
  std::unique_ptr<FoldObserver> observer;
  std::unique_ptr<Sweep> sweep;
  bool is_done = false;
};

void check_settings(const Examples& examples, const LambdaSearchSettings& settings) {
  if (settings.folds < 0 || settings.folds == 1) {
    throw OptionError(fmt::format("\1folds = {} must be 2 or more, or 0 for none", settings.folds));
  }
  if (settings.folds > 0 && settings.path.test) {
    throw OptionError("lambda is chosen by \1folds or by examples to \1validate on: give one");
  }
  if (!(settings.hold_out > 0.0 && settings.hold_out < 1.0)) {
    throw OptionError(fmt::format("\1hold-out = {} must be between 0 and 1", settings.hold_out));
  }
  if (settings.one_standard_error && settings.folds == 0) {
    throw OptionError("the rule of one standard error needs \1folds");
  }
  if (examples.set().is_own() && !has_plain_decode(examples.problem())) {
    throw OptionError(
        "lambda of a problem of one's own is chosen by its argmax without the loss (predict), "
        "which "
        "this one does not have");
  }
}

/// The settings of a quick search, complete.
LambdaSearchSettings completed(LambdaSearchSettings settings, const Problem& problem,
                               const TrainOptions& options) {
  if (!settings.is_quick) return settings;
  settings.path.grid = quick_grid(problem, options);
  const bool is_small = problem.num_blocks() < kFewExamples;
  if (!settings.path.test && settings.folds == 0 && is_small) settings.folds = 2;
  return settings;
}

/// Scores settle long before the gap is small, and there is a training to follow.
TrainOptions rough(TrainOptions options) {
  options.gap.reset();
  options.relative_gap.reset();
  if (solver_info(options.solver).has_dual) options.relative_gap = kRoughGap;
  if (options.max_seconds) *options.max_seconds *= kShareOfTime;
  options.keep_outputs = false;
  for (const char* name : {"gap", "keep-outputs"}) options.given.erase(name);
  return options;
}

class Search {
 public:
  Search(const Examples& examples, const TrainOptions& options, LambdaSearchSettings settings,
         LambdaSearchObserver& user)
      : settings_(completed(std::move(settings), examples.problem(), options)),
        threads_(make_threads(options.threads)),
        user_(user) {
    check_sweep(options, settings_.path);
    if (!options.order.empty() && !settings_.path.test) {
      throw OptionError(
          "\1order names all examples, and lambda is chosen on some of them; leave it out, or give "
          "a file to \1validate on");
    }
    if (settings_.path.test) {
      add_fold(std::make_shared<const TrainingData>(examples, settings_.path.test,
                                                    settings_.path.oracle_delay),
               options);
    } else {
      add_parts(examples, options);
    }
  }

  LambdaSearch run() {
    user_.on_start(settings_.folds, settings_.path.grid);
    if (settings_.is_quick) {
      while (!is_over()) try_next();
      if (is_first_best()) {
        for (Fold& fold : folds_) {
          fold.settings.grid = {settings_.path.grid.begin(),
                                settings_.path.grid.begin() + kUnlikelyValues};
          fold.is_done = false;
        }
        while (!is_done()) try_next();
      }
    } else {
      for_each_fold([](Fold& fold) {
        while (fold.sweep->next()) continue;
      });
    }
    for (Fold& fold : folds_) fold.sweep->finish();
    return scores();
  }

 private:
  /// The training examples in parts, each of which tests the others; the first one only, if one
  /// part is held out.
  void add_parts(const Examples& examples, const TrainOptions& options) {
    SplitPlan plan{examples.size(), {}, settings_.groups, options.seed};
    plan.shares.assign(static_cast<std::size_t>(settings_.folds), 1.0);
    if (settings_.folds == 0) plan.shares = {settings_.hold_out, 1.0 - settings_.hold_out};
    const std::vector<Index> parts = split(plan);
    auto tests = make_split_tests(examples.set(), parts);
    TrainOptions own = options;
    if (settings_.folds > 0) own.threads = 1;  // the folds themselves run at the same time
    tests.resize(static_cast<std::size_t>(std::max<Index>(1, settings_.folds)));
    for (std::size_t k = 0; k < tests.size(); ++k) {
      add_fold(std::make_shared<const TrainingData>(
                   examples, examples_outside(parts, static_cast<Index>(k)), std::move(tests[k]),
                   settings_.path.oracle_delay),
               own);
    }
  }

  void add_fold(std::shared_ptr<const TrainingData> data, const TrainOptions& options) {
    Fold& fold = folds_.emplace_back();
    fold.settings = settings_.path;
    fold.settings.test.reset();
    fold.settings.keeps_weights = false;
    std::vector<double>& grid = fold.settings.grid;
    if (settings_.is_quick) grid.erase(grid.begin(), grid.begin() + kUnlikelyValues);
    if (!fold.settings.file.empty()) fold.settings.file += fmt::format(".fold{}", folds_.size());
    fold.observer = std::make_unique<FoldObserver>(std::ssize(folds_) - 1, mutex_, user_);
    fold.sweep = std::make_unique<Sweep>(std::move(data), options, fold.settings, *fold.observer);
  }

  void try_next() {
    for_each_fold([](Fold& fold) { fold.is_done = !fold.sweep->next(); });
  }

  template <class Action>
  void for_each_fold(Action action) {
    const auto count = static_cast<Index>(folds_.size());
    if (count == 1) return action(folds_.front());  // which has the threads for itself
    threads_->run(count, [&](Index begin, Index end, int) {
      for (Index k = begin; k < end; ++k) action(folds_[static_cast<std::size_t>(k)]);
    });
  }

  /// Whether some fold has nothing left to try, or had to break off.
  bool is_done() const {
    return std::any_of(folds_.begin(), folds_.end(), [](const Fold& fold) { return fold.is_done; });
  }

  /// Whether it is, or there is nothing better to be hoped for: the scores have become worse.
  bool is_over() const {
    if (is_done()) return true;
    const LambdaSearch now = has_points() ? scores() : LambdaSearch();
    if (now.table.empty()) return false;
    std::size_t last_best = now.best;  // as long as nothing changes, there is hope
    for (std::size_t k = now.best; k < now.table.size(); ++k) {
      if (now.table[k].mean == now.table[now.best].mean) last_best = k;
    }
    const std::size_t after = now.table.size() - 1 - last_best;
    if (after == 0) return false;
    double before = 0.0;
    double since = 0.0;
    for (const Fold& fold : folds_) {
      for (const PathPoint& point : fold.sweep->path()->points()) {
        (point.lambda >= now.table[last_best].lambda ? before : since) +=
            static_cast<double>(point.oracle_calls) +
            static_cast<double>(point.cached_steps) / kStepsPerCall;
      }
    }
    return after >= kPatience || since >= kShareOfWork * before;
  }

  /// Whether larger values than were tried may be better.
  bool is_first_best() const {
    const LambdaSearch now = scores();
    return !now.table.empty() && now.best == 0 && now.reason == StopReason::kConverged;
  }

  bool has_points() const {
    return std::none_of(folds_.begin(), folds_.end(),
                        [](const Fold& fold) { return fold.sweep->path()->points().empty(); });
  }

  LambdaSearch scores() const {
    std::vector<Path> paths;
    for (const Fold& fold : folds_) paths.emplace_back(fold.sweep->path());
    return choose_lambda(paths, settings_);
  }

  const LambdaSearchSettings settings_;
  std::unique_ptr<Threads> threads_;
  LambdaSearchObserver& user_;
  std::mutex mutex_;
  std::deque<Fold> folds_;
};

}  // namespace
}  // namespace gapwise::internal

namespace gapwise {

LambdaSearch search_lambda(const Examples& examples, const TrainOptions& options,
                           const LambdaSearchSettings& settings, LambdaSearchObserver& observer) {
  internal::check_settings(examples, settings);
  const TrainOptions asked = settings.is_quick ? internal::rough(options) : options;
  return internal::Search(examples, asked, settings, observer).run();
}

LambdaSearch search_lambda(const Examples& examples, const TrainOptions& options,
                           const LambdaSearchSettings& settings) {
  LambdaSearchObserver nobody;
  return search_lambda(examples, options, settings, nobody);
}

TrainOptions with_chosen(TrainOptions options, const LambdaSearch& search) {
  options.lambda = search.table.empty() ? Lambda() : Lambda::of(search.lambda());
  if (options.max_seconds) {
    *options.max_seconds = std::max(1e-3, *options.max_seconds - search.seconds);
  }
  return options;
}

}  // namespace gapwise
