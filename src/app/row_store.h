#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "io/alphabet.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// Examples that were put together in memory, as they were given, to be numbered by the names of
/// any training set or model.
class RowStore {
 public:
  /// Begins a row, if that was not done: it may turn out to hold nothing.
  void open_row() { has_open_row_ = true; }
  void attribute(std::string_view name, double value) {
    open_row();
    entries_.push_back({names_.add(name), false, value});
  }
  void feature(std::uint32_t number, double value) {
    open_row();
    entries_.push_back({number, true, value});
  }
  void label(std::string_view name) {
    open_row();
    labels_.push_back(label_names_.add(name));
  }
  void end_row() {
    rows_.push_back({entries_.size(), labels_.size()});
    has_open_row_ = false;
  }
  void end_example() { examples_.push_back(rows_.size()); }

  Index size() const { return std::ssize(examples_); }
  bool has_open_row() const { return has_open_row_; }
  bool has_open_example() const {
    return rows_.size() > (examples_.empty() ? 0 : examples_.back());
  }
  /// The number of the first example, from 1, with a row without labels; 0 if there is none.
  Index first_without_labels() const;

  /// Gives everything to `sink` in the order in which it was added.
  void replay(RowSink& sink) const { replay(sink, 0, size()); }
  /// The same for the examples from `begin` to before `end`.
  void replay(RowSink& sink, Index begin, Index end) const;

 private:
  struct Entry {
    std::uint32_t id;
    bool is_number;
    double value;
  };
  struct RowEnd {
    std::size_t entries;
    std::size_t labels;
  };

  Alphabet names_;
  Alphabet label_names_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> labels_;
  std::vector<RowEnd> rows_;
  bool has_open_row_ = false;
  std::vector<std::size_t> examples_;  ///< where the rows of each end
};

}  // namespace gapwise::internal
