#include "tasks/pose/driver.h"

namespace gapwise::internal {
namespace {

class PoseDriver final : public TaskDriver {
 public:
  PoseDriver()
      : TaskDriver("pose", "find the joints of a figure on a grid from score maps",
                   pose_formats()) {}

  OptionTable options() override {
    MapSettings& maps = choices_.maps;
    return {
        choice("loss", choices_.loss,
               "what a joint costs: its distance, full from the threshold on; or 1 beyond the "
               "threshold"),
        option("pdj-threshold", choices_.threshold, positive(), "X",
               "how far a found joint may be from its place, in torso sizes"),
        flag("pairwise", choices_.has_springs,
             "no: leave out the springs between joints, so that each joint is on its own"),
        option("grid", maps.grid, between(kSmallestGrid, kLargestGrid), "N",
               "format joints: cells across and down"),
        option("map-noise", maps.noise, between(0, 1), "X",
               "format joints: how far the peaks of the score maps lie off their joint"),
        option("map-distractors", maps.distractors, between(0, kMostDistractors), "N",
               "format joints: peaks of each score map that belong to nothing"),
        option("map-misses", maps.misses, between(0, 1), "P",
               "format joints: how often a joint has no peak in its score map"),
        option("map-seed", maps.seed, "N", "format joints: seed of the score maps"),
    };
  }

  std::unique_ptr<TrainingSet> read_training(const DataSource& source, const Threads&) override {
    validate(options());
    return make_pose_training_set(source, choices_);
  }

  std::unique_ptr<Predictor> open(ModelRecord model) const override {
    return make_pose_predictor(decode_pose_model(std::move(model)));
  }

  std::string sample(Index examples, Rng& rng) const override { return sample_pose(examples, rng); }

  bool looks_familiar(std::string_view head) const override { return looks_like_poses(head); }

 private:
  PoseChoices choices_;
};

}  // namespace

GAPWISE_TASK_DRIVER(pose, PoseDriver)

}  // namespace gapwise::internal
