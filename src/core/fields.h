#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "core/archive.h"

namespace gapwise::internal {

/// A class whose bytes are its fields one after the other names them once, for both directions:
///   template <class Self>
///   static void fields(Self& self, auto&& each) { each(self.a_, self.b_); }
///   void save(ByteWriter& out) const { fields(*this, FieldWriter(out)); }
///   void load(ByteReader& in) { fields(*this, FieldReader(in)); }
/// A vector is loaded at the size it was saved with, a span only at the size it has.
class FieldWriter {
 public:
  explicit FieldWriter(ByteWriter& out) : out_(out) {}

  template <class... Fields>
  void operator()(const Fields&... values) {
    (put(values), ...);
  }

 private:
  void put(bool x) { out_.u8(x); }
  void put(std::int32_t x) { out_.i64(x); }
  void put(std::int64_t x) { out_.i64(x); }
  void put(double x) { out_.f64(x); }
  void put(const std::vector<std::int64_t>& x) { out_.i64s(x); }
  void put(const std::vector<double>& x) { out_.f64s(x); }
  void put(std::span<const double> x) { out_.f64s(x); }
  void put(const std::optional<double>& x) { (*this)(x.has_value(), x.value_or(0.0)); }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void put(Enum x) { out_.u8(static_cast<std::uint8_t>(x)); }
  template <class T>
  requires requires(const T& x, ByteWriter& out) { x.save(out); }
  void put(const T& x) { x.save(out_); }

  ByteWriter& out_;
};

class FieldReader {
 public:
  explicit FieldReader(ByteReader& in) : in_(in) {}

  template <class... Fields>
  void operator()(Fields&&... values) {
    (get(values), ...);
  }

 private:
  void get(bool& x) { x = in_.u8() != 0; }
  void get(std::int32_t& x) { x = static_cast<std::int32_t>(in_.i64()); }
  void get(std::int64_t& x) { x = in_.i64(); }
  void get(double& x) { x = in_.f64(); }
  void get(std::vector<std::int64_t>& x) { x = in_.i64s(); }
  void get(std::vector<double>& x) { x = in_.f64s(); }
  void get(std::span<double> x) { in_.f64s(x); }
  void get(std::optional<double>& x) {
    const bool has_value = in_.u8() != 0;
    x = in_.f64();
    if (!has_value) x.reset();
  }
  /// The last enumerator is called kLast.
  template <class Enum>
  requires std::is_enum_v<Enum>
  void get(Enum& x) {
    const std::uint8_t found = in_.u8();
    if (found > static_cast<std::uint8_t>(Enum::kLast)) in_.fail("names no such choice; damaged");
    x = static_cast<Enum>(found);
  }
  template <class T>
  requires requires(T& x, ByteReader& in) { x.load(in); }
  void get(T& x) { x.load(in_); }

  ByteReader& in_;
};

}  // namespace gapwise::internal
