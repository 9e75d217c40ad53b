#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/dual_outputs.h"
#include "gapwise/progress.h"

namespace gapwise::internal {

/// What stands in a proof: a dual point, the weights of the model in the order of its training
/// problem, and what it is all about. Nothing in it is believed.
struct ProofRecord {
  std::string task;
  std::uint64_t fingerprint = 0;  ///< of the training problem
  std::uint64_t model = 0;        ///< checksum of the model
  Objective objective = Objective::kL1;
  double lambda = 0.0;
  Index dimension = 0;
  std::string nonnegative;  ///< groups of weights, by commas
  double primal = 0.0;      ///< as the run measured it
  double dual = 0.0;        ///< of the dual point
  Parts w;                  ///< those that are not 0
  DualOutputs outputs;
};

/// Payload of a proof file (docs/design/proof.md): numbers of parts as differences, counts as whole
/// numbers, both in as few bytes as they need.
std::string encode_proof(const ProofRecord& proof);
/// InputError that starts with `source` for whatever is no such payload.
ProofRecord decode_proof(std::string_view payload, const std::string& source);

/// What ProofRecord::model holds.
std::uint64_t checksum_of_model(std::string_view payload);

}  // namespace gapwise::internal
