#include "tasks/alignment/word_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/utf8.h"

namespace gapwise::internal {
namespace {

constexpr std::size_t kPrefix = 4;        ///< bytes
constexpr std::size_t kLongestWord = 64;  ///< bytes of a word that are compared

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_number(const std::string& word) {
  return std::any_of(word.begin(), word.end(), is_digit);
}
/// Neither letters nor digits; bytes beyond ASCII count as letters.
bool is_mark(const std::string& word) {
  return std::all_of(word.begin(), word.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x80U && !is_digit(c) && (c < 'a' || c > 'z');
  });
}

/// Length of the longest common subsequence of bytes over that of the longer word.
double common_share(std::string_view a, std::string_view b) {
  a = a.substr(0, kLongestWord);
  b = b.substr(0, kLongestWord);
  std::array<int, kLongestWord + 1> lengths{};  // for prefixes of b, of the row before
  for (const char letter : a) {
    int diagonal = 0;
    for (std::size_t k = 0; k < b.size(); ++k) {
      const int above = lengths[k + 1];
      lengths[k + 1] = letter == b[k] ? diagonal + 1 : std::max(above, lengths[k]);
      diagonal = above;
    }
  }
  return static_cast<double>(lengths[b.size()]) / static_cast<double>(std::max(a.size(), b.size()));
}

std::vector<std::string> lower(const std::vector<std::string>& words) {
  std::vector<std::string> result;
  for (const std::string& word : words) append_lower(word, result.emplace_back());
  return result;
}

std::size_t at(Index k) {
  return static_cast<std::size_t>(k);
}

/// Counts beyond 2 are not told apart.
std::size_t few(int count) {
  return static_cast<std::size_t>(std::min(count, 2));
}

std::vector<Gold> gold_of(const WordPair& pair) {
  std::vector<Gold> gold(pair.source.size() * pair.target.size(), Gold::kWrong);
  if (!pair.gold) return gold;
  for (const Link& link : *pair.gold) {
    gold[at(link.source) * pair.target.size() + at(link.target)] =
        link.is_sure ? Gold::kSure : Gold::kPossible;
  }
  return gold;
}

}  // namespace

WordFeatures::WordFeatures(const std::vector<std::string>& given, const DiceTable& dice,
                           LinkBuilder& builder)
    : dice_(dice), builder_(builder) {
  const auto name = [&](std::uint32_t& number, std::string_view text) {
    number = builder.number(text);
  };
  name(bias_, "bias");
  name(dice_value_, "dice");
  name(dice_root_, "dice root");
  name(dice_best_source_, "dice best of source");
  name(dice_best_target_, "dice best of target");
  name(dice_best_both_, "dice best of both");
  name(distance_, "distance");
  name(distance_square_, "distance squared");
  name(distance_root_, "distance root");
  name(same_, "same word");
  name(same_prefix_, "same first 4 letters");
  name(common_, "common letters");
  name(both_marks_, "both punctuation");
  name(one_mark_, "one punctuation");
  name(both_numbers_, "both numbers");
  name(one_number_, "one number");
  name(lengths_, "difference of lengths");
  name(neighbours_, "neighbours");
  for (std::size_t d = 0; d < kDistances; ++d) {
    name(distance_steps_[d], fmt::format("distance {}/{}", d, kDistances));
  }
  number_given(given);
  for (std::size_t level = 0; level < kLevels; ++level) {
    const std::string before = fmt::format("agreement {}/{} and ", level, kLevels - 1);
    for (std::size_t d = 0; d < kDistances; ++d) {
      name(level_distance_[level][d], fmt::format("{}distance {}/{}", before, d, kDistances));
    }
    for (std::size_t k = 0; k < 3; ++k) {
      name(level_neighbours_[level][k], fmt::format("{}{} neighbours", before, k));
    }
    name(level_best_dice_[level], before + "dice best of both");
    name(level_same_[level], before + "same word");
  }
}

