#include "tasks/multiclass/driver.h"

#include <fmt/format.h>

#include "io/label_weights.h"
#include "tasks/multiclass/reader.h"
#include "tasks/shared/svmlight_head.h"

namespace gapwise::internal {
namespace {

enum class MulticlassLoss { kZeroOne, kCostMatrix };
constexpr std::array<std::string_view, 2> enum_names(MulticlassLoss) {
  return {"zero-one", "cost-matrix"};
}

class MulticlassDriver final : public TaskDriver {
 public:
  MulticlassDriver()
      : TaskDriver("multiclass", "put every example into one of several classes",
                   multiclass_formats()) {}

  OptionTable options() override {
    return {
        choice("loss", loss_, "what a wrong class costs: 1, or as the cost matrix says"),
        option("cost-matrix", cost_matrix_, "FILE",
               "costs, a line for each true class and a column for each predicted one; means "
               "\1loss cost-matrix"),
        label_weights_option(label_weights_,
                             "how many times the cost of taking an example of a class for another "
                             "counts"),
        flag("bias", has_bias_, "give every example a constant feature of value 1"),
        scale_option(scale_),
    };
  }

  std::unique_ptr<TrainingSet> read_training(const DataSource& source,
                                             const Threads& threads) override {
    return make_multiclass_training_set(source, settings(), threads);
  }

  std::unique_ptr<TrainingRows> make_rows() override {
    return make_multiclass_training_rows(settings());
  }

  std::unique_ptr<Predictor> open(ModelRecord model) const override {
    return make_multiclass_predictor(decode_multiclass_model(std::move(model)));
  }

  /// Noisy points around one centre per class.
  std::string sample(Index examples, Rng& rng) const override {
    constexpr int kClasses = 4;
    constexpr int kFeatures = 6;
    std::string text;
    for (Index i = 0; i < examples; ++i) {
      const Index label = i < kClasses ? i : rng.below(kClasses);
      text += fmt::format("{}", label + 1);
      for (int f = 0; f < kFeatures; ++f) {
        const double centre = f % kClasses == label ? 1.0 : 0.0;
        text += fmt::format(" {}:{:.3f}", f + 1, centre + 1.6 * rng.uniform() - 0.8);
      }
      text += "\n";
    }
    return text;
  }

  bool looks_familiar(std::string_view head) const override {
    return labels_of_svmlight(head) == SvmlightLabels::kOneEach;
  }

 private:
  MulticlassSettings settings() const {
    if (loss_ == MulticlassLoss::kCostMatrix && cost_matrix_.empty()) {
      throw OptionError("\1loss cost-matrix needs \1cost-matrix FILE");
    }
    return {has_bias_, cost_matrix_, scale_, label_weights_};
  }

  MulticlassLoss loss_ = MulticlassLoss::kZeroOne;
  std::string cost_matrix_;
  std::string label_weights_;
  bool has_bias_ = false;
  Scale scale_ = Scale::kNone;
};

}  // namespace

GAPWISE_TASK_DRIVER(multiclass, MulticlassDriver)

}  // namespace gapwise::internal
