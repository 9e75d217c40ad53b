#include "app/path_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/loaded_model.h"
#include "core/archive.h"

namespace gapwise::internal {

PathValue value_below(const PathPoint& point, double lambda) {
  const double rho = lambda / point.lambda;
  PathValue value;
  value.primal = point.primal - 0.5 * (point.lambda - lambda) * point.squared_length;
  value.dual = rho * point.dual;
  value.is_certified = point.is_certified;
  return value;
}

PathValue value_above(const PathPoint& point, double lambda, double mean_loss) {
  const double t = point.lambda / lambda;
  PathValue value;
  value.factor = t;
  value.primal = t * point.primal + (1.0 - t) * mean_loss;
  value.dual = t * point.dual + (1.0 - t) * point.dual_loss;
  value.is_certified = point.is_certified;
  return value;
}

double reach_below(const PathPoint& point, double epsilon) {
  // The gap grows by Delta for every 1 - rho: see value_below.
  const double delta = point.dual - 0.5 * point.lambda * point.squared_length;
  const double room = epsilon - point.gap();
  if (room < 0.0) return point.lambda;
  if (delta <= room) return 0.0;
  return (1.0 - room / delta) * point.lambda;
}

double reach_above(const PathPoint& point, double epsilon, double mean_loss) {
  // The gap is that of the point for t = 1 and this for t = 0, and linear in between.
  const double at_zero = mean_loss - point.dual_loss;
  const double room = epsilon - point.gap();
  if (room < 0.0) return point.lambda;
  if (at_zero <= epsilon) return std::numeric_limits<double>::infinity();
  return point.lambda / (1.0 - room / (at_zero - point.gap()));
}

void PathData::add(PathPoint point, std::string weights) {
  const auto at =
      std::upper_bound(points_.begin(), points_.end(), point.lambda,
                       [](double lambda, const PathPoint& other) { return lambda > other.lambda; });
  weights_.insert(weights_.begin() + (at - points_.begin()), std::move(weights));
  points_.insert(at, std::move(point));
}

bool PathData::has_point(double lambda) const {
  return std::any_of(points_.begin(), points_.end(),
                     [lambda](const PathPoint& point) { return point.lambda == lambda; });
}

double PathData::lambda_end() const {
  if (points_.empty()) return std::numeric_limits<double>::infinity();
  if (header_.is_grid) return points_.back().lambda;
  double end = std::numeric_limits<double>::infinity();
  while (true) {
    double next = end;
    for (const PathPoint& point : points_) {
      if (std::max(point.lambda, top_of(point)) < end) continue;
      next = std::min(next, reach_below(point, epsilon_));
    }
    if (next >= end) return end;
    end = next;
  }
}

double PathData::next_lambda() const {
  const double end = lambda_end();
  const auto below = std::find_if(points_.begin(), points_.end(),
                                  [end](const PathPoint& point) { return point.lambda < end; });
  if (below != points_.end()) {
    const double middle = std::sqrt(end * std::max(below->lambda, top_of(*below)));
    return middle < end ? middle : end;
  }
  // The next point reaches somewhat less far up than this one.
  constexpr double kShare = 0.75;  // of the way, by logarithm
  constexpr double kMost = 8.0;
  const PathPoint& last = points_.back();
  return end / std::min(kMost, std::pow(top_of(last) / last.lambda, kShare));
}

/// A grid knows its points only.
PathValue PathData::at_point(double lambda) const {
  for (std::size_t k = 0; k < points_.size(); ++k) {
    if (points_[k].lambda != lambda) continue;
    PathValue value = value_below(points_[k], lambda);
    value.point = k;
    return value;
  }
  std::vector<double> lambdas;
  for (const PathPoint& point : points_) lambdas.push_back(point.lambda);
  throw OptionError(fmt::format("\1lambda = {} is none of this grid, which has {}", lambda,
                                fmt::join(lambdas, ", ")));
}

PathValue PathData::at(double lambda) const {
  if (!(lambda > 0.0) || !std::isfinite(lambda)) {
    throw OptionError(fmt::format("\1lambda = {} must be a positive number", lambda));
  }
  if (header_.is_grid) return at_point(lambda);
  if (points_.empty() || lambda < lambda_end()) {
    throw OptionError(
        fmt::format("\1lambda = {} is below {}, where this path ends; make it longer with a "
                    "smaller \1lambda-min",
                    lambda, lambda_end()));
  }
  PathValue best;
  best.primal = std::numeric_limits<double>::infinity();
  double dual = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < points_.size(); ++k) {
    PathValue value = points_[k].lambda >= lambda
                          ? value_below(points_[k], lambda)
                          : value_above(points_[k], lambda, header_.mean_loss);
    value.point = k;
    if (value.is_certified) dual = std::max(dual, value.dual);
    if (value.gap() < best.gap()) best = value;
  }
  best.dual = std::max(best.dual, dual);  // every one is a lower bound of the same optimum
  return best;
}