void WordFeatures::number_given(const std::vector<std::string>& given) {
  const auto number = [&](const std::string& text) { return builder_.number(text); };
  for (std::size_t k = 0; k < given.size(); ++k) {
    const std::string& name = given[k];
    GivenNumbers numbers;
    numbers.link = number(name);
    for (std::size_t count = 0; count < 3; ++count) {
      numbers.diagonal[count] = number(fmt::format("{} along the diagonal {}", name, count));
      numbers.beside[count] = number(fmt::format("{} beside {}", name, count));
      numbers.source_others[count] = number(fmt::format("{} others of source {}", name, count));
      numbers.target_others[count] = number(fmt::format("{} others of target {}", name, count));
    }
    numbers.source_alone = number(name + " source alone");
    numbers.target_alone = number(name + " target alone");
    for (std::size_t other = k + 1; other < given.size(); ++other) {
      numbers.both.push_back(number(fmt::format("{} and {}", name, given[other])));
    }
    given_.push_back(std::move(numbers));
  }
  for (std::size_t count = 0; count <= given.size(); ++count) {
    agreement_.push_back(number(fmt::format("agreement {}", count)));
  }
}

void WordFeatures::add(const WordPair& pair, Index first_position) {
  load(pair);
  for (Index s = 0; s < sources_; ++s) {
    for (Index t = 0; t < targets_; ++t) {
      const LinkView link = view(s, t);
      builder_.add(bias_);
      add_dice(link);
      add_distance(link);
      add_orthography(link);
      if (!given_.empty()) {
        add_given(link);
        add_conjunctions(link);
      }
      builder_.end_link();
    }
  }
  PairEcho echo;
  for (Index s = 0; s < sources_; ++s) echo.sources.push_back(first_position + s);
  for (Index t = 0; t < targets_; ++t) echo.targets.push_back(first_position + t);
  builder_.end_pair(std::move(echo), gold_of(pair));
}

void WordFeatures::load(const WordPair& pair) {
  sources_ = std::ssize(pair.source);
  targets_ = std::ssize(pair.target);
  source_words_ = lower(pair.source);
  target_words_ = lower(pair.target);
  dice_.look_up(pair, dice_cells_);
  source_best_.assign(at(sources_), 0.0);
  target_best_.assign(at(targets_), 0.0);
  for (Index s = 0; s < sources_; ++s) {
    for (Index t = 0; t < targets_; ++t) {
      const double value = dice_cells_[cell(s, t)];
      source_best_[at(s)] = std::max(source_best_[at(s)], value);
      target_best_[at(t)] = std::max(target_best_[at(t)], value);
    }
  }
  links_.resize(given_.size());
  for (std::size_t k = 0; k < links_.size(); ++k) {
    GivenLinks& links = links_[k];
    links.has.assign(at(sources_ * targets_), 0);
    links.source_counts.assign(at(sources_), 0);
    links.target_counts.assign(at(targets_), 0);
    for (const Link& link : pair.given[k]) {
      links.has[cell(link.source, link.target)] = 1;
      ++links.source_counts[at(link.source)];
      ++links.target_counts[at(link.target)];
    }
  }
}

bool WordFeatures::has(const GivenLinks& given, Index s, Index t) const {
  return s >= 0 && t >= 0 && s < sources_ && t < targets_ && given.has[cell(s, t)] != 0;
}

WordFeatures::LinkView WordFeatures::view(Index s, Index t) const {
  LinkView link{};
  link.s = s;
  link.t = t;
  const auto middle = [](Index k, Index size) {
    return (static_cast<double>(k) + 0.5) / static_cast<double>(size);
  };
  link.distance = std::fabs(middle(s, sources_) - middle(t, targets_));
  // Most links lie close to the diagonal, so steps are of the root.
  link.distance_step = static_cast<std::size_t>(std::sqrt(link.distance) * kDistances);
  for (const GivenLinks& given : links_) {
    link.agreement += given.has[cell(s, t)] != 0 ? 1 : 0;
    link.neighbours += has(given, s - 1, t - 1) || has(given, s + 1, t + 1) ? 1 : 0;
  }
  if (link.agreement > 0) {
    link.level = link.agreement == links_.size()      ? kLevels - 1
                 : 2 * link.agreement > links_.size() ? 2
                                                      : 1;
  }
  const double dice = dice_cells_[cell(s, t)];
  link.is_best_dice = dice > 0.0 && dice == source_best_[at(s)] && dice == target_best_[at(t)];
  link.is_same = source_words_[at(s)] == target_words_[at(t)];
  return link;
}

