#pragma once

#include <string>
#include <vector>

#include "io/model.h"
#include "tasks/pose/reader.h"

namespace gapwise::internal {

/// A pose model in terms of its task; `Model` is its form in a file.
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
Model encode_pose_model(const PoseModel& model, Weights w);

/// Takes the model apart. InputError if it does not fit together.
PoseModel decode_pose_model(Model model);

}  // namespace gapwise::internal
