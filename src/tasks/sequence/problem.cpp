#include "tasks/sequence/problem.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <string>

#include "core/prefetch.h"
#include "gapwise/errors.h"
#include "tasks/sequence/chain_decoder.h"
#include "tasks/sequence/chain_gram.h"
#include "tasks/sequence/parts_by_label.h"
#include "tasks/sequence/scores.h"
#include "tasks/shared/label_rows.h"
#include "tasks/shared/row_inputs.h"

namespace gapwise::internal {
namespace {

constexpr std::size_t kMaxGramBytes = std::size_t{1} << 30;

/// From this many labels on, a whole row of weights is updated at once.
constexpr std::size_t kDenseUpdateLabels = 5;

struct ChainProblemData {
  std::shared_ptr<const SequenceData> sequences;
  ChainLayout layout;
  SequenceLoss loss;
  SequenceVariant variant;
  ChainGram gram;
};

class SequenceOracle final : public Oracle {
 public:
  explicit SequenceOracle(const ChainProblemData& problem)
      : problem_(problem),
        data_(*problem.sequences),
        layout_(problem.layout),
        decoder_(problem.loss, problem.variant),
        row_change_(static_cast<std::size_t>(layout_.labels)),
        by_label_(layout_.labels) {}

  void score(Index i, Weights w, PartScores& theta) override {
    const ChainParts parts = chain_parts(data_, layout_, i);
    if (problem_.gram.covers(i)) prefetch(problem_.gram.products(i, parts.length));
    score_chain(data_, layout_, i, w, theta.resize(parts.num_parts()).data());
  }

  void decode(Index i, const PartScores& theta, Augment augment, Corner& out) override {
    const ChainParts parts = chain_parts(data_, layout_, i);
    decoder_.decode(parts, theta, {labels_of(i), data_.lists(i)}, augment, out);
  }

  void score_some(Index i, Weights w, std::span<const Index> ids, std::span<double> out) override;
  bool describe(Index i, std::span<const Index> ids, PartRows& out) override;
  void scatter(Index i, const Parts& v, double scale, MutableWeights w) override;
  double squared_norm(Index i, const Parts& v) override;
  double inner_product(Index i, const Parts& u, const Parts& v) override;

  bool has_expectations() const override {
    return decoder_.has_expectations(layout_.labels) && data_.allowed_starts.empty();
  }
  void part_costs(Index i, PartScores& costs) override {
    decoder_.part_costs(chain_parts(data_, layout_, i), labels_of(i), costs);
  }
  double expect(Index i, const PartScores& logits, Parts& mean) override {
    return decoder_.expect(chain_parts(data_, layout_, i), logits, labels_of(i), mean);
  }
  double radius(Index i) override;

  bool has_recognition() const override { return true; }
  bool recognize(Index i, const Parts& parts, Corner& out) override {
    return decoder_.recognize(chain_parts(data_, layout_, i), {labels_of(i), data_.lists(i)}, parts,
                              out);
  }
  std::optional<PartSizes> part_sizes(Index i) override;

 private:
  std::span<const std::int32_t> labels_of(Index i) const {
    return {data_.labels.data() + data_.starts[static_cast<std::size_t>(i)],
            static_cast<std::size_t>(data_.length(i))};
  }
  FeatureRow features(Index i, int t) const {
    return data_.nodes.row(data_.starts[static_cast<std::size_t>(i)] + static_cast<std::size_t>(t));
  }

  void scatter_position(Index i, int t, int length, double* w);

  /// Calls visit(weight index, factor) for every feature weight behind part `id`.
  template <class Visit>
  void for_each_weight(Index i, const ChainParts& parts, Index id, Visit visit) const;
  double squared_norm_by_weights(Index i, const ChainParts& parts, std::span<const Part> v);
  double inner_product_by_weights(Index i, const ChainParts& parts, std::span<const Part> u,
                                  std::span<const Part> v);

