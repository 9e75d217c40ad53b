#include <fmt/format.h>

#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "tasks/alignment/driver.h"

namespace gapwise::internal {
namespace {

constexpr const char* kSource[] = {"one",  "two", "red", "blue", "house",
                                   "tree", "man", "dog", "sees", "buys"};
constexpr const char* kTarget[] = {"uno",    "due",  "rosso", "blu",  "casa",
                                   "pianta", "uomo", "cane",  "vede", "compra"};
constexpr double kPossible = 0.2;  ///< chance that a sure link is only possible
constexpr double kParticle = 0.3;  ///< of a word without a link
constexpr double kSwap = 0.3;      ///< of neighbours in the other order
constexpr double kMissing = 0.2;   ///< that a given alignment misses a link
constexpr double kWrong = 0.15;    ///< that it has a wrong one

using Position = std::pair<std::size_t, std::size_t>;

struct Sentences {
  std::string source;
  std::string target;
  std::size_t target_words = 0;
  std::vector<Position> links;  ///< from 1
};

Sentences draw_sentences(Rng& rng) {
  std::vector<std::size_t> words;
  for (Index k = 2 + rng.below(5); k > 0; --k) {
    words.push_back(static_cast<std::size_t>(rng.below(std::ssize(kSource))));
  }
  std::vector<std::size_t> order(words.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (rng.uniform() < kSwap) std::swap(order[k - 1], order[k]);
  }
  Sentences pair;
  for (const std::size_t word : words) pair.source += fmt::format("{} ", kSource[word]);
  for (const std::size_t k : order) {
    if (rng.uniform() < kParticle) {
      pair.target += "di ";
      ++pair.target_words;
    }
    pair.target += fmt::format("{} ", kTarget[words[k]]);
    pair.links.emplace_back(k + 1, ++pair.target_words);
  }
  return pair;
}

std::string draw_given(const Sentences& pair, Rng& rng) {
  std::set<Position> links;
  for (const auto& [s, t] : pair.links) {
    if (rng.uniform() >= kMissing) links.emplace(s, t);
    if (rng.uniform() < kWrong) {
      links.emplace(s,
                    1 + static_cast<std::size_t>(rng.below(static_cast<Index>(pair.target_words))));
    }
  }
  std::string text;
  for (const auto& [s, t] : links) text += fmt::format(" {}-{}", s, t);
  return text;
}

}  // namespace

std::string alignment_sample(Index pairs, Rng& rng) {
  std::string text;
  for (Index i = 0; i < pairs; ++i) {
    const Sentences pair = draw_sentences(rng);
    text += fmt::format("{}||| {}|||", pair.source, pair.target);
    for (const auto& [s, t] : pair.links) {
      text += fmt::format(" {}{}{}", s, rng.uniform() < kPossible ? 'p' : '-', t);
    }
    for (const char* name : {"first", "second"}) {
      text += fmt::format(" ||| {}:{}", name, draw_given(pair, rng));
    }
    text += '\n';
  }
  return text;
}

}  // namespace gapwise::internal
