#include "tasks/parsing/problem.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "core/parallel.h"
#include "gapwise/errors.h"
#include "tasks/parsing/arc_rows.h"
#include "tasks/parsing/arc_scores.h"
#include "tasks/parsing/sparse_sum.h"

namespace gapwise::internal {
namespace {

/// About what the packed features of an arc take.
constexpr std::size_t kBytesPerArc = 192;

struct ParsingProblemData {
  std::shared_ptr<const ParsingData> sentences;
  std::shared_ptr<const ParsingFeatures> features;
  TreeKind kind;
  ParsingLoss loss;
  std::vector<ArcRows> packed;    ///< empty rows for sentences that did not fit
  std::vector<bool> is_outsider;  ///< whether the true tree is not of the kind

  double cost(Index i) const {
    return loss == ParsingLoss::kHamming ? 1.0 : 1.0 / sentences->length(i);
  }
};

class ParsingOracle final : public Oracle {
 public:
  explicit ParsingOracle(const ParsingProblemData& problem)
      : problem_(problem),
        data_(*problem.sentences),
        features_(*problem.features),
        labels_(static_cast<std::size_t>(features_.num_labels)),
        builder_(features_),
        decoder_(problem.kind) {}

  void score(Index i, Weights w, PartScores& theta) override {
    const ArcRows& rows = rows_of(i);
    scorer_.score(rows, features_, w, theta.resize(rows.num_arcs() * labels_).data());
  }

  void decode(Index i, const PartScores& theta, Augment augment, Corner& out) override;

  void score_some(Index i, Weights w, std::span<const Index> ids, std::span<double> out) override {
    const ArcRows& rows = rows_of(i);
    const double* label_weights = w.data() + features_.arcs.size();
    double arc_score = 0.0;
    std::size_t last_arc = rows.num_arcs();
    for (std::size_t k = 0; k < ids.size(); ++k) {
      const auto [arc, label] = split(ids[k]);
      if (arc != last_arc) {
        arc_score = 0.0;
        for_each_arc_feature(rows, arc, [&](std::size_t f) { arc_score += w[f]; });
        last_arc = arc;
      }
      double label_score = 0.0;
      for_each_label_feature(rows, arc, [&, l = label](std::size_t f) {
        label_score += label_weights[f * labels_ + l];
      });
      out[k] = arc_score + label_score;
    }
  }

  bool describe(Index i, std::span<const Index> ids, PartRows& out) override {
    const ArcRows& rows = rows_of(i);
    const auto label_weights = static_cast<Index>(features_.arcs.size());
    for (std::size_t k = 0; k < ids.size();) {
      const std::size_t arc = split(ids[k]).arc;
      std::size_t end = k;
      while (end < ids.size() && split(ids[end]).arc == arc) ++end;
      out.begin_row();
      for_each_arc_feature(rows, arc,
                           [&](std::size_t f) { out.add_feature(static_cast<Index>(f)); });
      for (std::size_t part = k; part < end; ++part) out.add_part(part);
      out.begin_row();
      for_each_label_feature(
          rows, arc, [&](std::size_t f) { out.add_feature(static_cast<Index>(f * labels_)); });
      for (; k < end; ++k) {
        out.add_part(k, label_weights + static_cast<Index>(split(ids[k]).label));
      }
    }
    return true;
  }

  void scatter(Index i, const Parts& v, double scale, MutableWeights w) override {
    for_each_weight(i, v, [&](std::size_t at, double value) { w[at] += scale * value; });
  }

  double squared_norm(Index i, const Parts& v) override {
    add_up(i, v);
    return sum_.squared_norm();
  }

  double inner_product(Index i, const Parts& u, const Parts& v) override {
    add_up(i, u);
    double product = 0.0;
    for_each_weight(i, v, [&](std::size_t at, double value) { product += value * sum_[at]; });
    return product;
  }

  bool has_recognition() const override { return true; }
  bool recognize(Index i, const Parts& parts, Corner& out) override;
  std::optional<PartSizes> part_sizes(Index i) override;

 private:
  void set_corner(Index i, Corner& out) const;
  bool is_of_kind(std::span<const std::int32_t> heads) const;
  struct LabelledArc {
    std::size_t arc;
    std::size_t label;
  };
  LabelledArc split(Index id) const {
    const auto part = static_cast<std::size_t>(id);
    return {part / labels_, part % labels_};
  }
  Index part_of(int h, int m, std::int32_t label, int words) const {
    return static_cast<Index>(arc_of(h, m, words) * labels_ + static_cast<std::size_t>(label));
  }

  const ArcRows& rows_of(Index i) {
    const ArcRows& packed = problem_.packed[static_cast<std::size_t>(i)];
    if (packed.words > 0) return packed;
    if (built_ != i) {
      rows_ = &builder_.build(data_.of(i, data_.words));
      built_ = i;
    }
    return *rows_;
  }

