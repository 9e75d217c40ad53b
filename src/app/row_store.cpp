#include "app/row_store.h"

namespace gapwise::internal {

Index RowStore::first_without_labels() const {
  std::size_t labels = 0;
  std::size_t row = 0;
  for (std::size_t i = 0; i < examples_.size(); ++i) {
    for (; row < examples_[i]; ++row) {
      if (rows_[row].labels == labels) return static_cast<Index>(i) + 1;
      labels = rows_[row].labels;
    }
  }
  return 0;
}

void RowStore::replay(RowSink& sink, Index begin, Index end) const {
  std::size_t row = begin > 0 ? examples_[static_cast<std::size_t>(begin) - 1] : 0;
  std::size_t entry = row > 0 ? rows_[row - 1].entries : 0;
  std::size_t label = row > 0 ? rows_[row - 1].labels : 0;
  for (Index i = begin; i < end; ++i) {
    for (; row < examples_[static_cast<std::size_t>(i)]; ++row) {
      for (; entry < rows_[row].entries; ++entry) {
        const Entry& given = entries_[entry];
        if (given.is_number) {
          sink.feature(given.id, given.value);
        } else {
          sink.attribute(names_.name(given.id), given.value);
        }
      }
      for (; label < rows_[row].labels; ++label) sink.label(label_names_.name(labels_[label]));
      sink.end_row();
    }
    sink.end_example();
  }
}

}  // namespace gapwise::internal
