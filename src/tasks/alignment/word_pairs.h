#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/lines.h"

namespace gapwise::internal {

/// More words than this on one side are taken for an error; a pair of n and m words has n m links.
constexpr std::size_t kMostWords = 500;

/// A link between two words, both counted from 0.
struct Link {
  Index source;
  Index target;
  bool is_sure;  ///< or only possible

  friend bool operator==(const Link&, const Link&) = default;
};
using Links = std::vector<Link>;

/// Two sentences, what is known of how their words belong together and what others guess.
struct WordPair {
  std::vector<std::string> source;
  std::vector<std::string> target;
  std::optional<Links> gold;
  std::vector<Links> given;  ///< one alignment for each name
};

/// Takes the words apart and checks their number.
void read_words(const LineReader& lines, std::string_view text, std::vector<std::string>& words);

/// The words of the next pair: both sides around |||, or from a file of their own each. False at
/// the end of `source`.
bool read_sides(LineReader& source, std::optional<LineReader>& target, WordPair& pair);

/// How the links of a file are written.
struct LinkForm {
  Index base = 1;           ///< number of the first word
  bool is_swapped = false;  ///< target first
  bool has_possible = true;
};

/// Reads links such as "1-1 2p3" (possible: p or ?) of `pair`, whose words are there. A link
/// outside the pair and one that comes twice are InputErrors.
Links read_links(const LineReader& lines, std::string_view text, const LinkForm& form,
                 const WordPair& pair);

/// Reads pairs one by one.
class WordPairReader {
 public:
  virtual ~WordPairReader() = default;
  /// False at the end.
  virtual bool read(WordPair& pair) = 0;
  /// Of the given alignments; those of the first pair, known once it is read.
  virtual const std::vector<std::string>& given_names() const = 0;
  /// The file of the pairs, for messages.
  virtual const LineReader& lines() const = 0;
};

/// One pair a line with everything about it: `source ||| target ||| gold ||| name: links ...`.
std::unique_ptr<WordPairReader> make_alignment_reader(const std::string& path);

/// Files whose lines belong together, named by what takes the place of the data file's extension.
struct ParallelFiles {
  std::string target;  ///< empty: both sides lie in the data file, around |||
  std::string gold;    ///< empty: not read
  std::vector<std::string>
      given;  ///< "giza.talp"; with ":swapped" behind it the target comes first
};
/// "giza.talp" for "giza.talp:swapped".
std::string alignment_name(const std::string& given);
std::unique_ptr<WordPairReader> make_parallel_reader(const std::string& path,
                                                     const ParallelFiles& files);

/// Gold links in files of their own, pair by pair.
class GoldReader {
 public:
  virtual ~GoldReader() = default;
  /// The links of the next pair, whose words are there.
  virtual Links read(const WordPair& pair) = 0;
  /// After the last pair: nothing may be left.
  virtual void finish() = 0;
};
/// Either a line of links for each pair, or lines `pair source target [S|P]`, told from the first
/// line.
std::unique_ptr<GoldReader> make_gold_reader(const std::string& path);

/// The next line of a file that has a line for each pair. InputError if it has ended.
std::string_view next_pair_line(LineReader& lines);
/// InputError if the file has more lines, other than blank ones.
void expect_end(LineReader& lines);

}  // namespace gapwise::internal
