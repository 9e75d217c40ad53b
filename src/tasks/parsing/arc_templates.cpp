#include "tasks/parsing/arc_templates.h"

#include <algorithm>
#include <initializer_list>

namespace gapwise::internal {

namespace {

constexpr std::uint64_t kRootForm = 0xd1b54a32d192ed03ULL;
constexpr std::uint64_t kOutside = 0x8cb92ba72f3d8dd7ULL;

/// Numbers of the templates behind those of TagFeature. They are part of the model format: a model
/// finds its weights by them.
enum Template : std::uint64_t {
  kHeadForm = 16,
  kHeadTag,
  kHeadFormTag,
  kHeadLemma,
  kHeadContextLeft,
  kHeadContextRight,
  kHeadContext,
  kWordForm,
  kWordTag,
  kWordFormTag,
  kWordLemma,
  kWordContextLeft,
  kWordContextRight,
  kWordContext,
  kForms,
  kFormsTags,
  kLemmas,
  kFormHeadTag,
  kFormHeadTagDistance,
  kFormWordTag,
  kFormWordTagDistance,
  kLemmaHead,
  kLemmaWord,
  kCoarse,
  kCoarseDistance,
  kBetween,
  kBetweenCoarse,
  kAround,  // eight in a row
  kAroundDistance = kAround + 8,
  kLabelHead = kAroundDistance + 8,
  kLabelHeadLemma,
  kLabelWordTag,
  kLabelWordForm,
  kLabelWordLemma,
  kLabelWordLeft,
  kLabelWordRight,
  kLabelWordContext,
  kLabelHeadForm,
  kLabelWordWithTag,
  kLabelDistance,
  kLabelCoarse,
  kLabelLemmas,
};

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 29);
}

std::uint64_t hash_values(std::uint64_t kind, std::uint64_t place,
                          std::initializer_list<std::uint64_t> values) {
  std::uint64_t hash = mix(kind * 64 + place, 0x632be59bd9b4e019ULL);
  for (const std::uint64_t value : values) hash = mix(hash, value);
  return mix(hash, hash >> 32);
}

std::uint64_t number(Side side) {
  return static_cast<std::uint64_t>(side);
}

/// Numbers the values of a list in order of appearance.
void number_values(std::span<const ParsingWord> words, std::uint64_t ParsingWord::*member,
                   std::vector<std::uint32_t>& numbers) {
  std::vector<std::uint64_t> known;
  numbers.clear();
  for (const ParsingWord& word : words) {
    const auto found = std::find(known.begin(), known.end(), word.*member);
    numbers.push_back(static_cast<std::uint32_t>(found - known.begin()));
    if (found == known.end()) known.push_back(word.*member);
  }
}

}  // namespace

std::uint64_t tag_feature(TagFeature kind, std::uint64_t head_tag, std::uint64_t tag, int place) {
  return hash_values(static_cast<std::uint64_t>(kind), static_cast<std::uint64_t>(place),
                     {head_tag, tag});
}

void ArcTemplates::load(std::span<const ParsingWord> words) {
  words_ = static_cast<int>(words.size());
  const ParsingWord outside{kOutside, kOutside, kOutside, kOutside};
  padded_.assign(1, outside);
  padded_.push_back({kRootForm, kRootForm, kRootTag, kRootTag});
  padded_.insert(padded_.end(), words.begin(), words.end());
  padded_.push_back(outside);
  has_coarse_tags_ = std::any_of(words.begin(), words.end(),
                                 [](const ParsingWord& word) { return word.coarse_tag != 0; });
  number_values(padded_, &ParsingWord::tag, kinds_);
  number_values(padded_, &ParsingWord::coarse_tag, coarse_kinds_);
  seen_.assign(2 * padded_.size(), 0);
  arc_ = 0;
}

void ArcTemplates::add_context(const std::array<std::uint64_t, 3>& kinds, int k,
                               std::uint64_t place, Hashes& out) const {
  const std::uint64_t before = at(k - 1).tag;
  const std::uint64_t tag = at(k).tag;
  const std::uint64_t after = at(k + 1).tag;
  out.push_back(hash_values(kinds[0], place, {before, tag}));
  out.push_back(hash_values(kinds[1], place, {tag, after}));
  out.push_back(hash_values(kinds[2], place, {before, tag, after}));
}

void ArcTemplates::add_own(const std::array<std::uint64_t, 4>& kinds, int k, std::uint64_t place,
                           Hashes& out) const {
  const ParsingWord& x = at(k);
  out.push_back(hash_values(kinds[0], place, {x.form}));
  out.push_back(hash_values(kinds[1], place, {x.tag}));
  out.push_back(hash_values(kinds[2], place, {x.form, x.tag}));
  if (x.lemma != 0) out.push_back(hash_values(kinds[3], place, {x.lemma}));
}

void ArcTemplates::head(int h, Side side, Hashes& out) const {
  const std::uint64_t place = number(side);
  add_own({kHeadForm, kHeadTag, kHeadFormTag, kHeadLemma}, h, place, out);
  if (h == 0) return;
  add_context({kHeadContextLeft, kHeadContextRight, kHeadContext}, h, place, out);
}

void ArcTemplates::word(int m, Side side, Hashes& out) const {
  const std::uint64_t place = number(side);
  add_own({kWordForm, kWordTag, kWordFormTag, kWordLemma}, m, place, out);
  add_context({kWordContextLeft, kWordContextRight, kWordContext}, m, place, out);
}

