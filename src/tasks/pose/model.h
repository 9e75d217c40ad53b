#pragma once

#include <string>
#include <vector>

#include "io/model_record.h"
#include "tasks/pose/reader.h"

namespace gapwise::internal {

/// A pose model in terms of its task; `ModelRecord` is its form in a file.
struct PoseModel {
  std::string format;
  std::string loss;
  double threshold = 0.0;  ///< in torso sizes
  MapSettings made_maps;   ///< format joints
  PoseFrame frame;
  Alphabet maps;
  bool has_springs = true;
  std::vector<Rest> rest;  ///< one for each joint
  std::vector<double> w;

  PoseLayout layout() const {
    return {static_cast<Index>(maps.size()), static_cast<Index>(frame.joints.size()), has_springs};
  }
};

/// With the weights `w` in place of its own.
ModelRecord encode_pose_model(const PoseModel& model, Weights w);

/// Takes the model apart. InputError if it does not fit together.
PoseModel decode_pose_model(ModelRecord model);

}  // namespace gapwise::internal
