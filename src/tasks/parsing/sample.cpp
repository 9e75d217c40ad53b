#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <vector>

#include "tasks/parsing/driver.h"

namespace gapwise::internal {
namespace {

/// The words of a tag; the first ones are the most frequent.
struct Lexicon {
  std::string_view tag;
  std::array<std::string_view, 5> words;
};
constexpr Lexicon kNouns{"NOUN", {"tree", "gap", "certificate", "word", "sentence"}};
constexpr Lexicon kVerbs{"VERB", {"sees", "shrinks", "proves", "likes", "parses"}};
constexpr Lexicon kAdjectives{"ADJ", {"small", "certified", "green", "dual", "long"}};
constexpr Lexicon kDeterminers{"DET", {"the", "a", "every", "this", "no"}};
constexpr Lexicon kAdpositions{"ADP", {"with", "of", "under", "in", "near"}};
constexpr Lexicon kAdverbs{"ADV", {"often", "never", "quickly", "surely", "again"}};
constexpr Lexicon kStops{"PUNCT", {".", "!", "?", ".", "."}};

/// A sentence grows from left to right; the head of a word may come later.
class Sentence {
 public:
  explicit Sentence(Rng& rng) : rng_(rng) {}

  std::string make() {
    const std::size_t subject = noun_phrase("nsubj");
    if (chance(0.3)) pending_adverb();
    const std::size_t verb = add(kVerbs, "root");
    if (adverb_ != 0) attach(adverb_, verb);
    attach(subject, verb);
    if (chance(0.8)) {
      const std::size_t object = noun_phrase("obj");
      attach(object, verb);
      if (chance(0.5)) prepositional_phrase(verb, object);
    }
    attach(add(kStops, "punct"), verb);
    return text();
  }

 private:
  struct Word {
    std::string_view form;
    std::string_view tag;
    std::string_view label;
    std::size_t head = 0;
  };

  bool chance(double probability) { return rng_.uniform() < probability; }
  std::size_t add(const Lexicon& lexicon, std::string_view label) {
    const auto count = std::ssize(lexicon.words);
    const Index pick = std::min(rng_.below(count), rng_.below(count));
    words_.push_back({lexicon.words[static_cast<std::size_t>(pick)], lexicon.tag, label});
    return words_.size();
  }
  void attach(std::size_t word, std::size_t head) { words_[word - 1].head = head; }
  void pending_adverb() { adverb_ = add(kAdverbs, "advmod"); }

  std::size_t noun_phrase(std::string_view label) {
    std::vector<std::size_t> before;
    if (chance(0.7)) before.push_back(add(kDeterminers, "det"));
    if (chance(0.4)) before.push_back(add(kAdjectives, "amod"));
    const std::size_t noun = add(kNouns, label);
    for (const std::size_t word : before) attach(word, noun);
    return noun;
  }

  /// "of" belongs to the noun, "with" to the verb; the others may be either.
  void prepositional_phrase(std::size_t verb, std::size_t noun) {
    const std::size_t adposition = add(kAdpositions, "case");
    const std::string_view form = words_[adposition - 1].form;
    const bool is_of_noun = form == "of" || (form != "with" && chance(0.5));
    const std::size_t inner = noun_phrase(is_of_noun ? "nmod" : "obl");
    attach(adposition, inner);
    attach(inner, is_of_noun ? noun : verb);
  }

  std::string text() const {
    std::string lines;
    for (std::size_t k = 0; k < words_.size(); ++k) {
      const Word& word = words_[k];
      lines += fmt::format("{}\t{}\t{}\t{}\t_\t_\t{}\t{}\t_\t_\n", k + 1, word.form, word.form,
                           word.tag, word.head, word.label);
    }
    return lines + "\n";
  }

  Rng& rng_;
  std::vector<Word> words_;
  std::size_t adverb_ = 0;
};

}  // namespace

std::string make_parsing_sample(Index sentences, Rng& rng) {
  std::string text;
  for (Index i = 0; i < sentences; ++i) {
    text += fmt::format("# sent_id = {}\n{}", i + 1, Sentence(rng).make());
  }
  return text;
}

}  // namespace gapwise::internal
