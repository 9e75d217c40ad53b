#include "run/example_weights.h"

#include <fmt/format.h>

#include "io/fields.h"

namespace gapwise::internal::cli {

Examples with_weights_of(Examples examples, const std::string& path) {
  if (path.empty()) return examples;
  LineReader lines(path);
  std::vector<double> weights;
  for (std::string_view line; lines.next(line);) {
    const std::string_view text = trim_blanks(line);
    double weight = 0.0;
    if (parse_value(text, weight) != ValueText::kGood || !(weight > 0.0)) {
      lines.fail(fmt::format(
          "'{}' is no weight of an example; give a positive number on each line, and leave "
          "examples out that should not count",
          text));
    }
    weights.push_back(weight);
  }
  if (std::ssize(weights) != examples.size()) {
    throw InputError(
        fmt::format("{}: has {} weights for {} examples to train on; give a line for each, in "
                    "their order",
                    lines.name(), weights.size(), examples.size()));
  }
  return examples.with_weights(std::move(weights));
}

}  // namespace gapwise::internal::cli
