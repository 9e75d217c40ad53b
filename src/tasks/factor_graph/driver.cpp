#include "tasks/factor_graph/driver.h"

#include "tasks/factor_graph/reader.h"

namespace gapwise::internal {
namespace {

class FactorGraphDriver final : public TaskDriver {
 public:
  FactorGraphDriver()
      : TaskDriver("factor-graph", "give every variable of a factor graph a state",
                   factor_graph_formats()) {}

  OptionTable options() override {
    return {
        choice("loss", settings_.loss,
               "what wrong states cost: the weights of their variables, or their part of all in "
               "the graph"),
        choice("inference", settings_.inference,
               "what training looks for in each graph: the best assignment, or the best point of "
               "its linear relaxation"),
    };
  }

  std::unique_ptr<TrainingSet> read_training(const DataSource& source, const Threads&) override {
    FactorGraphSettings settings = settings_;
    settings.format = factor_graph_format(source.format, source.path);
    return make_factor_graph_training_set(source, std::move(settings));
  }

  std::unique_ptr<Predictor> open(ModelRecord model) const override {
    return make_factor_graph_predictor(decode_factor_graph_model(std::move(model)));
  }

  std::string sample(Index examples, Rng& rng) const override {
    return sample_factor_graphs(examples, rng);
  }

  bool looks_familiar(std::string_view head) const override {
    return looks_like_factor_graphs(head);
  }

 private:
  FactorGraphSettings settings_;
};

}  // namespace

GAPWISE_TASK_DRIVER(factor_graph, FactorGraphDriver)

}  // namespace gapwise::internal
