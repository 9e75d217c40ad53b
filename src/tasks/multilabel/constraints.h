#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "infer/constrained_sets.h"
#include "io/alphabet.h"

namespace gapwise::internal {

/// Rules that sets of labels keep to, with the words they were given in.
struct SetConstraints {
  SetRules rules;
  std::vector<std::string> lines;  ///< of each rule
};

/// Reads rules, one a line (docs/formats.md). InputError with file and line for anything else.
SetConstraints read_set_constraints(const std::string& path, const Alphabet& labels);

/// The same from lines that were read before; `fail` is called with what is wrong, and throws.
SetConstraints parse_set_constraints(const std::vector<std::string>& lines, const Alphabet& labels,
                                     const std::function<void(const std::string&)>& fail);

/// Finds the best set of labels, of all or of those that keep to constraints.
class SetDecoder {
 public:
  explicit SetDecoder(std::size_t labels, std::shared_ptr<const SetConstraints> constraints)
      : constraints_(std::move(constraints)) {
    if (constraints_) constrained_.emplace(labels, constraints_->rules);
  }
  BinaryPairResult maximize(const BinaryPairScores& scores, std::span<std::uint8_t> on) {
    return constrained_ ? constrained_->maximize(scores, on) : free_.maximize(scores, on);
  }

 private:
  std::shared_ptr<const SetConstraints> constraints_;
  std::optional<ConstrainedSets> constrained_;
  BinaryPairDecoder free_;
};

}  // namespace gapwise::internal
