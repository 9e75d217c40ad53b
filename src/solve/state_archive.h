#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/archive.h"
#include "gapwise/problem.h"

namespace gapwise::internal {

/// Writes the state of a run in few bytes: counts by how large they are, weights by those that are
/// not zero, parts by the distances of their ids. docs/design/checkpoints.md shows the bytes.
class StateWriter : public ByteWriter {
 public:
  void flag(bool x) { u8(x ? 1 : 0); }
  void count(std::uint64_t x);  ///< seven bits a byte, the lowest first
  void count(Index x) { count(static_cast<std::uint64_t>(x)); }
  /// A number that is often small and whole, as the values of parts are, or quiet_NaN().
  void small(double x);
  /// As many as the reader will expect.
  void weights(std::span<const double> values);
  /// All of them or, if there are none, nothing.
  void weights_if_any(std::span<const double> values);
  void ascending(std::span<const Index> ids);  ///< with their number first
  void parts(const Parts& parts);
};

/// Reads what StateWriter wrote and takes nothing that does not fit the problem: a checkpoint may
/// come from anywhere, and a part that a block does not have would be written to beyond its memory.
/// Throws InputError.
class StateReader : public ByteReader {
 public:
  StateReader(std::string_view bytes, std::string where, const Problem& problem);

  const Problem& problem() const { return problem_; }
  /// How many parts block i has: their ids are 0 .. num_parts(i) - 1.
  Index num_parts(Index i);

  bool flag() { return static_cast<bool>(u8_up_to(1)); }
  std::uint8_t u8_up_to(std::uint8_t most);
  Index count() { return count_up_to(kMostCounted); }
  Index count_up_to(Index most);
  /// How many things follow that take at least `min_bytes_each`.
  std::size_t size(std::size_t min_bytes_each);
  double finite();  ///< an f64 that is neither infinite nor NaN
  double number();  ///< an f64 that is not NaN
  std::optional<double> small_or_nan();
  double small();      ///< finite
  double any_small();  ///< any number, or none
  void weights(std::span<double> into);
  std::vector<double> finite_values();  ///< any number of them, as f64s
  /// `into` becomes as long as the problem has weights, or empty.
  void weights_if_any(std::vector<double>& into);
  std::vector<Index> ascending(std::size_t size, Index end);  ///< from 0 to end - 1
  void parts(Index i, Parts& parts);
  void parts_below(Index end, Parts& parts);  ///< with ids from 0 to end - 1
  /// `size` different numbers from 0 to end - 1.
  std::vector<Index> distinct(std::size_t size, Index end);

  /// Fails unless it holds, with what no run can have left.
  void require(bool holds, std::string_view what) const {
    if (!holds) damaged(what);
  }
  [[noreturn]] void damaged(std::string_view what) const;

  /// No run counts so far, and twice as much is still a number.
  static constexpr Index kMostCounted = Index{1} << 53;

 private:
  std::uint64_t packed();

  const Problem& problem_;
  std::unique_ptr<Oracle> oracle_;  ///< to score with, if that was ever needed
  std::vector<double> zeros_;       ///< the weights for it
  PartScores theta_;
};

}  // namespace gapwise::internal
