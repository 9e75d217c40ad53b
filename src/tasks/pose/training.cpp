#include <fmt/format.h>

#include "io/fields.h"
#include "tasks/pose/driver.h"

namespace gapwise::internal {
namespace {

class PoseTrainingSet final : public TrainingSet {
 public:
  PoseTrainingSet(const DataSource& source, const PoseChoices& choices) {
    model_.loss = name_of(choices.loss);
    model_.threshold = choices.threshold;
    model_.made_maps = choices.maps;
    model_.has_springs = choices.has_springs;
    auto data = std::make_shared<PoseData>(read(source));
    model_.rest = measure_rest(*data);
    problem_ = make_pose_problem(std::move(data),
                                 {model_.layout(), model_.rest, choices.loss, choices.threshold});
  }

  const Problem& problem() const override { return *problem_; }

  std::string describe() const override {
    return fmt::format("{}, {}, {} on a grid of {}x{}",
                       counted(static_cast<std::size_t>(problem_->num_blocks()), "figure"),
                       counted(model_.frame.joints.size(), "joint"),
                       counted(model_.maps.size(), "score map"), model_.frame.grid.width,
                       model_.frame.grid.height);
  }

  /// All maps and joints are kept in any case.
  ModelRecord make_model(Weights w, Keep) const override { return encode_pose_model(model_, w); }

 private:
  PoseData read(const DataSource& source) {
    LineReader lines(source.path);
    model_.format = pose_format(source.format, lines);
    PosePlan plan;
    plan.format = model_.format;
    plan.folds = source.folds;
    plan.maps = model_.made_maps;
    plan.learns = true;
    const auto reader = make_pose_reader(plan, lines, model_.maps);
    model_.frame = reader->frame();
    PoseBatch batch;
    while (reader->read(batch)) batch.notes.clear();
    if (batch.data.size() == 0) throw InputError(reader->complaint());
    batch.data.grid = model_.frame.grid;
    batch.data.skeleton = model_.frame.skeleton;
    batch.data.maps.finish(static_cast<std::uint32_t>(model_.maps.size()));
    return std::move(batch.data);
  }

  PoseModel model_;  ///< without weights
  std::unique_ptr<Problem> problem_;
};

}  // namespace

std::unique_ptr<TrainingSet> make_pose_training_set(const DataSource& source,
                                                    const PoseChoices& choices) {
  return std::make_unique<PoseTrainingSet>(source, choices);
}

}  // namespace gapwise::internal
