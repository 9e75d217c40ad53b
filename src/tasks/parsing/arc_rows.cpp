#include "tasks/parsing/arc_rows.h"

namespace gapwise::internal {
namespace {

constexpr Side kSides[] = {Side::kLeft, Side::kRight};

/// Calls head(h, side), word(m, side) and pair(h, m) for the rows of a sentence in their order.
template <class Head, class Word, class Pair>
void for_each_place(int words, Head head, Word word, Pair pair) {
  for (int h = 0; h <= words; ++h) {
    for (const Side side : kSides) head(h, side);
  }
  for (int m = 1; m <= words; ++m) {
    for (const Side side : kSides) word(m, side);
  }
  const auto count = static_cast<std::size_t>(words) * static_cast<std::size_t>(words);
  for (std::size_t arc = 0; arc < count; ++arc) {
    const auto [h, m] = ends_of(arc, words);
    pair(h, m);
  }
}

/// Numbers the features of arcs h -> m that three templates give: of the head, the word and both.
auto numbering(ArcTemplates& templates, auto head, auto word, auto pair, FeatureBuckets& buckets) {
  return [=, &templates, &buckets, hashes = ArcTemplates::Hashes()](int h, int m) mutable {
    hashes.clear();
    (templates.*head)(h, side_of(h, m), hashes);
    (templates.*word)(m, side_of(h, m), hashes);
    (templates.*pair)(h, m, hashes);
    for (const std::uint64_t hash : hashes) buckets.add(hash);
  };
}

}  // namespace

const ArcRows& ArcRowBuilder::build(std::span<const ParsingWord> words) {
  templates_.load(words);
  rows_ = {};
  rows_.words = templates_.words();
  const auto add_row = [&](const FeatureBuckets& buckets, FeatureRows& rows) {
    // Whether a feature is known cannot be predicted, so nothing branches on it.
    std::size_t known = 0;
    for (const std::uint64_t hash : hashes_) {
      hashes_[known] = hash;
      known += buckets.contains(hash) ? 1 : 0;
    }
    // All numbers are asked for before the first is needed.
    for (std::size_t k = 0; k < known; ++k) hashes_[k] = buckets.find(hashes_[k]);
    for (std::size_t k = 0; k < known; ++k) rows.add(static_cast<std::uint32_t>(hashes_[k]));
    rows.end_row();
    hashes_.clear();
  };
  const auto add_rows = [&](const FeatureBuckets& buckets, FeatureRows& rows, auto head, auto word,
                            auto pair) {
    const auto add = [&](auto features, auto... place) {
      (templates_.*features)(place..., hashes_);
      add_row(buckets, rows);
    };
    for_each_place(
        rows_.words, [&](int h, Side side) { add(head, h, side); },
        [&](int m, Side side) { add(word, m, side); }, [&](int h, int m) { add(pair, h, m); });
  };
  add_rows(features_.arcs, rows_.arcs, &ArcTemplates::head, &ArcTemplates::word,
           &ArcTemplates::pair);
  if (!features_.is_labelled()) return rows_;
  add_rows(features_.labels, rows_.labels, &ArcTemplates::label_head, &ArcTemplates::label_word,
           &ArcTemplates::label_pair);
  return rows_;
}

ParsingFeatures collect_features(const ParsingData& data, int num_labels, int hash_bits,
                                 FeatureSource source) {
  ParsingFeatures features{FeatureBuckets(hash_bits), FeatureBuckets(1), num_labels};
  if (features.is_labelled()) features.labels = FeatureBuckets(hash_bits);
  ArcTemplates templates;
  auto number_arc = numbering(templates, &ArcTemplates::head, &ArcTemplates::word,
                              &ArcTemplates::pair, features.arcs);
  auto number_label = numbering(templates, &ArcTemplates::label_head, &ArcTemplates::label_word,
                                &ArcTemplates::label_pair, features.labels);
  for (Index i = 0; i < data.size(); ++i) {
    templates.load(data.of(i, data.words));
    const auto heads = data.of(i, data.heads);
    for (int m = 1; m <= templates.words(); ++m) {
      const int truth = heads[static_cast<std::size_t>(m - 1)];
      if (features.is_labelled()) number_label(truth, m);
      if (source == FeatureSource::kTrees) {
        number_arc(truth, m);
        continue;
      }
      for (int h = 0; h <= templates.words(); ++h) {
        if (h != m) number_arc(h, m);
      }
    }
  }
  return features;
}

}  // namespace gapwise::internal
