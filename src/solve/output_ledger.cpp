#include "solve/output_ledger.h"

#include <algorithm>
#include <cmath>

namespace gapwise::internal {
namespace {

/// Less than this changes no sum of weights that are 1 together.
constexpr double kNoWeight = 1e-18;
/// More than rounding makes of their sum.
constexpr double kMostDrift = 1e-6;

}  // namespace

OutputLedger::OutputLedger(Index n, bool is_on) {
  if (is_on) blocks_.assign(static_cast<std::size_t>(n), {{Parts(), 1.0}});
}

void OutputLedger::blend(Index i, const Corner& corner, double gamma) {
  if (!is_on() || gamma == 0.0) return;
  auto& outputs = blocks_[static_cast<std::size_t>(i)];
  for (WeightedOutput& output : outputs) output.weight *= 1.0 - gamma;
  std::erase_if(outputs, [](const WeightedOutput& output) { return output.weight < kNoWeight; });
  const auto known =
      std::find_if(outputs.begin(), outputs.end(),
                   [&](const WeightedOutput& output) { return output.parts == corner.parts; });
  if (known != outputs.end()) {
    known->weight += gamma;
  } else {
    outputs.push_back({corner.parts, gamma});
  }
}

void OutputLedger::save(StateWriter& out) const {
  for (const auto& outputs : blocks_) {
    out.count(outputs.size());
    for (const WeightedOutput& output : outputs) {
      out.parts(output.parts);
      out.f64(output.weight);
    }
  }
}

void OutputLedger::load(StateReader& in) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    double sum = 0.0;
    blocks_[i].resize(in.size(1 + sizeof(double)));
    for (WeightedOutput& output : blocks_[i]) {
      in.parts(static_cast<Index>(i), output.parts);
      output.weight = in.finite();
      in.require(output.weight >= 0.0, "an output with a weight below 0");
      sum += output.weight;
    }
    in.require(std::abs(sum - 1.0) <= kMostDrift, "outputs whose weights are not 1 together");
  }
}

}  // namespace gapwise::internal
