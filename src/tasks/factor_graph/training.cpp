#include <fmt/format.h>

#include <algorithm>

#include "gapwise/errors.h"
#include "io/fields.h"
#include "tasks/factor_graph/driver.h"
#include "tasks/factor_graph/reader.h"

namespace gapwise::internal {
namespace {

class FactorGraphTrainingSet final : public TrainingSet {
 public:
  FactorGraphTrainingSet(const DataSource& source, FactorGraphSettings settings)
      : settings_(std::move(settings)) {
    auto data = std::make_shared<FactorGraphData>(read(source));
    num_variables_ = data->variables.size();
    num_factors_ = data->factors.size();
    const GraphWeightLayout layout(names_);
    check_dimension(layout, source.path);
    problem_ = make_factor_graph_problem(std::move(data), layout, settings_.loss);
    if (settings_.inference == Inference::kLp) problem_ = make_relaxed_problem(std::move(problem_));
  }

  const Problem& problem() const override { return *problem_; }

  std::string describe() const override {
    return fmt::format("{}, {}, {}, {} and {}",
                       counted(static_cast<std::size_t>(problem_->num_blocks()), "graph"),
                       counted(num_variables_, "variable"), counted(num_factors_, "factor"),
                       counted(names_.variable_attributes.size(), "attribute"),
                       counted(names_.factor_attributes.size(), "factor attribute"));
  }

  ModelRecord make_model(Weights w, Keep keep) const override {
    return encode_factor_graph_model(settings_, names_, w, keep);
  }

 private:
  FactorGraphData read(const DataSource& source) {
    const auto reader =
        make_factor_graph_reader({source.path, settings_.format, source.folds, true, true}, names_);
    FactorGraphBatch batch;
    while (reader->read(batch)) {
    }
    if (batch.size() == 0) throw InputError(reader->complaint());
    FactorGraphData& data = batch.data;
    if (std::all_of(data.costs.begin(), data.costs.end(), [](double x) { return x == 0.0; })) {
      throw InputError(fmt::format(
          "{}: all variables have weight 0, so there is nothing to learn; give some of them a "
          "weight",
          source.path));
    }
    finish_features(data, names_);
    return std::move(data);
  }

  FactorGraphSettings settings_;
  GraphVocabulary names_;
  std::size_t num_variables_ = 0;
  std::size_t num_factors_ = 0;
  std::unique_ptr<Problem> problem_;
};

}  // namespace

std::unique_ptr<TrainingSet> make_factor_graph_training_set(const DataSource& source,
                                                            FactorGraphSettings settings) {
  return std::make_unique<FactorGraphTrainingSet>(source, std::move(settings));
}

}  // namespace gapwise::internal
