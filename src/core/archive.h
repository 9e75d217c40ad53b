#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gapwise/errors.h"
#include "gapwise/types.h"

namespace gapwise::internal {

/// Writes values as little-endian bytes, for models and checkpoints.
class ByteWriter {
 public:
  void u8(std::uint8_t v) { bytes_.push_back(static_cast<char>(v)); }
  void u32(std::uint32_t v) { raw(&v, sizeof v); }
  void u64(std::uint64_t v) { raw(&v, sizeof v); }
  void i64(std::int64_t v) { raw(&v, sizeof v); }
  void f64(double v) { raw(&v, sizeof v); }
  void text(std::string_view s);              ///< u64 length, bytes
  void f64s(std::span<const double> values);  ///< u64 count, values
  void i64s(std::span<const std::int64_t> values);
  void raw(const void* data, std::size_t size);

  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads what ByteWriter wrote. Every count is checked against the bytes that are left *before*
/// anything is allocated, so a hostile file costs no memory. Throws InputError that starts with
/// `where`.
class ByteReader {
 public:
  ByteReader(std::string_view bytes, std::string where);

  std::uint8_t u8();
  std::uint32_t u32();
  std::uint64_t u64();
  std::int64_t i64();
  double f64();
  std::string text();
  std::vector<double> f64s();
  std::vector<std::int64_t> i64s();
  void f64s(std::span<double> into);  ///< as f64s(), and the count must be that of `into`
  /// A count of things that take at least `min_bytes_each`; refused if the file cannot hold them.
  std::size_t count(std::size_t min_bytes_each);
  void raw(void* into, std::size_t size);

  std::size_t left() const { return bytes_.size() - at_; }
  std::string_view rest() const { return bytes_.substr(at_); }  ///< all that is left
  void expect_end() const;
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::string where_;
};

}  // namespace gapwise::internal