  template <class Visit>
  static void for_each_arc_feature(const ArcRows& rows, std::size_t arc, Visit visit) {
    for_each_row(rows, arc, [&](std::size_t r) {
      const FeatureRow row = rows.arcs.row(r);
      for (std::size_t f = 0; f < row.size; ++f) visit(row.attributes[f]);
    });
  }
  template <class Visit>
  void for_each_label_feature(const ArcRows& rows, std::size_t arc, Visit visit) const {
    if (labels_ == 1) return;
    for_each_row(rows, arc, [&](std::size_t r) {
      const FeatureRow row = rows.labels.row(r);
      for (std::size_t f = 0; f < row.size; ++f) visit(row.attributes[f]);
    });
  }

  /// Calls visit(weight, value) for every feature of every part, weights any number of times.
  template <class Visit>
  void for_each_weight(Index i, const Parts& v, Visit visit) {
    const ArcRows& rows = rows_of(i);
    const std::size_t first_label_weight = features_.arcs.size();
    for (const Part& part : v) {
      const auto [arc, label] = split(part.id);
      for_each_arc_feature(rows, arc, [&](std::size_t f) { visit(f, part.value); });
      for_each_label_feature(rows, arc, [&, l = label](std::size_t f) {
        visit(first_label_weight + f * labels_ + l, part.value);
      });
    }
  }

  void add_up(Index i, const Parts& v) {
    std::size_t count = 0;
    for_each_weight(i, v, [&](std::size_t, double) { ++count; });
    sum_.start(count);
    for_each_weight(i, v, [&](std::size_t at, double value) { sum_.add(at, value); });
  }

