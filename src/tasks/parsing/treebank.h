#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/alphabet.h"
#include "io/echo_text.h"
#include "io/lines.h"
#include "tasks/parsing/problem.h"
#include "tasks/shared/labels.h"

namespace gapwise::internal {

/// Memory and time grow with the square and the cube of it.
constexpr std::size_t kLongestSentence = 1000;

/// The formats of sentences with dependency trees, in the order of the help text.
std::vector<std::string_view> treebank_formats();
/// Tells the format from the start of a file by the first line that is not a comment.
std::string_view detect_treebank_format(std::string_view head);

/// Whether the start of a file holds words that are numbered in ten or eight columns, or words of
/// three or four columns whose heads are trees.
bool looks_like_treebank(std::string_view head);

/// What is known of the data before they are read.
struct TreebankPlan {
  std::string format;       ///< one of treebank_formats()
  bool needs_trees = true;  ///< false: heads and labels are not looked at
  bool has_labels = true;   ///< false: all labels are the same
  RootCount roots = RootCount::kOne;
  bool wants_echo = false;
};

/// A run of sentences.
struct Treebank {
  ParsingData data;
  std::vector<Index> lines;         ///< of the first word of each sentence
  std::vector<std::uint32_t> tags;  ///< of each word
  EchoText echo;                    ///< the places are those of head and label
};

/// The hash by which features know a form, lemma or tag.
std::uint64_t hash_text(std::string_view text);

/// OptionError if `folds`, which no treebank has, are asked for.
void check_treebank_folds(const std::string& folds);

/// InputError at the first line of a sentence that would take too much memory with so many labels.
void check_treebank_size(const Treebank& bank, std::size_t num_labels, const LineReader& lines);

/// Reads sentences one by one.
class TreebankReader {
 public:
  /// Labels are numbered behind those given. OptionError if there is no such format.
  TreebankReader(LineReader& lines, const TreebankPlan& plan, Alphabet labels = {});

  /// Takes the next sentence; false at the end.
  bool read();
  /// InputError that says what a file without sentences should hold.
  [[noreturn]] void fail_empty() const;
  std::size_t num_words() const { return bank_.data.words.size(); }
  /// The sentences read since the last call.
  Treebank take();

  const Alphabet& labels() const { return labels_; }
  const Alphabet& tags() const { return tags_; }  ///< the tags that features see

 private:
  /// The cells of a word; missing ones are empty.
  struct Cells {
    std::string_view form, lemma, tag, coarse_tag, head, label;
  };
  enum class LineKind { kWord, kEcho };

  LineKind split(std::string_view line, Cells& cells);
  LineKind split_conll(std::string_view line, Cells& cells);
  LineKind split_malttab(std::string_view line, Cells& cells);
  void add_word(const Cells& cells);
  void echo_word(std::string_view line);
  std::int32_t read_head(std::string_view text) const;
  std::int32_t read_label(std::string_view text);
  void end_sentence();
  void check_tree(std::span<const std::int32_t> heads) const;

  LineReader& lines_;
  TreebankPlan plan_;
  std::size_t num_known_;  ///< labels given
  Alphabet labels_;
  Alphabet tags_;
  Treebank bank_;
  std::vector<std::string_view> fields_;
  std::vector<Index> word_lines_;  ///< of the sentence at hand
  std::string scratch_;
};

}  // namespace gapwise::internal