void ArcTemplates::pair(int h, int m, Hashes& out) {
  const ParsingWord& x = at(h);
  const ParsingWord& y = at(m);
  const Side side = side_of(h, m);
  const std::uint64_t place = number(side);
  const int far_place = distance_place(h, m);
  const auto distance = static_cast<std::uint64_t>(far_place);
  out.push_back(tag_feature(TagFeature::kArc, x.tag, y.tag, place_of(side)));
  out.push_back(tag_feature(TagFeature::kArcDistance, x.tag, y.tag, far_place));
  out.push_back(hash_values(kForms, place, {x.form, y.form}));
  out.push_back(hash_values(kFormsTags, place, {x.form, x.tag, y.form, y.tag}));
  out.push_back(hash_values(kFormHeadTag, place, {x.form, x.tag, y.tag}));
  out.push_back(hash_values(kFormHeadTagDistance, distance, {x.form, y.tag}));
  out.push_back(hash_values(kFormWordTag, place, {x.tag, y.form, y.tag}));
  out.push_back(hash_values(kFormWordTagDistance, distance, {x.tag, y.form}));
  if (x.lemma != 0 && y.lemma != 0) {
    out.push_back(hash_values(kLemmas, place, {x.lemma, y.lemma}));
    out.push_back(hash_values(kLemmaHead, place, {x.lemma, y.tag}));
    out.push_back(hash_values(kLemmaWord, place, {x.tag, y.lemma}));
  }
  if (has_coarse_tags_) {
    out.push_back(hash_values(kCoarse, place, {x.coarse_tag, y.coarse_tag}));
    out.push_back(hash_values(kCoarseDistance, distance, {x.coarse_tag, y.coarse_tag}));
  }
  add_surrounding(h, m, out);
  add_between(h, m, side, out);
}

void ArcTemplates::add_surrounding(int h, int m, Hashes& out) const {
  const std::uint64_t place = number(side_of(h, m));
  const auto distance = static_cast<std::uint64_t>(distance_place(h, m));
  const std::uint64_t x = at(h).tag;
  const std::uint64_t y = at(m).tag;
  const std::uint64_t x_before = at(h - 1).tag;
  const std::uint64_t x_after = at(h + 1).tag;
  const std::uint64_t y_before = at(m - 1).tag;
  const std::uint64_t y_after = at(m + 1).tag;
  std::uint64_t kind = 0;
  const auto add = [&](std::initializer_list<std::uint64_t> tags) {
    out.push_back(hash_values(kAround + kind, place, tags));
    if (tags.size() == 4) out.push_back(hash_values(kAroundDistance + kind, distance, tags));
    ++kind;
  };
  add({x_before, x, y});
  add({x, x_after, y});
  add({x, y_before, y});
  add({x, y, y_after});
  add({x, x_after, y_before, y});
  add({x_before, x, y_before, y});
  add({x, x_after, y, y_after});
  add({x_before, x, y, y_after});
}

void ArcTemplates::add_between(int h, int m, Side side, Hashes& out) {
  ++arc_;
  const ParsingWord& x = at(h);
  const ParsingWord& y = at(m);
  for (int k = std::min(h, m) + 1; k < std::max(h, m); ++k) {
    const auto position = static_cast<std::size_t>(k + 1);
    std::uint32_t& seen = seen_[kinds_[position]];
    if (seen != arc_) {
      out.push_back(hash_values(kBetween, number(side), {x.tag, at(k).tag, y.tag}));
      seen = arc_;
    }
    if (!has_coarse_tags_) continue;
    std::uint32_t& seen_coarse = seen_[padded_.size() + coarse_kinds_[position]];
    if (seen_coarse != arc_) {
      out.push_back(hash_values(kBetweenCoarse, number(side),
                                {x.coarse_tag, at(k).coarse_tag, y.coarse_tag}));
      seen_coarse = arc_;
    }
  }
}

void ArcTemplates::label_head(int h, Side side, Hashes& out) const {
  const std::uint64_t place = number(side);
  out.push_back(hash_values(kLabelHead, place, {at(h).tag}));
  out.push_back(hash_values(kLabelHeadForm, place, {at(h).form}));
  if (at(h).lemma != 0) out.push_back(hash_values(kLabelHeadLemma, place, {at(h).lemma}));
}

void ArcTemplates::label_word(int m, Side side, Hashes& out) const {
  const ParsingWord& x = at(m);
  const std::uint64_t place = number(side);
  out.push_back(hash_values(kLabelWordTag, place, {x.tag}));
  out.push_back(hash_values(kLabelWordForm, place, {x.form}));
  if (x.lemma != 0) out.push_back(hash_values(kLabelWordLemma, place, {x.lemma}));
  add_context({kLabelWordLeft, kLabelWordRight, kLabelWordContext}, m, place, out);
}

void ArcTemplates::label_pair(int h, int m, Hashes& out) const {
  const ParsingWord& x = at(h);
  const ParsingWord& y = at(m);
  const Side side = side_of(h, m);
  out.push_back(tag_feature(TagFeature::kLabel, x.tag, y.tag, place_of(side)));
  out.push_back(hash_values(kLabelDistance, static_cast<std::uint64_t>(distance_place(h, m)),
                            {x.tag, y.tag}));
  const std::uint64_t head = x.lemma != 0 ? x.lemma : x.form;
  const std::uint64_t word = y.lemma != 0 ? y.lemma : y.form;
  out.push_back(hash_values(kLabelWordWithTag, number(side), {x.tag, word}));
  out.push_back(hash_values(kLabelLemmas, number(side), {head, y.tag}));
  if (has_coarse_tags_) {
    out.push_back(hash_values(kLabelCoarse, number(side), {x.coarse_tag, y.coarse_tag}));
  }
}

}  // namespace gapwise::internal