void WordFeatures::add_dice(const LinkView& link) {
  const double dice = dice_cells_[cell(link.s, link.t)];
  if (dice == 0.0) return;
  builder_.add(dice_value_, dice);
  builder_.add(dice_root_, std::sqrt(dice));
  if (dice == source_best_[at(link.s)]) builder_.add(dice_best_source_);
  if (dice == target_best_[at(link.t)]) builder_.add(dice_best_target_);
  if (link.is_best_dice) builder_.add(dice_best_both_);
}

void WordFeatures::add_distance(const LinkView& link) {
  builder_.add(distance_, link.distance);
  builder_.add(distance_square_, link.distance * link.distance);
  builder_.add(distance_root_, std::sqrt(link.distance));
  builder_.add(distance_steps_[link.distance_step]);
}

void WordFeatures::add_orthography(const LinkView& link) {
  const std::string& a = source_words_[at(link.s)];
  const std::string& b = target_words_[at(link.t)];
  if (link.is_same) builder_.add(same_);
  if (a.size() >= kPrefix && b.size() >= kPrefix && a.compare(0, kPrefix, b, 0, kPrefix) == 0) {
    builder_.add(same_prefix_);
  }
  builder_.add(common_, common_share(a, b));
  const bool marks[] = {is_mark(a), is_mark(b)};
  if (marks[0] && marks[1]) builder_.add(both_marks_);
  if (marks[0] != marks[1]) builder_.add(one_mark_);
  const bool numbers[] = {is_number(a), is_number(b)};
  if (numbers[0] && numbers[1]) builder_.add(both_numbers_);
  if (numbers[0] != numbers[1]) builder_.add(one_number_);
  const auto longer = static_cast<double>(std::max(a.size(), b.size()));
  const auto shorter = static_cast<double>(std::min(a.size(), b.size()));
  builder_.add(lengths_, (longer - shorter) / longer);
}

void WordFeatures::add_given(const LinkView& link) {
  for (std::size_t k = 0; k < given_.size(); ++k) {
    const GivenNumbers& numbers = given_[k];
    const GivenLinks& links = links_[k];
    const Index s = link.s;
    const Index t = link.t;
    const int is_linked = has(links, s, t) ? 1 : 0;
    const auto count = [&](Index ds, Index dt) {
      return (has(links, s - ds, t - dt) ? 1 : 0) + (has(links, s + ds, t + dt) ? 1 : 0);
    };
    builder_.add(numbers.diagonal[few(count(1, 1))]);
    builder_.add(numbers.beside[few(count(1, 0) + count(0, 1))]);
    const int source_count = links.source_counts[at(s)];
    const int target_count = links.target_counts[at(t)];
    if (is_linked == 1) {
      builder_.add(numbers.link);
      builder_.add(numbers.source_others[few(source_count - 1)]);
      builder_.add(numbers.target_others[few(target_count - 1)]);
    }
    if (source_count == 0) builder_.add(numbers.source_alone);
    if (target_count == 0) builder_.add(numbers.target_alone);
    for (std::size_t other = k + 1; is_linked == 1 && other < given_.size(); ++other) {
      if (has(links_[other], s, t)) builder_.add(numbers.both[other - k - 1]);
    }
  }
  builder_.add(agreement_[link.agreement]);
  builder_.add(neighbours_,
               static_cast<double>(link.neighbours) / static_cast<double>(given_.size()));
}

void WordFeatures::add_conjunctions(const LinkView& link) {
  const std::size_t level = link.level;
  builder_.add(level_distance_[level][link.distance_step]);
  builder_.add(level_neighbours_[level][few(link.neighbours)]);
  if (link.is_best_dice) builder_.add(level_best_dice_[level]);
  if (link.is_same) builder_.add(level_same_[level]);
  if (link.agreement == 0) return;
  pattern_ = "given by ";
  for (const GivenLinks& given : links_) {
    pattern_.push_back(given.has[cell(link.s, link.t)] != 0 ? '1' : '0');
  }
  builder_.add(builder_.number(pattern_));
}

}  // namespace gapwise::internal
