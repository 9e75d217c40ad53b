#include "tasks/shared/labelled_examples.h"

#include "tasks/shared/labels.h"

namespace gapwise::internal {

void LabelledExamples::add(const LabelledExample& example, const Complain& complain) {
  for (std::size_t f = 0; f < example.indices.size(); ++f) {
    rows.add(example.indices[f], example.values[f]);
  }
  rows.end_row();
  indices.add(example.indices);
  for (const std::string& label : example.labels) {
    if (label == kUnknownLabel) complain(unknown_label());
    labels.push_back(static_cast<std::int32_t>(names.add(label)));
    if (names.size() > kMostLabels) complain(too_many_labels(label));
  }
  ends.push_back(labels.size());
}

void append(const LabelledBlock& block,
            const std::function<void(Index line, const std::string& what)>& complain,
            LabelledExamples& into) {
  const LabelledExamples& more = block.examples;
  for (std::size_t r = 0; r < more.rows.num_rows(); ++r) {
    const FeatureRow row = more.rows.row(r);
    for (std::size_t f = 0; f < row.size; ++f) {
      into.rows.add(row.attributes[f], row.values != nullptr ? row.values[f] : 1.0);
    }
    into.rows.end_row();
  }
  into.indices.add(more.indices);
  std::vector<std::int32_t> numbers(more.names.size(), kNoLabel);
  std::size_t k = 0;
  for (std::size_t i = 0; i < more.size(); ++i) {
    for (; k < more.ends[i]; ++k) {
      const auto local = static_cast<std::size_t>(more.labels[k]);
      if (numbers[local] == kNoLabel) {
        const std::string_view name = more.names.name(local);
        numbers[local] = static_cast<std::int32_t>(into.names.add(name));
        if (into.names.size() > kMostLabels) complain(block.lines[i], too_many_labels(name));
      }
      into.labels.push_back(numbers[local]);
    }
    into.ends.push_back(into.labels.size());
  }
}

}  // namespace gapwise::internal
