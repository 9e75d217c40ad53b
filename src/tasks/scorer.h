#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "gapwise/metrics.h"
#include "gapwise/types.h"

namespace gapwise::internal {

class Batch;

/// A token, an input, a pixel, an arc: what is right there and what was said. An empty name stands
/// for none.
struct Place {
  std::string_view gold;
  std::string_view predicted;
  double size = 1.0;  ///< so many such places
  bool is_right = gold == predicted;
};

/// What one row of the table by labels is about: how often a label (a chunk of a type, a joint) is
/// right, how often it was said, and both at once.
struct LabelCount {
  std::string_view label;
  double gold = 0.0;
  double predicted = 0.0;
  double correct = 0.0;
};

/// Judges the outputs of labelled examples. Whatever figures of merit are made of is counted by
/// example and adds up, so they can be had of any examples, also of some drawn several times.
class Scorer {
 public:
  virtual ~Scorer() = default;
  virtual std::size_t num_counts() const = 0;
  /// Adds what is counted of the i-th example of a batch to `counts`.
  virtual void count(const Batch& batch, Index i, std::span<double> counts) = 0;
  /// The figures of merit of one or more examples, of whose counts these are the sums.
  virtual Metrics metrics(std::span<const double> counts) const = 0;
  /// How much is wrong in them.
  virtual double errors(std::span<const double> counts) const = 0;

  /// Calls visit for every place of an example; for none if places have no names.
  virtual void for_each_place(const Batch& batch, Index i,
                              const std::function<void(const Place&)>& visit) const = 0;
  /// Calls visit for what the table by labels counts: every place, unless labels mark more than
  /// single places.
  virtual void for_each_label(const Batch& batch, Index i,
                              const std::function<void(const LabelCount&)>& visit) const;

  /// Adds all examples of a batch.
  void count_all(const Batch& batch, std::span<double> counts);
};

/// A scorer of batches of type B: the casts stand here and nowhere else.
template <class B>
class ScorerOf : public Scorer {
 public:
  void count(const Batch& batch, Index i, std::span<double> counts) final {
    count_one(static_cast<const B&>(batch), i, counts);
  }
  void for_each_place(const Batch& batch, Index i,
                      const std::function<void(const Place&)>& visit) const final {
    visit_places(static_cast<const B&>(batch), i, visit);
  }

 private:
  virtual void count_one(const B& batch, Index i, std::span<double> counts) = 0;
  virtual void visit_places(const B&, Index, const std::function<void(const Place&)>&) const {}
};

}  // namespace gapwise::internal
