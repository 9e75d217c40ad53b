#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/alphabet.h"
#include "io/line_blocks.h"
#include "tasks/shared/class_names.h"
#include "tasks/shared/feature_numbers.h"
#include "tasks/shared/feature_rows.h"

namespace gapwise::internal {

/// One example as it comes: its labels, none of them twice, and its features.
struct LabelledExample {
  std::vector<std::string> labels;
  std::vector<std::uint32_t> indices;  ///< increasing, from 1
  std::vector<double> values;          ///< none of them zero
};

/// Examples to train on, as they come: attributes are indices, labels in order of appearance.
struct LabelledExamples {
  FeatureRows rows;
  std::vector<std::int32_t> labels;  ///< of all examples, one after the other
  std::vector<std::size_t> ends;     ///< where those of each example end
  Alphabet names;                    ///< of the labels
  NumberSet indices;                 ///< those that occur

  std::size_t size() const { return ends.size(); }
  /// Complains about a label that is one too many, or that is not known.
  void add(const LabelledExample& example, const Complain& complain);
};

/// What one block of lines holds.
struct LabelledBlock {
  LabelledExamples examples;
  std::vector<Index> lines;  ///< of each example
};

/// Adds the examples of a block; complains about a label that is one too many at its line.
void append(const LabelledBlock& block,
            const std::function<void(Index line, const std::string& what)>& complain,
            LabelledExamples& into);

/// Reads all examples, in blocks on all threads. `make_reader(lines)` gives a reader with a
/// function `read(LabelledExample&)`, which is false at the end.
template <class MakeReader>
void read_labelled(LineReader& lines, const Threads& threads, MakeReader make_reader,
                   LabelledExamples& into) {
  const auto parse = [&](LineReader& block, LabelledBlock& found) {
    auto reader = make_reader(block);
    LabelledExample example;
    while (reader->read(example)) {
      found.lines.push_back(block.line_number());
      found.examples.add(example, [&](const std::string& what) { block.fail(what); });
    }
  };
  read_blocks<LabelledBlock>(lines, threads, parse, [&](const LabelledBlock& found) {
    append(
        found, [&](Index line, const std::string& what) { lines.fail_at(line, what); }, into);
  });
}

}  // namespace gapwise::internal
