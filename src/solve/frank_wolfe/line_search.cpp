#include "solve/frank_wolfe/line_search.h"

#include <algorithm>

namespace gapwise::internal {
namespace {

/// Curvatures below this are zero but for rounding: the dual is linear along the line.
constexpr double kFlat = 1e-300;

/// Walks along a line from piece to piece.
struct Walker {
  explicit Walker(const Ascent& line) : slope(line.slope), curvature(line.curvature) {}

  double gain_of(double step) const { return step * (slope - 0.5 * step * curvature); }
  void cross(const Bend& bend) {
    slope -= (bend.gamma - at) * curvature;
    at = bend.gamma;
    curvature = std::max(0.0, curvature + bend.curvature_change);
  }

  double at = 0.0;
  double slope;
  double curvature;
};

}  // namespace

double Ascent::gain(double gamma) const {
  Walker here(*this);
  double sum = 0.0;
  for (const Bend& bend : bends) {
    if (bend.gamma >= gamma) break;
    sum += here.gain_of(bend.gamma - here.at);
    here.cross(bend);
  }
  return sum + here.gain_of(gamma - here.at);
}

double exact_line_search(const Ascent& line, double largest) {
  Walker here(line);
  for (const Bend& bend : line.bends) {
    if (bend.gamma >= largest || here.slope <= (bend.gamma - here.at) * here.curvature) break;
    here.cross(bend);
  }
  if (here.slope <= 0.0) return here.at;
  if (here.curvature <= kFlat || here.slope >= (largest - here.at) * here.curvature) return largest;
  return std::min(largest, here.at + here.slope / here.curvature);
}

}  // namespace gapwise::internal
