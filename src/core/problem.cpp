#include "gapwise/problem.h"

#include <stdexcept>

#include "core/sums.h"

namespace gapwise {

using namespace internal;  // NOLINT(google-build-using-namespace)

namespace {

[[noreturn]] void refuse(const char* what) {
  throw std::logic_error(std::string("this oracle has no ") + what + ", and says so when asked");
}

}  // namespace

double Oracle::squared_length(Weights w) const {
  return dot(w, w);
}

bool Oracle::describe(Index, std::span<const Index>, PartRows&) {
  return false;
}
void Oracle::part_costs(Index, PartScores&) {
  refuse("part costs");
}
double Oracle::expect(Index, const PartScores&, Parts&) {
  refuse("expectations");
}
double Oracle::radius(Index) {
  refuse("radius");
}
void Oracle::project(Index, const Parts&, const PartScores&, Parts&) {
  refuse("projection");
}

bool Oracle::recognize(Index, const Parts&, Corner&) {
  refuse("recognition");
}

bool offers(const Problem& problem, Capability capability) {
  if (capability == Capability::kKernelInputs) return problem.kernel_inputs() != nullptr;
  if (capability == Capability::kFactorGraphs) return problem.factor_graphs() != nullptr;
  const std::unique_ptr<Oracle> oracle = problem.make_oracle();
  if (capability == Capability::kPlainWeights) return oracle->has_plain_weights();
  if (oracle->has_expectations()) return true;
  return capability == Capability::kMeans && oracle->has_projection();
}

std::vector<WeightGroup> Problem::weight_groups() const {
  return {{"all", 0, dimension()}};
}

}  // namespace gapwise
