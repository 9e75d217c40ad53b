#include "solve/output_ledger.h"

#include <algorithm>

#include "solve/dual_state.h"

namespace gapwise::internal {
namespace {

/// Less than this changes no sum of weights that are 1 together.
constexpr double kNoWeight = 1e-18;

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

void OutputLedger::save(ByteWriter& out) const {
  for (const auto& outputs : blocks_) {
    out.u64(outputs.size());
    for (const WeightedOutput& output : outputs) {
      save_parts(output.parts, out);
      out.f64(output.weight);
    }
  }
}

void OutputLedger::load(ByteReader& in) {
  for (auto& outputs : blocks_) {
    outputs.resize(in.count(sizeof(std::uint64_t) + sizeof(double)));
    for (WeightedOutput& output : outputs) {
      load_parts(in, output.parts);
      output.weight = in.f64();
    }
  }
}

}  // namespace gapwise::internal
