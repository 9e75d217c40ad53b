#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gapwise/types.h"

namespace gapwise {

/// One coordinate of a part vector.
struct Part {
  Index id;      ///< of the part, in its block
  double value;  ///< how often it occurs

  friend bool operator==(const Part&, const Part&) = default;
};

namespace detail {

/// Leaves new elements unset where std::allocator would fill them with zeros.
template <class T>
struct UnsetAllocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = UnsetAllocator<U>;
  };
  template <class U>
  void construct(U* at) noexcept {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Args>
  void construct(U* at, Args&&... args) {
    ::new (static_cast<void*>(at)) U(std::forward<Args>(args)...);
  }
};

}  // namespace detail

/// A sparse vector over the parts of one block, sorted by id, each id at most once. Solvers keep
/// outputs and mixtures of outputs *relative to the truth*: an output y is m(y_i) - m(y), so the
/// truth is the empty vector and B_i applied to it gives psi_i(y). Knows nothing of features,
/// lambda, n or w.
class Parts {
 public:
  Parts() = default;

  bool empty() const { return items_.empty(); }                      ///< no parts: the truth
  std::size_t size() const { return items_.size(); }                 ///< how many parts
  auto begin() const { return items_.begin(); }                      ///< the first part
  auto end() const { return items_.end(); }                          ///< behind the last one
  const Part& operator[](std::size_t k) const { return items_[k]; }  ///< the k-th part
  std::span<const Part> items() const { return items_; }             ///< all of them

  void clear() { items_.clear(); }  ///< back to no parts
  /// Appends a part whose id is larger than every id so far.
  void append(Index id, double value) { items_.push_back({id, value}); }
  /// Collects a part in any order, any number of times; call `normalize` before anything else.
  void collect(Index id, double value) { items_.push_back({id, value}); }
  /// The pairs (ids[k], values[k]) whose value is not zero; ids ascend.
  void assign_nonzeros(std::span<const Index> ids, std::span<const double> values);
  /// All of -values[id] that are not zero.
  void assign_negative(std::span<const double> values);
  /// Sorts what was collected, adds up equal ids and drops those that came to exactly zero.
  void normalize();
  /// Multiplies all values.
  void scale(double factor) {
    for (Part& part : items_) part.value *= factor;
  }

  /// <scores, this> for scores indexed by part id.
  double dot(std::span<const double> scores) const;
  /// <other, this>.
  double dot(const Parts& other) const;
  /// A hash of ids and values, equal for equal vectors on every platform.
  std::uint64_t hash() const;

  friend bool operator==(const Parts&, const Parts&) = default;
  /// out = a - b, over the union of both supports (explicit zeros are kept, so that `out` covers
  /// every part either of them touches).
  friend void subtract(const Parts& a, const Parts& b, Parts& out);
  /// out = a + factor * b, without the parts that come to exactly zero.
  friend void add_scaled(const Parts& a, double factor, const Parts& b, Parts& out);

 private:
  std::vector<Part, detail::UnsetAllocator<Part>> items_;
};

void subtract(const Parts& a, const Parts& b, Parts& out);  ///< out = a - b, zeros kept
/// out = a + factor * b, zeros dropped.
void add_scaled(const Parts& a, double factor, const Parts& b, Parts& out);

/// The scores theta_i = B_i' w of all parts of one block, indexed by part id: what a decoder works
/// on. Either owns its values or looks at w itself (when parts are features). Valid for one step.
class PartScores {
 public:
  /// Makes room for `count` own values and returns them for writing; contents are unspecified.
  std::span<double> resize(std::size_t count) {
    if (own_.size() < count) own_.resize(count);
    view_ = {own_.data(), count};
    return {own_.data(), count};
  }
  /// Scores that are the weights themselves, where parts are features.
  void look_at(Weights w) { view_ = w; }
  /// Multiplies all scores; what was only looked at is copied first.
  void scale(double factor) {
    if (view_.data() != own_.data()) {
      own_.assign(view_.begin(), view_.end());
      view_ = own_;
    }
    for (std::size_t k = 0; k < view_.size(); ++k) own_[k] *= factor;
  }

  std::span<const double> values() const { return view_; }  ///< by part id
  /// The score of one part.
  double operator[](Index id) const { return view_[static_cast<std::size_t>(id)]; }

 private:
  std::vector<double> own_;
  std::span<const double> view_;
};

}  // namespace gapwise
