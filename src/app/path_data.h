#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gapwise/path.h"
#include "io/model_record.h"

namespace gapwise::internal {

/// What is common to all points of a path; the first piece of its file.
struct PathHeader {
  std::map<std::string, std::string> identity;  ///< task, its options and those of the solver
  std::uint64_t fingerprint = 0;                ///< of the training data
  double mean_loss = 0.0;                       ///< the primal at w = 0; not of a grid
  bool is_grid = false;                         ///< nothing is promised between the points
  ModelRecord model;                            ///< names and settings; its weights are 0
};

/// How good the weights of `point` are at a lambda up to its own: they keep their violations, and a
/// dual point keeps rho = lambda / point.lambda of its value, because giving 1 - rho of every
/// block's weight to the truth scales w and the losses alike (docs/lambda.md).
PathValue value_below(const PathPoint& point, double lambda);
/// How good t = point.lambda / lambda times its weights are at a lambda from its own on: the hinge
/// is convex and `mean_loss` at w = 0, and the dual point stays, with its loss.
PathValue value_above(const PathPoint& point, double lambda, double mean_loss);
/// The smallest lambda at which the weights of `point` are within epsilon; 0 if they are at all,
/// point.lambda if they are nowhere below it.
double reach_below(const PathPoint& point, double epsilon);
/// The largest lambda at which they are, multiplied; infinite if they are everywhere.
double reach_above(const PathPoint& point, double epsilon, double mean_loss);

/// What a `Path` is a handle of.
class PathData {
 public:
  explicit PathData(PathHeader header) : header_(std::move(header)) {}

  const PathHeader& header() const { return header_; }
  double epsilon() const { return epsilon_; }
  void set_epsilon(double epsilon) { epsilon_ = epsilon; }
  const std::vector<PathPoint>& points() const { return points_; }
  StopReason reason() const { return reason_; }
  void set_reason(StopReason reason) { reason_ = reason; }

  bool has_point(double lambda) const;
  void add(PathPoint point, std::string weights);

  /// Down to where the guarantee holds without a hole, from infinity on.
  double lambda_end() const;
  /// Where the next point should be: as far below the end as it will reach up, by what the last one
  /// does; in the middle of a hole, if there are points below the end.
  double next_lambda() const;

  PathValue at(double lambda) const;
  std::vector<double> weights(const PathValue& value) const;
  Model model(double lambda) const;

 private:
  PathValue at_point(double lambda) const;
  double top_of(const PathPoint& point) const {
    return reach_above(point, epsilon_, header_.mean_loss);
  }

  PathHeader header_;
  double epsilon_ = 0.0;
  std::vector<PathPoint> points_;  ///< by falling lambda
  std::vector<std::string> weights_;
  StopReason reason_ = StopReason::kConverged;
};

/// Weights as bytes: places and values of those that are not 0. Those that were not kept are no
/// bytes at all.
std::string encode_weights(Weights w);
std::vector<double> decode_weights(std::string_view bytes, const std::string& where);

}  // namespace gapwise::internal
