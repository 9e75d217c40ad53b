#pragma once

#include <cstdint>
#include <vector>

namespace gapwise::internal {

/// Node parts of a chain, listed by label; all lists are kept in one array.
class PartsByLabel {
 public:
  explicit PartsByLabel(int labels) : latest_(static_cast<std::size_t>(labels), -1) {}

  void add(int t, int label, double value) {
    std::int32_t& latest = latest_[static_cast<std::size_t>(label)];
    entries_.push_back({t, label, latest, value});
    latest = static_cast<std::int32_t>(entries_.size()) - 1;
  }

  /// Calls visit(t, value) for the parts with this label, the latest first.
  template <class Visit>
  void for_each(int label, Visit visit) const {
    std::int32_t at = latest_[static_cast<std::size_t>(label)];
    while (at >= 0) {
      const Entry& entry = entries_[static_cast<std::size_t>(at)];
      visit(entry.t, entry.value);
      at = entry.previous;
    }
  }

  void clear() {
    for (const Entry& entry : entries_) latest_[static_cast<std::size_t>(entry.label)] = -1;
    entries_.clear();
  }

 private:
  struct Entry {
    std::int32_t t;
    std::int32_t label;
    std::int32_t previous;  ///< the part added before with the same label, or -1
    double value;
  };
  std::vector<std::int32_t> latest_;  ///< per label: the last part added, or -1
  std::vector<Entry> entries_;
};

}  // namespace gapwise::internal