  /// Calls visit(t, k, value) for the node parts, in order; returns the rest, the pairs.
  template <class Visit>
  static std::span<const Part> for_each_node(const ChainParts& parts, std::span<const Part> items,
                                             Visit visit) {
    const auto num_nodes = static_cast<Index>(parts.num_nodes());
    std::size_t at = 0;
    int t = 0;
    Index base = 0;  // of the parts of position t
    for (; at < items.size() && items[at].id < num_nodes; ++at) {
      for (; items[at].id >= base + parts.labels; ++t) base += parts.labels;
      visit(t, static_cast<int>(items[at].id - base), items[at].value);
    }
    return items.subspan(at);
  }

  const ChainProblemData& problem_;
  const SequenceData& data_;
  const ChainLayout& layout_;
  ChainDecoder decoder_;
  std::vector<Index> labels_at_;      ///< the labels to score at one position
  std::vector<LabelChange> changes_;  ///< the labels that change at one position
  std::vector<double> row_change_;    ///< the same, one entry per label
  PartsByLabel by_label_;
  std::vector<double> sums_;  ///< B_i v in feature space, for sequences without Gram matrix
};

template <class Visit>
void SequenceOracle::for_each_weight(Index i, const ChainParts& parts, Index id,
                                     Visit visit) const {
  const auto num_nodes = static_cast<Index>(parts.num_nodes());
  const auto visit_row = [&](const FeatureRow& row, Index base, Index stride) {
    for (std::size_t f = 0; f < row.size; ++f) {
      const auto a = static_cast<Index>(row.attributes != nullptr ? row.attributes[f] : f);
      visit(base + a * stride, row.values != nullptr ? row.values[f] : 1.0);
    }
  };
  if (id < num_nodes) {
    const auto t = static_cast<int>(id / parts.labels);
    const Index k = id % parts.labels;
    visit_row(features(i, t), k, parts.labels);
    if (t == 0) visit(layout_.start() + k, 1.0);
    if (t == parts.length - 1) visit(layout_.end() + k, 1.0);
    return;
  }
  const Index first_triple = num_nodes + static_cast<Index>(parts.num_pairs());
  const auto first_segment = static_cast<Index>(parts.first_segment());
  if (id >= first_segment) {
    const Index number = id - first_segment;
    const auto row =
        data_.starts[static_cast<std::size_t>(i)] * static_cast<std::size_t>(parts.longest) +
        static_cast<std::size_t>(number / parts.types);
    visit_row(data_.segments.row(row), layout_.segment(0) + number % parts.types, parts.types);
  } else if (id >= first_triple) {
    visit(layout_.triple() + id - first_triple, 1.0);
  } else if (!parts.pairs_per_position) {
    visit(layout_.transition() + id - num_nodes, 1.0);
  } else {
    const Index square = static_cast<Index>(parts.labels) * parts.labels;
    const Index pair = (id - num_nodes) % square;
    visit(layout_.transition() + pair, 1.0);
    const auto t = static_cast<std::size_t>((id - num_nodes) / square + 1);
    visit_row(data_.edges.row(data_.starts[static_cast<std::size_t>(i)] + t),
              layout_.edge(0) + pair, square);
  }
}

void SequenceOracle::score_some(Index i, Weights w, std::span<const Index> ids,
                                std::span<double> out) {
  const ChainParts parts = chain_parts(data_, layout_, i);
  const auto labels = static_cast<std::size_t>(layout_.labels);
  std::size_t k = 0;
  Index base = 0;  // of the parts of position t
  for (int t = 0; t < parts.length && k < ids.size(); ++t, base += parts.labels) {
    labels_at_.clear();
    const std::size_t first = k;
    for (; k < ids.size() && ids[k] < base + parts.labels; ++k) labels_at_.push_back(ids[k] - base);
    if (k == first) continue;
    score_labels(features(i, t), labels_at_, labels, w.data(), &out[first]);
    for (std::size_t j = first; j < k; ++j) {
      if (t == 0) out[j] += w[static_cast<std::size_t>(layout_.start() + ids[j])];
      if (t == parts.length - 1)
        out[j] += w[static_cast<std::size_t>(layout_.end() + ids[j] - base)];
    }
  }
  for (; k < ids.size(); ++k) {
    double score = 0.0;
    for_each_weight(i, parts, ids[k],
                    [&](Index at, double x) { score += x * w[static_cast<std::size_t>(at)]; });
    out[k] = score;
  }
}

bool SequenceOracle::describe(Index i, std::span<const Index> ids, PartRows& out) {
  const ChainParts parts = chain_parts(data_, layout_, i);
  std::size_t k = 0;
  Index base = 0;  // of the parts of position t
  for (int t = 0; t < parts.length && k < ids.size(); ++t, base += parts.labels) {
    const std::size_t first = k;
    while (k < ids.size() && ids[k] < base + parts.labels) ++k;
    if (k == first) continue;
    describe_labels(features(i, t), ids.subspan(first, k - first), base, layout_.labels, out,
                    first);
    for (std::size_t j = first; j < k; ++j) {
      if (t == 0) out.add_weight(j, layout_.start() + ids[j]);
      if (t == parts.length - 1) out.add_weight(j, layout_.end() + ids[j] - base);
    }
  }
  for (; k < ids.size(); ++k) {
    out.begin_row();
    for_each_weight(i, parts, ids[k], [&](Index at, double x) { out.add_feature(at, x); });
    out.add_part(k);
  }
  return true;
}

void SequenceOracle::scatter(Index i, const Parts& v, double scale, MutableWeights w) {
  const ChainParts parts = chain_parts(data_, layout_, i);
  const std::span<const Part> items = v.items();
  std::size_t k = 0;
  Index base = 0;  // of the parts of position t
  for (int t = 0; t < parts.length && k < items.size(); ++t, base += parts.labels) {
    changes_.clear();
    for (; k < items.size() && items[k].id < base + parts.labels; ++k) {
      changes_.push_back({static_cast<std::size_t>(items[k].id - base), scale * items[k].value});
    }
    if (!changes_.empty()) scatter_position(i, t, parts.length, w.data());
  }
  for (; k < items.size(); ++k) {
    const double amount = scale * items[k].value;
    for_each_weight(i, parts, items[k].id,
                    [&](Index at, double x) { w[static_cast<std::size_t>(at)] += x * amount; });
  }
}

/// Applies changes_, the labels that change at position t.
void SequenceOracle::scatter_position(Index i, int t, int length, double* w) {
  const auto labels = static_cast<std::size_t>(layout_.labels);
  if (changes_.size() < kDenseUpdateLabels) {
    add_to_labels(features(i, t), changes_, labels, w);
  } else {
    std::fill(row_change_.begin(), row_change_.end(), 0.0);
    for (const LabelChange& change : changes_) row_change_[change.label] = change.amount;
    add_to_rows(features(i, t), row_change_.data(), labels, w);
  }
  for (const LabelChange& change : changes_) {
    if (t == 0) w[static_cast<std::size_t>(layout_.start()) + change.label] += change.amount;
    if (t == length - 1) w[static_cast<std::size_t>(layout_.end()) + change.label] += change.amount;
  }
}

/// |B v|^2 = sum_{t,s} <x_t, x_s> sum_k v_t(k) v_s(k), plus the squares of the transition counts.
/// Only parts with the same label meet, so each label keeps a list of its parts so far.
double SequenceOracle::squared_norm(Index i, const Parts& v) {
  const ChainParts parts = chain_parts(data_, layout_, i);
  if (!problem_.gram.covers(i)) return squared_norm_by_weights(i, parts, v.items());
  double sum = 0.0;
  const std::span<const Part> pairs = for_each_node(parts, v.items(), [&](int t, int k, double x) {
    const double* products = problem_.gram.row(i, t);
    double with_earlier = 0.0;
    by_label_.for_each(k, [&](int s, double y) { with_earlier += products[s] * y; });
    sum += x * (2.0 * with_earlier + products[t] * x);
    by_label_.add(t, k, x);
  });
  by_label_.clear();
  if (parts.pairs_per_position) return sum + squared_norm_by_weights(i, parts, pairs);
  const auto [steps, segments] = split_segments(parts, pairs);
  for (const Part& step : steps) sum += step.value * step.value;
  return segments.empty() ? sum : sum + squared_norm_by_weights(i, parts, segments);
}

double SequenceOracle::inner_product(Index i, const Parts& u, const Parts& v) {
  const ChainParts parts = chain_parts(data_, layout_, i);
  if (!problem_.gram.covers(i)) return inner_product_by_weights(i, parts, u.items(), v.items());
  const std::span<const Part> u_pairs =
      for_each_node(parts, u.items(), [&](int t, int k, double x) { by_label_.add(t, k, x); });
  double sum = 0.0;
  const std::span<const Part> v_pairs =
      for_each_node(parts, v.items(), [&](int t, int k, double x) {
        const double* products = problem_.gram.row(i, t);
        by_label_.for_each(k, [&](int s, double y) {
          sum += x * y * (s <= t ? products[s] : problem_.gram.row(i, s)[t]);
        });
      });
  by_label_.clear();
  if (parts.pairs_per_position) return sum + inner_product_by_weights(i, parts, u_pairs, v_pairs);
  const auto [u_steps, u_segments] = split_segments(parts, u_pairs);
  const auto [v_steps, v_segments] = split_segments(parts, v_pairs);
  for (std::size_t a = 0, b = 0; a < u_steps.size() && b < v_steps.size();) {
    if (u_steps[a].id == v_steps[b].id) sum += u_steps[a].value * v_steps[b].value;
    const bool is_before = u_steps[a].id <= v_steps[b].id;
    b += v_steps[b].id <= u_steps[a].id ? 1 : 0;
    a += is_before ? 1 : 0;
  }
  if (u_segments.empty() || v_segments.empty()) return sum;
  return sum + inner_product_by_weights(i, parts, u_segments, v_segments);
}

double SequenceOracle::inner_product_by_weights(Index i, const ChainParts& parts,
                                                std::span<const Part> u, std::span<const Part> v) {
  sums_.resize(static_cast<std::size_t>(layout_.dimension()), 0.0);
  const auto sum_at = [&](Index at) -> double& { return sums_[static_cast<std::size_t>(at)]; };
  for (const Part& part : u) {
    for_each_weight(i, parts, part.id, [&](Index at, double x) { sum_at(at) += x * part.value; });
  }
  double sum = 0.0;
  for (const Part& part : v) {
    for_each_weight(i, parts, part.id,
                    [&](Index at, double x) { sum += x * part.value * sum_at(at); });
  }
  for (const Part& part : u) {
    for_each_weight(i, parts, part.id, [&](Index at, double) { sum_at(at) = 0.0; });
  }
  return sum;
}

double SequenceOracle::squared_norm_by_weights(Index i, const ChainParts& parts,
                                               std::span<const Part> v) {
  sums_.resize(static_cast<std::size_t>(layout_.dimension()), 0.0);
  for (const Part& part : v) {
    for_each_weight(i, parts, part.id, [&](Index at, double x) {
      sums_[static_cast<std::size_t>(at)] += x * part.value;
    });
  }
  double sum = 0.0;
  for (const Part& part : v) {
    for_each_weight(i, parts, part.id, [&](Index at, double) {
      double& entry = sums_[static_cast<std::size_t>(at)];
      sum += entry * entry;
      entry = 0.0;  // counted once, and clean for the next call
    });
  }
  return sum;
}

/// Of two labellings, the inner product of x_t and x_s enters |B (m(y) - m(y'))|^2 with a factor of
/// at most 2, and likewise for the features of two steps.
double SequenceOracle::radius(Index i) {
  const ChainParts parts = chain_parts(data_, layout_, i);
  const auto length_of = [&](Index id) {
    Parts part;
    part.append(id, 1.0);
    return std::sqrt(squared_norm(i, part));
  };
  double steps = 0.0;
  for (int t = 1; t < parts.length; ++t) steps += length_of(parts.pair(t, 0, 0));
  const double triples = parts.order == 2 ? std::max(0, parts.length - 2) : 0;
  if (problem_.gram.covers(i)) {
    return std::sqrt(
        0.5 * (problem_.gram.absolute_sum(i, parts.length) + steps * steps + triples * triples));
  }
  double nodes = 0.0;
  for (int t = 0; t < parts.length; ++t) nodes += length_of(parts.node(t, 0));
  return std::sqrt(0.5 * (nodes * nodes + steps * steps + triples * triples));
}

/// Features do not depend on the labels, so one part stands for all of its position.
std::optional<PartSizes> SequenceOracle::part_sizes(Index i) {
  const ChainParts parts = chain_parts(data_, layout_, i);
  PartSizes sizes;
  sizes.count = decoder_.most_parts(parts);
  std::vector<Index> weights;
  const auto look_at = [&](Index id) {
    double squares = 0.0;
    weights.clear();
    for_each_weight(i, parts, id, [&](Index at, double x) {
      squares += x * x;
      weights.push_back(at);
    });
    const auto terms = static_cast<double>(weights.size());
    std::sort(weights.begin(), weights.end());
    const bool is_repeated = std::adjacent_find(weights.begin(), weights.end()) != weights.end();
    // Values of equal attributes add up, by Cauchy to no more than this.
    const double repeats = is_repeated ? terms : 1.0;
    sizes.repeats = std::max(sizes.repeats, repeats);
    sizes.length = std::max(sizes.length, std::sqrt(repeats * squares));
    sizes.terms = std::max(sizes.terms, terms);
  };
  for (int t = 0; t < parts.length; ++t) look_at(parts.node(t, 0));
  for (int t = 1; t < parts.length; ++t) look_at(parts.pair(t, 0, 0));
  for (auto id = static_cast<Index>(parts.first_segment());
       id < static_cast<Index>(parts.num_parts()); id += parts.types) {
    look_at(id);
  }
  return sizes;
}

class SequenceProblem final : public Problem {
 public:
  SequenceProblem(std::shared_ptr<const SequenceData> data, const ChainLayout& layout,
                  SequenceLoss loss, const SequenceVariant& variant)
      : data_{data, layout, loss, variant, ChainGram(*data, kMaxGramBytes)} {}

