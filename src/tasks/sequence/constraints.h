#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "infer/viterbi.h"
#include "io/alphabet.h"

namespace gapwise::internal {

/// What labels the positions of one sequence may have: numbers[starts[t]] up to that of t + 1, any
/// if that is none. No starts: any everywhere.
struct LabelLists {
  std::span<const std::size_t> starts = {};
  const std::int32_t* numbers = nullptr;

  bool empty() const { return starts.empty(); }
  std::span<const std::int32_t> at(std::size_t t) const {
    return {numbers + starts[t], starts[t + 1] - starts[t]};
  }
  /// Whether all of these labels are among them.
  bool allow(std::span<const std::int32_t> labels) const;
};

/// Scratch memory of a decoder that keeps constraints.
struct ConstraintScratch {
  std::vector<double> nodes;
  std::vector<double> pairs;
};

/// Which labels may follow each other, and which may begin and end a sequence.
class ChainConstraints {
 public:
  /// Everything is allowed at first.
  explicit ChainConstraints(int labels);

  void forbid(int from, int to) { barrier(pair(from, to)) = kNever; }
  void forbid_start(int label) { barrier(start(label)) = kNever; }
  void forbid_end(int label) { barrier(end(label)) = kNever; }
  bool allows(int from, int to) const { return barriers_[at(pair(from, to))] == 0.0; }

  /// Where a labelling breaks them first: t for the step into position t, 0 for the start, its
  /// length for the end.
  std::optional<std::size_t> first_break(std::span<const std::int32_t> labels) const;

  /// Adds minus infinity to the scores of nodes and pairs of whatever is forbidden; `nodes` may be
  /// changed in place.
  ChainScores apply(const ChainScores& scores, double* nodes, std::vector<double>& pairs) const;

  /// What is forbidden, as numbers: from * labels + to; behind those, starts and then ends.
  std::vector<std::int64_t> numbers() const;
  /// The number of something that can be forbidden is less than this.
  std::int64_t num_numbers() const { return static_cast<std::int64_t>(barriers_.size()); }
  void forbid_number(std::int64_t number) { barrier(number) = kNever; }

 private:
  static constexpr double kNever = -std::numeric_limits<double>::infinity();

  std::int64_t pair(int from, int to) const { return std::int64_t{from} * labels_ + to; }
  std::int64_t start(int label) const { return std::int64_t{labels_} * labels_ + label; }
  std::int64_t end(int label) const { return start(labels_) + label; }
  static std::size_t at(std::int64_t number) { return static_cast<std::size_t>(number); }
  double& barrier(std::int64_t number) { return barriers_[at(number)]; }

  int labels_;
  std::vector<double> barriers_;  ///< by number: 0, or minus infinity
};

/// What constraints, if there are any, and lists leave of scores: minus infinity for the rest. The
/// nodes of the scores may be those of the scratch memory, which saves copying them.
ChainScores keep_allowed(const ChainScores& scores, const ChainConstraints* constraints,
                         const LabelLists& lists, ConstraintScratch& scratch);

/// The constraints of a rule: `bio`, `bioes` or `iob1` for labels that mark chunks so, or a file
/// with lines `forbid FROM TO` and `only FROM TO...` (docs/formats.md). OptionError or InputError
/// if the labels are none of that kind.
ChainConstraints make_constraints(const std::string& rule, const Alphabet& labels);

}  // namespace gapwise::internal
