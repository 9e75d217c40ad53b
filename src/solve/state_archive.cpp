#include "solve/state_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace gapwise::internal {
namespace {

// A small() is one byte: a whole number between these, moved up to 0, or what is none of them.
constexpr int kLeastSmall = -100;
constexpr int kMostSmall = 100;
constexpr std::uint8_t kNan = 254;
constexpr std::uint8_t kAnyNumber = 255;  ///< an f64 follows

/// Nothing but +0 is left out: a resumed run is the same to the last bit.
bool is_plain_zero(double x) {
  return std::bit_cast<std::uint64_t>(x) == 0;
}

}  // namespace

void StateWriter::count(std::uint64_t x) {
  for (; x >= 0x80; x >>= 7) u8(static_cast<std::uint8_t>(x | 0x80));
  u8(static_cast<std::uint8_t>(x));
}

void StateWriter::small(double x) {
  if (std::isnan(x)) return u8(kNan);
  const bool is_small =
      x >= kLeastSmall && x <= kMostSmall && x == std::trunc(x) && (x != 0.0 || is_plain_zero(x));
  if (is_small) return u8(static_cast<std::uint8_t>(static_cast<int>(x) - kLeastSmall));
  u8(kAnyNumber);
  f64(x);
}

void StateWriter::weights(std::span<const double> values) {
  for (std::size_t at = 0; at < values.size();) {
    std::size_t begin = at;
    while (begin < values.size() && is_plain_zero(values[begin])) ++begin;
    std::size_t end = begin;
    while (end < values.size() && !is_plain_zero(values[end])) ++end;
    count(begin - at);
    count(end - begin);
    raw(values.data() + begin, (end - begin) * sizeof(double));
    at = end;
  }
}

void StateWriter::weights_if_any(std::span<const double> values) {
  flag(!values.empty());
  weights(values);
}

void StateWriter::ascending(std::span<const Index> ids) {
  count(ids.size());
  Index next = 0;
  for (const Index id : ids) {
    count(id - next);
    next = id + 1;
  }
}

void StateWriter::parts(const Parts& parts) {
  count(parts.size());
  Index next = 0;
  for (const Part& part : parts) {
    count(part.id - next);
    small(part.value);
    next = part.id + 1;
  }
}

StateReader::StateReader(std::string_view bytes, std::string where, const Problem& problem)
    : ByteReader(bytes, std::move(where)), problem_(problem) {}

Index StateReader::num_parts(Index i) {
  if (!oracle_) oracle_ = problem_.make_oracle();
  zeros_.resize(static_cast<std::size_t>(problem_.dimension()), 0.0);
  oracle_->score(i, zeros_, theta_);
  return std::ssize(theta_.values());
}

void StateReader::damaged(std::string_view what) const {
  fail(fmt::format("holds {}; it is damaged: start a new run, or resume another checkpoint", what));
}

std::uint8_t StateReader::u8_up_to(std::uint8_t most) {
  const std::uint8_t found = u8();
  if (found > most) damaged(fmt::format("a choice {} of 0 to {}", found, most));
  return found;
}

std::uint64_t StateReader::packed() {
  std::uint64_t sum = 0;
  for (unsigned shift = 0; shift < 63; shift += 7) {
    const std::uint64_t next = u8();
    sum |= (next & 0x7f) << shift;
    if (next < 0x80) return sum;
  }
  damaged("a count of more than 63 bits");
}

Index StateReader::count_up_to(Index most) {
  const std::uint64_t found = packed();
  if (found > static_cast<std::uint64_t>(most)) {
    damaged(fmt::format("a count of {} where {} is the most", found, most));
  }
  return static_cast<Index>(found);
}

std::size_t StateReader::size(std::size_t min_bytes_each) {
  return static_cast<std::size_t>(count_up_to(static_cast<Index>(left() / min_bytes_each)));
}

double StateReader::finite() {
  const double x = f64();
  if (!std::isfinite(x)) damaged(fmt::format("the number {}", x));
  return x;
}

double StateReader::number() {
  const double x = f64();
  if (std::isnan(x)) damaged("a number that is none");
  return x;
}

std::optional<double> StateReader::small_or_nan() {
  const std::uint8_t found = u8();
  if (found == kNan) return std::nullopt;
  if (found == kAnyNumber) return finite();
  require(found <= kMostSmall - kLeastSmall, "a number of an unknown kind");
  return static_cast<double>(found + kLeastSmall);
}

double StateReader::small() {
  const std::optional<double> x = small_or_nan();
  require(x.has_value(), "a number that is none");
  return *x;
}

double StateReader::any_small() {
  const std::uint8_t found = u8();
  if (found == kAnyNumber) return f64();
  if (found == kNan) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(found + kLeastSmall);
}

void StateReader::weights(std::span<double> into) {
  while (!into.empty()) {
    const auto zeros = static_cast<std::size_t>(count_up_to(std::ssize(into)));
    std::fill_n(into.begin(), zeros, 0.0);
    into = into.subspan(zeros);
    const auto others = static_cast<std::size_t>(count_up_to(std::ssize(into)));
    require(zeros + others > 0, "a run of no weights");
    const std::span<double> run = into.first(others);
    raw(run.data(), run.size_bytes());
    require(std::all_of(run.begin(), run.end(), [](double x) { return std::isfinite(x); }),
            "a weight that is not finite");
    into = into.subspan(others);
  }
}

std::vector<double> StateReader::finite_values() {
  std::vector<double> values = f64s();
  require(std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); }),
          "a number that is not finite");
  return values;
}

void StateReader::weights_if_any(std::vector<double>& into) {
  into.assign(flag() ? static_cast<std::size_t>(problem_.dimension()) : 0, 0.0);
  weights(into);
}

std::vector<Index> StateReader::ascending(std::size_t size, Index end) {
  std::vector<Index> ids(size);
  Index next = 0;
  for (Index& id : ids) {
    require(next < end, "a part that its example does not have");
    id = next + count_up_to(end - 1 - next);
    next = id + 1;
  }
  return ids;
}

void StateReader::parts(Index i, Parts& parts) {
  // Without parts there is nothing to check, and no need to score.
  parts_below(left() > 0 && rest().front() != 0 ? num_parts(i) : 0, parts);
}

void StateReader::parts_below(Index end, Parts& parts) {
  parts.clear();
  const std::size_t found = size(2);
  Index next = 0;
  for (std::size_t k = 0; k < found; ++k) {
    require(next < end, "a part that its example does not have");
    const Index id = next + count_up_to(end - 1 - next);
    parts.append(id, small());
    next = id + 1;
  }
}

std::vector<Index> StateReader::distinct(std::size_t size, Index end) {
  require(size <= left(), "more examples than bytes");
  std::vector<bool> is_taken(static_cast<std::size_t>(end), false);
  std::vector<Index> values(size);
  for (Index& value : values) {
    value = count_up_to(end - 1);
    require(!is_taken[static_cast<std::size_t>(value)], "an order that names an example twice");
    is_taken[static_cast<std::size_t>(value)] = true;
  }
  return values;
}

}  // namespace gapwise::internal
