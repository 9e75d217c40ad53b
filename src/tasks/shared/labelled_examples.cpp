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

}  // namespace gapwise::internal
