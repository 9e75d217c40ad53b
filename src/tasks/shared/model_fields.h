#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gapwise/option_table.h"
#include "gapwise/types.h"
#include "io/alphabet.h"
#include "io/model_record.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// More weights than this are refused, in training as in a model.
constexpr Index kLargestDimension = Index{1} << 32;

/// Reads the parts of a model that tasks have in common, each complaint starting with the model's
/// source.
class ModelFields {
 public:
  /// InputError if it is a model of another task.
  ModelFields(ModelRecord model, std::string_view task);

  ModelRecord& model() { return model_; }
  const ModelRecord& model() const { return model_; }
  /// The setting `format`, one of `formats`.
  const std::string& format(const std::vector<std::string_view>& formats) const;
  Index number(const std::string& name, Index low, Index high) const;
  /// The number that `text` says; `what` names it in a complaint.
  double real(std::string_view text, std::string_view what, double low, double high) const;
  /// The setting `name` as such a number.
  double real(const std::string& name, double low, double high) const;
  bool yes_or_no(const std::string& name) const;
  /// The setting `name` as one of a closed set.
  template <class E>
  E choice(const std::string& name) const {
    const std::string& text = model_.setting(name);
    const auto names = enum_names(E{});
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) fail("unknown " + name + " '" + text + "'");
    return static_cast<E>(found - names.begin());
  }
  const std::vector<std::int64_t>& numbers(const std::string& name) const;
  /// The names of `list`, 1 to kMostLabels different ones.
  Alphabet labels(const std::string& list) const;
  /// The names of `list`, which must differ; one of them is a `what`.
  Alphabet names(const std::string& list, std::string_view what) const;
  /// The weights, which must be so many.
  std::vector<double> take_weights(Index dimension);
  /// The same, where the weight of a `what`, from number `first` on, must not be negative.
  std::vector<double> take_weights(Index dimension, Index first, std::string_view what);
  /// `alphabet`, which must have `count` entries.
  Alphabet unique(Alphabet alphabet, std::size_t count, std::string_view what) const;

  [[noreturn]] void fail(const std::string& what) const;

 private:
  ModelRecord model_;
};

/// A model of a task that was trained on data in such a format, and nothing else yet.
ModelRecord start_record(std::string task, std::string format);

/// Yes or no, as models say it.
inline std::string yes_no(bool value) {
  return value ? "yes" : "no";
}

/// Those of `count` attributes that own a weight other than zero: attribute k owns `size_each`
/// weights from begin + k * size_each on. All of them, if all are kept.
std::vector<std::uint32_t> used_attributes(Weights w, Index begin, Index size_each, Index count,
                                           Keep keep);
/// Adds the names and weights of the attributes to keep, each of which owns one weight of `w`.
void encode_attributes(const Alphabet& alphabet, Weights w, Keep keep, const std::string& list,
                       ModelRecord& model);

}  // namespace gapwise::internal