  Index num_blocks() const override { return data_.sequences->size(); }
  Index dimension() const override { return data_.layout.dimension(); }
  std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<SequenceOracle>(data_);
  }
  std::vector<WeightGroup> weight_groups() const override {
    const ChainLayout& layout = data_.layout;
    std::vector<WeightGroup> groups{{"nodes", 0, layout.start()},
                                    {"start", layout.start(), layout.end()},
                                    {"end", layout.end(), layout.transition()},
                                    {"transitions", layout.transition(), layout.edge(0)}};
    if (layout.edge_attributes > 0) groups.push_back({"edges", layout.edge(0), layout.triple()});
    if (layout.order == 2) groups.push_back({"triples", layout.triple(), layout.segment(0)});
    if (layout.segment_types > 0) groups.push_back({"segments", layout.segment(0), dimension()});
    groups.push_back({"all", 0, dimension()});
    return groups;
  }
  double oracle_cost() const override {
    // Scoring fetches whole rows of weights, which is cheap per part; the transitions of Viterbi
    // are a maximum each. Calibrated on OCR and CoNLL-2000 against score_some.
    const auto labels = static_cast<double>(data_.layout.labels);
    const double length =
        static_cast<double>(data_.sequences->labels.size()) / static_cast<double>(num_blocks());
    const auto beam = static_cast<double>(data_.variant.beam);
    double steps = beam > 0.0 ? std::min(beam, labels) : labels;
    if (data_.layout.order == 2) steps *= labels;
    steps += data_.layout.longest_segment;
    if (data_.variant.rescaling == Rescaling::kSlack) steps *= 0.5 * (length + 1.0);
    return length * labels * (0.2 + 0.01 * steps);
  }
  std::unique_ptr<KernelInputs> kernel_inputs() const override {
    auto rest = std::make_shared<SequenceData>(*data_.sequences);
    rest->nodes = empty_rows(rest->nodes);
    ChainLayout layout = data_.layout;
    layout.node_attributes = 0;
    return std::make_unique<RowInputs>(
        data_.sequences->nodes, &data_.sequences->starts, layout.labels,
        std::make_unique<SequenceProblem>(std::move(rest), layout, data_.loss, data_.variant));
  }
  std::uint64_t fingerprint() const override {
    const SequenceData& data = *data_.sequences;
    const std::array<Index, 6> shape{data_.layout.node_attributes,
                                     data_.layout.edge_attributes,
                                     data_.layout.labels,
                                     static_cast<Index>(data_.loss),
                                     static_cast<Index>(data_.variant.rescaling),
                                     data_.variant.beam};
    std::uint64_t hash = XXH3_64bits(shape.data(), sizeof shape);
    hash =
        XXH3_64bits_withSeed(data.starts.data(), data.starts.size() * sizeof data.starts[0], hash);
    hash =
        XXH3_64bits_withSeed(data.labels.data(), data.labels.size() * sizeof data.labels[0], hash);
    if (const std::vector<double>& weights = data_.variant.label_weights; !weights.empty()) {
      hash = XXH3_64bits_withSeed(weights.data(), weights.size() * sizeof(double), hash);
    }
    data.nodes.hash_into(hash);
    data.edges.hash_into(hash);
    const auto add = [&hash](const auto& values) {
      hash = XXH3_64bits_withSeed(values.data(), values.size() * sizeof values[0], hash);
    };
    if (data_.layout.order != 1) add(std::array<Index, 1>{data_.layout.order});
    if (data_.layout.segment_types > 0) {
      add(std::array<Index, 2>{data_.layout.segment_types, data_.layout.longest_segment});
      data.segments.hash_into(hash);
    }
    if (data_.variant.constraints) add(data_.variant.constraints->numbers());
    if (!data.allowed_starts.empty()) {
      add(data.allowed_starts);
      add(data.allowed);
    }
    return hash;
  }

 private:
  ChainProblemData data_;
};

}  // namespace

std::unique_ptr<Problem> make_sequence_problem(std::shared_ptr<const SequenceData> data,
                                               const ChainLayout& layout, SequenceLoss loss,
                                               const SequenceVariant& variant) {
  validate(variant);
  assert(layout.order == variant.order);
  assert((layout.segment_types > 0) == (variant.segments != nullptr));
  if (data->size() < 1) throw InputError("there are no sequences to train on");
  for (Index i = 0; i < data->size(); ++i) {
    if (data->length(i) < 1) {
      throw InputError("sequence " + std::to_string(i + 1) + " is empty; leave it out");
    }
  }
  for (const std::int32_t label : data->labels) {
    if (label < 0 || label >= layout.labels) {
      throw InputError("training data hold label number " + std::to_string(label) +
                       "; labels are 0.." + std::to_string(layout.labels - 1));
    }
  }
  return std::make_unique<SequenceProblem>(std::move(data), layout, loss, variant);
}

}  // namespace gapwise::internal
