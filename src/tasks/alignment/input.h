#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tasks/alignment/dice.h"
#include "tasks/alignment/link_builder.h"
#include "tasks/alignment/word_pairs.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// The formats of pairs, the default first.
std::vector<std::string_view> alignment_formats();

/// Whether all lines at the start of a file have words on both sides of |||.
bool looks_like_pairs(std::string_view head);

/// How pairs are read and turned into features: what options say in training, what a model keeps.
struct AlignmentPlan {
  std::string format;
  ParallelFiles files;              ///< `given`: the alignments to look at, whatever the format
  std::vector<std::string> points;  ///< files of format points
  DiceTable dice;
  std::vector<double> spreads;  ///< of the numbers of points
  Index fertility = 1;          ///< so many links an element may have
};

/// `plan`, with the format that `source` asks for. OptionError if there is no such format.
AlignmentPlan plan_for(const DataSource& source, AlignmentPlan plan);

/// Opens the word pairs of `source`. Without `needs_gold` gold files are not looked for.
std::unique_ptr<WordPairReader> open_word_pairs(const DataSource& source, const AlignmentPlan& plan,
                                                bool needs_gold);
/// The number of the first word in predictions of a format.
Index first_position(const std::string& format);

/// Reads the pairs of `source` that were asked for into a builder.
class AlignmentInput {
 public:
  virtual ~AlignmentInput() = default;
  /// Takes the next pair; false at the end.
  virtual bool read() = 0;
  /// The file of the pairs, for messages.
  virtual const LineReader& lines() const = 0;
};
/// `plan` outlives the result.
std::unique_ptr<AlignmentInput> open_alignment_input(const DataSource& source,
                                                     const AlignmentPlan& plan, bool needs_gold,
                                                     LinkBuilder& builder);

/// InputError that says why there are no pairs.
[[noreturn]] void fail_without_pairs(const LineReader& lines, const std::string& folds);
/// InputError if the pair has no gold.
void expect_gold(const LineReader& lines, const WordPair& pair);

}  // namespace gapwise::internal