  const ParsingProblemData& problem_;
  const ParsingData& data_;
  const ParsingFeatures& features_;
  std::size_t labels_;
  ArcRowBuilder builder_;
  const ArcRows* rows_ = nullptr;
  Index built_ = -1;  ///< the sentence whose rows these are
  ArcScorer scorer_;
  TreeDecoder decoder_;
  SparseSum sum_;
  std::vector<std::int32_t> found_heads_;
  std::vector<std::int32_t> found_labels_;
};

void ParsingOracle::decode(Index i, const PartScores& theta, Augment augment, Corner& out) {
  const auto heads = data_.of(i, data_.heads);
  const auto labels = data_.of(i, data_.labels);
  const TrueTree truth{heads, labels, augment == Augment::kLoss ? problem_.cost(i) : 0.0};
  found_heads_.resize(heads.size());
  found_labels_.resize(heads.size());
  decoder_.decode(data_.of(i, data_.words), features_.num_labels, theta.values().data(), truth,
                  found_heads_, found_labels_);
  set_corner(i, out);
  const bool may_be_worse = problem_.is_outsider[static_cast<std::size_t>(i)];
  if (may_be_worse && augment == Augment::kLoss && violation(out.loss, out.parts, theta) < 0.0) {
    out.set_truth();
  }
}

/// The corner of the tree that was found.
void ParsingOracle::set_corner(Index i, Corner& out) const {
  const int words = data_.length(i);
  const auto heads = data_.of(i, data_.heads);
  const auto labels = data_.of(i, data_.labels);
  out.set_truth();
  Index errors = 0;
  for (int m = 1; m <= words; ++m) {
    const auto k = static_cast<std::size_t>(m - 1);
    const Index found = part_of(found_heads_[k], m, found_labels_[k], words);
    const Index right = part_of(heads[k], m, labels[k], words);
    if (found == right) continue;
    errors += (found_heads_[k] != heads[k] ? 1 : 0) + (found_labels_[k] != labels[k] ? 1 : 0);
    const double sign = right < found ? 1.0 : -1.0;  // +1 for the truth, which may come second
    out.parts.append(std::min(right, found), sign);
    out.parts.append(std::max(right, found), -sign);
  }
  out.loss = static_cast<double>(errors) * problem_.cost(i);
}

bool ParsingOracle::is_of_kind(std::span<const std::int32_t> heads) const {
  if (!is_tree(heads)) return false;
  if (problem_.kind.roots == RootCount::kOne && std::count(heads.begin(), heads.end(), 0) > 1) {
    return false;
  }
  return !problem_.kind.is_projective || is_projective(heads);
}

bool ParsingOracle::recognize(Index i, const Parts& parts, Corner& out) {
  const int words = data_.length(i);
  const auto heads = data_.of(i, data_.heads);
  const auto labels = data_.of(i, data_.labels);
  found_heads_.assign(heads.begin(), heads.end());
  found_labels_.assign(labels.begin(), labels.end());
  const Index count = static_cast<Index>(words) * words * features_.num_labels;
  for (const Part& part : parts) {
    if (part.id < 0 || part.id >= count) return false;
    if (part.value > 0.0) continue;
    const auto [arc, label] = split(part.id);
    const auto [h, m] = ends_of(arc, words);
    found_heads_[static_cast<std::size_t>(m) - 1] = static_cast<std::int32_t>(h);
    found_labels_[static_cast<std::size_t>(m) - 1] = static_cast<std::int32_t>(label);
  }
  set_corner(i, out);
  // The truth is an output of its sentence whatever its kind.
  const ArcRules* rules = problem_.kind.rules.get();
  const bool keeps_rules = rules == nullptr || rules->first_break(data_.of(i, data_.words),
                                                                  found_heads_, found_labels_) == 0;
  return out.parts == parts && (parts.empty() || (is_of_kind(found_heads_) && keeps_rules));
}

/// All labels of an arc have the same features.
std::optional<PartSizes> ParsingOracle::part_sizes(Index i) {
  const ArcRows& rows = rows_of(i);
  PartSizes sizes;
  sizes.count = 2.0 * data_.length(i);
  for (std::size_t arc = 0; arc < rows.num_arcs(); ++arc) {
    double terms = 0.0;
    for_each_arc_feature(rows, arc, [&](std::size_t) { terms += 1.0; });
    for_each_label_feature(rows, arc, [&](std::size_t) { terms += 1.0; });
    sizes.terms = std::max(sizes.terms, terms);
  }
  sizes.length = sizes.repeats = sizes.terms;  // of ones, if all of them fall on one weight
  return sizes;
}

/// Which sentences have their features packed: the shorter ones, as far as memory goes.
std::vector<bool> choose_packed(const ParsingData& data, std::size_t max_bytes) {
  std::vector<Index> by_length(static_cast<std::size_t>(data.size()));
  std::iota(by_length.begin(), by_length.end(), Index{0});
  std::stable_sort(by_length.begin(), by_length.end(),
                   [&](Index a, Index b) { return data.length(a) < data.length(b); });
  std::vector<bool> is_packed(by_length.size(), false);
  std::size_t bytes = 0;
  for (const Index i : by_length) {
    const auto words = static_cast<std::size_t>(data.length(i));
    bytes += words * words * kBytesPerArc;
    if (bytes > max_bytes) break;
    is_packed[static_cast<std::size_t>(i)] = true;
  }
  return is_packed;
}

class ParsingProblem final : public Problem {
 public:
  ParsingProblem(ParsingProblemData data, std::size_t packed_bytes) : data_(std::move(data)) {
    const ParsingData& sentences = *data_.sentences;
    for (Index i = 0; i < sentences.size(); ++i) {
      const auto heads = sentences.of(i, sentences.heads);
      const auto roots = std::count(heads.begin(), heads.end(), 0);
      data_.is_outsider.push_back((data_.kind.roots == RootCount::kOne && roots > 1) ||
                                  (data_.kind.is_projective && !is_projective(heads)));
    }
    pack(choose_packed(sentences, packed_bytes));
  }

  Index num_blocks() const override { return data_.sentences->size(); }
  Index dimension() const override { return data_.features->dimension(); }
  std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<ParsingOracle>(data_);
  }
  std::vector<WeightGroup> weight_groups() const override {
    const auto arcs = static_cast<Index>(data_.features->arcs.size());
    std::vector<WeightGroup> groups{{"arcs", 0, arcs}};
    if (data_.features->is_labelled()) groups.push_back({"labels", arcs, dimension()});
    groups.push_back({"all", 0, dimension()});
    return groups;
  }
  double oracle_cost() const override {
    // Features of heads and words are scored once for all arcs, which are most of the features of a
    // part that is scored alone; labels share the features of their arc.
    double arcs = 0.0;
    for (Index i = 0; i < num_blocks(); ++i) {
      const auto words = static_cast<double>(data_.sentences->length(i));
      arcs += words * words;
    }
    const double per_arc = 0.5 + 0.02 * static_cast<double>(data_.features->num_labels);
    return per_arc * arcs / static_cast<double>(num_blocks());
  }
  std::uint64_t fingerprint() const override;

 private:
  void pack(const std::vector<bool>& is_packed) {
    const ParsingData& sentences = *data_.sentences;
    data_.packed.resize(is_packed.size());
    const Threads threads;
    std::vector<ArcRowBuilder> builders(static_cast<std::size_t>(threads.count()),
                                        ArcRowBuilder(*data_.features));
    threads.run(sentences.size(), [&](Index begin, Index end, int slot) {
      for (Index i = begin; i < end; ++i) {
        if (!is_packed[static_cast<std::size_t>(i)]) continue;
        // A copy has no spare room.
        const ArcRows rows =
            builders[static_cast<std::size_t>(slot)].build(sentences.of(i, sentences.words));
        data_.packed[static_cast<std::size_t>(i)] = rows;
      }
    });
  }

