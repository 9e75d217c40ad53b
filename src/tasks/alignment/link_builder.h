#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/alphabet.h"
#include "tasks/alignment/problem.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// How a pair is written by `predict`: what stands before its links, and the numbers of its
/// elements.
struct PairEcho {
  std::string prefix;
  std::vector<Index> sources;
  std::vector<Index> targets;
};

/// Pairs that were read together, with what a model says of them.
struct AlignmentBatch final : Batch {
  AlignmentData data;
  std::vector<PairEcho> echoes;
  /// For each pair whether each of its links is there, 1 or 0.
  std::vector<std::vector<std::uint8_t>> links;

  Index size() const override { return data.size(); }
};

/// Collects pairs, link by link.
class LinkBuilder {
 public:
  /// Features get a number when they first appear.
  explicit LinkBuilder(Alphabet& names) : names_(names), grows_(&names) {}
  /// Features without a number are left out.
  explicit LinkBuilder(const Alphabet& names) : names_(names) {}

  std::uint32_t number(std::string_view name) {
    return grows_ != nullptr ? grows_->add(name) : names_.find(name);
  }
  /// Adds to the link at hand.
  void add(std::uint32_t feature, double value = 1.0) {
    if (feature != Alphabet::kUnknown && value != 0.0) batch_.data.links.add(feature, value);
  }
  void end_link() { batch_.data.links.end_row(); }
  /// After the last of the links: their number is that of `gold`.
  void end_pair(PairEcho echo, const std::vector<Gold>& gold);

  std::size_t num_links() const { return batch_.data.gold.size(); }
  Index num_pairs() const { return batch_.data.size(); }
  /// The pairs so far; starts anew.
  AlignmentBatch take();

 private:
  const Alphabet& names_;
  Alphabet* grows_ = nullptr;
  AlignmentBatch batch_;
};

}  // namespace gapwise::internal
