#include "tasks/alignment/dice.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/fields.h"
#include "io/utf8.h"

namespace gapwise::internal {
namespace {

std::vector<std::uint32_t> numbers_of(const std::vector<std::string>& words,
                                      const Alphabet& alphabet) {
  std::vector<std::uint32_t> numbers;
  for (const std::string& word : words) numbers.push_back(alphabet.find(lowered(word)));
  return numbers;
}

}  // namespace

void DiceTable::look_up(const WordPair& pair, std::vector<double>& values) const {
  const std::vector<std::uint32_t> sources = numbers_of(pair.source, sources_);
  const std::vector<std::uint32_t> targets = numbers_of(pair.target, targets_);
  values.clear();
  for (const std::uint32_t s : sources) {
    for (const std::uint32_t t : targets) {
      const auto found = values_.find(key(s, t));
      values.push_back(found == values_.end()
                           ? 0.0
                           : static_cast<double>(found->second) / static_cast<double>(kUnit));
    }
  }
}

void DiceTable::encode(ModelRecord& model) const {
  model.lists["dice-sources"] = sources_.names();
  model.lists["dice-targets"] = targets_.names();
  std::vector<std::pair<std::uint64_t, std::int64_t>> sorted(values_.begin(), values_.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int64_t>& flat = model.numbers["dice"];
  for (const auto& [words, value] : sorted) {
    flat.push_back(static_cast<std::int64_t>(words >> 32U));
    flat.push_back(static_cast<std::int64_t>(words & 0xffffffffU));
    flat.push_back(value);
  }
}

DiceTable DiceTable::decode(const ModelFields& parts) {
  const ModelRecord& model = parts.model();
  DiceTable table;
  const auto words = [&](const std::string& list) {
    const std::vector<std::string>& names = model.list(list);
    return parts.unique(Alphabet::from_names(names), names.size(), "word");
  };
  table.sources_ = words("dice-sources");
  table.targets_ = words("dice-targets");
  const std::vector<std::int64_t>& flat = parts.numbers("dice");
  if (flat.size() % 3 != 0)
    parts.fail(fmt::format("{} dice numbers, expected triples", flat.size()));
  for (std::size_t k = 0; k < flat.size(); k += 3) {
    const bool is_good = flat[k] >= 0 && flat[k] < std::ssize(model.list("dice-sources")) &&
                         flat[k + 1] >= 0 && flat[k + 1] < std::ssize(model.list("dice-targets")) &&
                         flat[k + 2] >= 0 && flat[k + 2] <= kUnit;
    if (!is_good) {
      parts.fail(fmt::format("dice {} of words {} and {}", flat[k + 2], flat[k], flat[k + 1]));
    }
    table.values_[key(static_cast<std::uint32_t>(flat[k]),
                      static_cast<std::uint32_t>(flat[k + 1]))] = flat[k + 2];
  }
  return table;
}

void DiceCounter::Side::add(std::span<const std::string> sentence) {
  present.clear();
  for (const std::string& word : sentence) present.push_back(words.add(lowered(word)));
  std::sort(present.begin(), present.end());
  present.erase(std::unique(present.begin(), present.end()), present.end());
  counts.resize(words.size(), 0);
  for (const std::uint32_t word : present) ++counts[word];
}

void DiceCounter::add(const WordPair& pair) {
  source_.add(pair.source);
  target_.add(pair.target);
  for (const std::uint32_t s : source_.present) {
    for (const std::uint32_t t : target_.present) ++together_[DiceTable::key(s, t)];
  }
}

DiceTable DiceCounter::finish() const {
  std::vector<std::uint64_t> keys;
  for (const auto& [words, count] : together_) {
    const std::int64_t both = source_.counts[words >> 32U] + target_.counts[words & 0xffffffffU];
    if (2 * DiceTable::kUnit * count / both >= DiceTable::kLeast) keys.push_back(words);
  }
  std::sort(keys.begin(), keys.end());  // so that words are numbered the same way everywhere
  DiceTable table;
  for (const std::uint64_t words : keys) {
    const auto s = static_cast<std::uint32_t>(words >> 32U);
    const auto t = static_cast<std::uint32_t>(words);
    const std::uint32_t source = table.sources_.add(source_.words.name(s));
    const std::uint32_t target = table.targets_.add(target_.words.name(t));
    table.values_[DiceTable::key(source, target)] =
        2 * DiceTable::kUnit * together_.at(words) / (source_.counts[s] + target_.counts[t]);
  }
  return table;
}

void count_bitext(const std::string& files, DiceCounter& counter) {
  const std::vector<std::string> names = split_commas(files);
  if (names.size() > 2) {
    throw OptionError(fmt::format(
        "\1bitext '{}' names {} files; expected one with both sides, or two", files, names.size()));
  }
  if (names.empty()) return;
  LineReader source(names[0]);
  std::optional<LineReader> target;
  if (names.size() == 2) target.emplace(names[1]);
  WordPair pair;
  while (read_sides(source, target, pair)) counter.add(pair);
  if (target) expect_end(*target);
}

}  // namespace gapwise::internal