  ParsingProblemData data_;
};

std::uint64_t ParsingProblem::fingerprint() const {
  const ParsingData& data = *data_.sentences;
  const std::array<Index, 4> shape{data_.features->num_labels, data_.kind.is_projective ? 1 : 0,
                                   static_cast<Index>(data_.kind.roots),
                                   static_cast<Index>(data_.loss)};
  std::uint64_t hash = XXH3_64bits(shape.data(), sizeof shape);
  const auto mix = [&hash](const auto& list) {
    hash = XXH3_64bits_withSeed(list.data(), list.size() * sizeof *list.data(), hash);
  };
  mix(data.starts);
  mix(data.words);
  mix(data.heads);
  mix(data.labels);
  mix(data_.features->arcs.buckets());
  mix(data_.features->labels.buckets());
  if (data_.kind.rules) {
    for (const std::string& line : data_.kind.rules->lines()) mix(line);
  }
  return hash;
}

void check_sentence(const ParsingData& data, Index i, int num_labels) {
  const auto fail = [i](const std::string& what) {
    throw InputError(fmt::format("sentence {}: {}", i + 1, what));
  };
  const int words = data.length(i);
  if (words < 1) fail("no words; leave it out");
  for (const std::int32_t head : data.of(i, data.heads)) {
    if (head < 0 || head > words) fail(fmt::format("head {}, expected 0..{}", head, words));
  }
  for (const std::int32_t label : data.of(i, data.labels)) {
    if (label < 0 || label >= num_labels) {
      fail(fmt::format("label number {}, expected 0..{}", label, num_labels - 1));
    }
  }
  if (!is_tree(data.of(i, data.heads))) fail("the heads form a cycle, expected a tree");
  if (static_cast<Index>(words) * words * num_labels > kMostParsingParts) {
    fail(
        fmt::format("{} words and {} labels make more than {} labelled arcs; split the sentence "
                    "or train without labels",
                    words, num_labels, kMostParsingParts));
  }
}

}  // namespace

std::unique_ptr<Problem> make_parsing_problem(std::shared_ptr<const ParsingData> data,
                                              std::shared_ptr<const ParsingFeatures> features,
                                              const TreeKind& kind, ParsingLoss loss,
                                              std::size_t packed_bytes) {
  if (data->size() < 1) throw InputError("there are no sentences to train on");
  if (data->heads.size() != data->words.size() || data->labels.size() != data->words.size()) {
    throw InputError(fmt::format("{} heads and {} labels for {} words; there must be one for each",
                                 data->heads.size(), data->labels.size(), data->words.size()));
  }
  for (Index i = 0; i < data->size(); ++i) check_sentence(*data, i, features->num_labels);
  return std::make_unique<ParsingProblem>(
      ParsingProblemData{std::move(data), std::move(features), kind, loss, {}, {}}, packed_bytes);
}

struct DependencyParser::Impl {
  TreeKind kind;
  const ParsingFeatures& features;
  Weights w;
  ArcRowBuilder builder;
  ArcScorer scorer;
  TreeDecoder decoder;
  std::vector<double> scores;
};

DependencyParser::DependencyParser(const ParsingFeatures& features, Weights w, const TreeKind& kind)
    : impl_(new Impl{kind, features, w, ArcRowBuilder(features), {}, TreeDecoder(kind), {}}) {}
DependencyParser::DependencyParser(const DependencyParser& other) : impl_(new Impl(*other.impl_)) {}
DependencyParser::~DependencyParser() = default;
DependencyParser::DependencyParser(DependencyParser&&) noexcept = default;
DependencyParser& DependencyParser::operator=(DependencyParser&&) noexcept = default;

void DependencyParser::parse(std::span<const ParsingWord> words, std::span<std::int32_t> heads,
                             std::span<std::int32_t> labels) {
  const ArcRows& rows = impl_->builder.build(words);
  impl_->scores.resize(rows.num_arcs() * static_cast<std::size_t>(impl_->features.num_labels));
  impl_->scorer.score(rows, impl_->features, impl_->w, impl_->scores.data());
  impl_->decoder.decode(words, impl_->features.num_labels, impl_->scores.data(), {}, heads, labels);
  if (!impl_->kind.rules || impl_->kind.rules->first_break(words, heads, labels) == 0) return;
  throw InputError(fmt::format(
      "a sentence of {} words has no tree that keeps the constraints of the model; leave the "
      "sentence out, or train with other constraints",
      words.size()));
}

}  // namespace gapwise::internal