std::vector<double> PathData::weights(const PathValue& value) const {
  if (weights_[value.point].empty()) {
    throw OptionError("this path was made for its scores, without weights; train at its lambda");
  }
  std::vector<double> w = decode_weights(weights_[value.point], header_.model.source);
  if (value.factor != 1.0) {
    for (double& x : w) x *= value.factor;
  }
  return w;
}

Model PathData::model(double lambda) const {
  const PathValue value = at(lambda);
  ModelRecord record = header_.model;
  record.w = weights(value);
  record.settings["lambda"] = fmt::format("{}", lambda);
  record.settings["primal"] = fmt::format("{}", value.primal);
  record.settings["dual"] = fmt::format("{}", value.dual);
  record.settings["gap"] = fmt::format("{}", value.gap());
  record.settings["certified"] = value.is_certified ? "yes" : "no";
  return make_model(std::move(record));
}

std::string encode_weights(Weights w) {
  ByteWriter out;
  out.u64(w.size());
  std::vector<std::int64_t> places;
  std::vector<double> values;
  for (std::size_t j = 0; j < w.size(); ++j) {
    if (w[j] == 0.0) continue;
    places.push_back(static_cast<std::int64_t>(j));
    values.push_back(w[j]);
  }
  const bool is_dense = 2 * values.size() > w.size();
  out.u8(is_dense ? 1 : 0);
  if (is_dense) {
    out.f64s(w);
  } else {
    out.i64s(places);
    out.f64s(values);
  }
  return out.take();
}

std::vector<double> decode_weights(std::string_view bytes, const std::string& where) {
  ByteReader in(bytes, where);
  const std::uint64_t dimension = in.u64();
  if (dimension > kMaxDimension) in.fail(fmt::format("holds {} weights, too many", dimension));
  std::vector<double> w;
  if (in.u8() != 0) {
    w = in.f64s();
    if (w.size() != dimension) in.fail("holds another number of weights than it says");
  } else {
    const std::vector<std::int64_t> places = in.i64s();
    const std::vector<double> values = in.f64s();
    if (places.size() != values.size()) in.fail("holds weights without places");
    w.assign(dimension, 0.0);
    for (std::size_t k = 0; k < places.size(); ++k) {
      const auto j = static_cast<std::uint64_t>(places[k]);
      if (j >= dimension) in.fail(fmt::format("has a weight at place {} of {}", j, dimension));
      w[j] = values[k];
    }
  }
  in.expect_end();
  if (!std::all_of(w.begin(), w.end(), [](double x) { return std::isfinite(x); })) {
    in.fail("has a weight that is not finite");
  }
  return w;
}

}  // namespace gapwise::internal

namespace gapwise {

const std::vector<PathPoint>& Path::points() const {
  return data_->points();
}
double Path::epsilon() const {
  return data_->epsilon();
}
bool Path::is_grid() const {
  return data_->header().is_grid;
}
double Path::lambda_end() const {
  return data_->lambda_end();
}
StopReason Path::reason() const {
  return data_->reason();
}
PathValue Path::at(double lambda) const {
  return data_->at(lambda);
}
std::vector<double> Path::weights(double lambda) const {
  return data_->weights(data_->at(lambda));
}
Model Path::model(double lambda) const {
  return data_->model(lambda);
}

}  // namespace gapwise
