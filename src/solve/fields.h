#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "solve/state_archive.h"

namespace gapwise::internal {

/// A class whose bytes are its fields one after the other names them once, for both directions:
///   template <class Self>
///   static void fields(Self& self, auto&& each) { each(self.a_, self.b_); }
///   void save(StateWriter& out) const { fields(*this, FieldWriter(out)); }
///   void load(StateReader& in) { fields(*this, FieldReader(in)); }
/// Integers are counts, never negative, and numbers are finite unless they are named as
/// `Unbounded(self.c_)`. A span of numbers is loaded only at the size it has; a vector of weights
/// is named as `WeightsIfAny(self.w_)`.
template <class Number>
struct Unbounded {
  explicit Unbounded(Number& x) : value(x) {}
  Number& value;
};
template <class Vector>
struct WeightsIfAny {
  explicit WeightsIfAny(Vector& x) : values(x) {}
  Vector& values;
};

class FieldWriter {
 public:
  explicit FieldWriter(StateWriter& out) : out_(out) {}

  template <class... Fields>
  void operator()(const Fields&... values) {
    (put(values), ...);
  }

 private:
  void put(bool x) { out_.flag(x); }
  void put(std::int32_t x) { out_.count(Index{x}); }
  void put(std::int64_t x) { out_.count(x); }
  void put(double x) { out_.f64(x); }
  template <class Number>
  void put(const Unbounded<Number>& x) {
    out_.f64(x.value);
  }
  void put(std::span<const double> x) { out_.weights(x); }
  template <class Vector>
  void put(const WeightsIfAny<Vector>& x) {
    out_.weights_if_any(x.values);
  }
  void put(const std::optional<double>& x) {
    out_.flag(x.has_value());
    if (x) out_.f64(*x);
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void put(Enum x) { out_.u8(static_cast<std::uint8_t>(x)); }
  template <class T>
  requires requires(const T& x, StateWriter& out) { x.save(out); }
  void put(const T& x) { x.save(out_); }

  StateWriter& out_;
};

class FieldReader {
 public:
  explicit FieldReader(StateReader& in) : in_(in) {}

  template <class... Fields>
  void operator()(Fields&&... values) {
    (get(values), ...);
  }

 private:
  /// Passes are counted in 32 bits; some more are counted from any that is loaded.
  static constexpr Index kMostPasses = Index{1} << 30;

  void get(bool& x) { x = in_.flag(); }
  void get(std::int32_t& x) { x = static_cast<std::int32_t>(in_.count_up_to(kMostPasses)); }
  void get(std::int64_t& x) { x = in_.count(); }
  void get(double& x) { x = in_.finite(); }
  template <class Number>
  void get(const Unbounded<Number>& x) {
    x.value = in_.number();
  }
  void get(std::span<double> x) { in_.weights(x); }
  template <class Vector>
  void get(const WeightsIfAny<Vector>& x) {
    in_.weights_if_any(x.values);
  }
  void get(std::optional<double>& x) {
    x.reset();
    if (in_.flag()) x = in_.finite();
  }
  /// The last enumerator is called kLast.
  template <class Enum>
  requires std::is_enum_v<Enum>
  void get(Enum& x) { x = static_cast<Enum>(in_.u8_up_to(static_cast<std::uint8_t>(Enum::kLast))); }
  template <class T>
  requires requires(T& x, StateReader& in) { x.load(in); }
  void get(T& x) { x.load(in_); }

  StateReader& in_;
};

}  // namespace gapwise::internal
