#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/random.h"
#include "gapwise/argmax_problem.h"
#include "tasks/multiclass/problem.h"
#include "tasks/sequence/problem.h"

namespace gapwise::internal::testing {

/// One output of an explicit block: psi and loss.
struct ExplicitCorner {
  std::vector<double> psi;
  double loss;
};
using ExplicitBlock = std::vector<ExplicitCorner>;

/// A problem whose blocks list their corners, the truth first; ties go to the smallest index.
/// `asked`, if any, hears of every w that the loss-augmented oracle is asked at.
inline std::unique_ptr<Problem> explicit_problem(std::vector<ExplicitBlock> blocks,
                                                 std::function<void(Weights)> asked = {}) {
  const auto n = static_cast<Index>(blocks.size());
  const auto d = static_cast<Index>(blocks[0][0].psi.size());
  const auto shared = std::make_shared<const std::vector<ExplicitBlock>>(std::move(blocks));
  const auto best = [shared](Index i, Weights w, double loss_weight, Corner& out) {
    const ExplicitBlock& block = (*shared)[static_cast<std::size_t>(i)];
    const ExplicitCorner* top = nullptr;
    double top_value = 0.0;
    for (const ExplicitCorner& corner : block) {
      double value = loss_weight * corner.loss;
      for (std::size_t j = 0; j < w.size(); ++j) value -= w[j] * corner.psi[j];
      if (top == nullptr || value > top_value) {
        top = &corner;
        top_value = value;
      }
    }
    for (std::size_t j = 0; j < w.size(); ++j) {
      out.parts.collect(static_cast<Index>(j), top->psi[j]);
    }
    out.loss = top->loss;
  };
  return make_argmax_problem(
      n, d,
      [best, asked](Index i, Weights w, Corner& out) {
        if (asked) asked(w);
        best(i, w, 1.0, out);
      },
      [best](Index i, Weights w, Corner& out) { best(i, w, 0.0, out); });
}

/// Blocks of random corners without ties, the truth first.
inline std::vector<ExplicitBlock> random_corners(Index n, int corners, std::size_t dimension,
                                                 std::uint64_t seed) {
  Rng rng(seed);
  std::vector<ExplicitBlock> blocks;
  for (Index i = 0; i < n; ++i) {
    ExplicitBlock block{{std::vector<double>(dimension, 0.0), 0.0}};
    for (int p = 1; p < corners; ++p) {
      block.push_back({std::vector<double>(dimension), 0.1 + rng.uniform()});
      for (double& x : block.back().psi) x = rng.uniform() * 4.0 - 2.0;
    }
    blocks.push_back(block);
  }
  return blocks;
}

/// Golden example G1: two classes, one dimension, lambda = 0.25.
inline std::unique_ptr<Problem> golden_g1() {
  return explicit_problem({{{{0.0}, 0.0}, {{2.0}, 1.0}}, {{{0.0}, 0.0}, {{-1.0}, 1.0}}});
}

enum class Inputs { kBinary, kSparse, kDense, kReal };  ///< kReal: dense, without ties

/// Adds a row of random values; of a sparse one each attribute is there with probability `density`.
inline void add_random_row(std::uint32_t attributes, Inputs inputs, double density, Rng& rng,
                           FeatureRows& rows) {
  const auto value = [&] { return std::floor(rng.uniform() * 9.0 - 4.0) / 2.0; };
  for (std::uint32_t a = 0; a < attributes; ++a) {
    if (inputs == Inputs::kReal) {
      rows.add(a, rng.uniform() * 4.0 - 2.0);
    } else if (inputs == Inputs::kDense) {
      rows.add(a, value() + 0.25);
    } else if (rng.uniform() < density) {
      rows.add(a, inputs == Inputs::kBinary ? 1.0 : value());
    }
  }
  rows.end_row();
}

/// Label 0 stands alone; 2 x + 1 begins a segment of type x and 2 x + 2 goes on with it.
inline std::shared_ptr<const SegmentTypes> bio_segments(int types, int longest) {
  auto result = std::make_shared<SegmentTypes>();
  result->alone = {0};
  result->longest = longest;
  for (int x = 0; x < types; ++x) {
    const int begin = 2 * x + 1;
    result->types.push_back({begin, begin, begin + 1, begin + 1});
  }
  return result;
}

/// A random labelling that is made of segments.
inline std::vector<std::int32_t> random_segmentation(const SegmentTypes& types, int length,
                                                     Rng& rng) {
  std::vector<std::int32_t> labels;
  while (std::ssize(labels) < length) {
    const Index left = length - std::ssize(labels);
    if (rng.uniform() < 0.3) {
      labels.push_back(types.alone.front());
      continue;
    }
    const auto& type = types.types[static_cast<std::size_t>(rng.below(std::ssize(types.types)))];
    const auto size = static_cast<int>(1 + rng.below(std::min<Index>(types.longest, left)));
    for (int k = 0; k < size; ++k) labels.push_back(type.label(k, size));
  }
  return labels;
}

struct ChainSpec {
  Index sequences = 8;
  int labels = 3;
  int max_length = 4;
  std::uint32_t attributes = 6;
  Inputs inputs = Inputs::kSparse;
  std::uint32_t edge_attributes = 0;
  SequenceLoss loss = SequenceLoss::kNormalizedHamming;
  SequenceVariant variant = {};  ///< with segments, `labels` is that of bio_segments
  std::uint32_t segment_attributes = 0;
  std::uint64_t seed = 1;
};

struct Chains {
  std::shared_ptr<const SequenceData> data;
  ChainLayout layout;
  std::unique_ptr<Problem> problem;
};

/// A row for each start and length, empty where the sequence ends before.
inline void add_random_segments(const ChainSpec& spec, int length, Rng& rng, FeatureRows& rows) {
  for (int start = 0; start < length; ++start) {
    for (int size = 1; size <= spec.variant.segments->longest; ++size) {
      if (start + size > length) {
        rows.end_row();
      } else {
        add_random_row(spec.segment_attributes, spec.inputs, 0.4, rng, rows);
      }
    }
  }
}

/// Random labelled sequences.
inline Chains random_chains(const ChainSpec& spec) {
  Rng rng(spec.seed);
  auto data = std::make_shared<SequenceData>();
  for (Index i = 0; i < spec.sequences; ++i) {
    const int length = 1 + static_cast<int>(rng.below(spec.max_length));
    for (int t = 0; t < length; ++t) {
      add_random_row(spec.attributes, spec.inputs, 0.4, rng, data->nodes);
      if (spec.edge_attributes > 0) {
        if (t > 0) data->edges.add(static_cast<std::uint32_t>(rng.below(spec.edge_attributes)));
        data->edges.end_row();
      }
      data->labels.push_back(static_cast<std::int32_t>(rng.below(spec.labels)));
    }
    if (const SegmentTypes* segments = spec.variant.segments.get()) {
      data->labels.resize(data->starts.back());
      const auto labels = random_segmentation(*segments, length, rng);
      data->labels.insert(data->labels.end(), labels.begin(), labels.end());
      add_random_segments(spec, length, rng, data->segments);
    }
    data->starts.push_back(data->labels.size());
  }
  data->nodes.finish(spec.attributes);
  data->edges.finish(spec.edge_attributes);
  data->segments.finish(spec.segment_attributes);
  Chains chains;
  chains.layout = {spec.attributes, spec.edge_attributes, spec.labels, spec.variant.order};
  if (spec.variant.segments) {
    chains.layout.segment_attributes = spec.segment_attributes;
    chains.layout.segment_types = static_cast<int>(spec.variant.segments->size());
    chains.layout.longest_segment = spec.variant.segments->longest;
  }
  chains.data = data;
  chains.problem = make_sequence_problem(data, chains.layout, spec.loss, spec.variant);
  return chains;
}

struct ClassesSpec {
  Index examples = 12;
  int classes = 4;
  std::uint32_t attributes = 5;
  Inputs inputs = Inputs::kSparse;
  bool has_costs = false;
  std::uint64_t seed = 1;
};

struct Classes {
  std::shared_ptr<const MulticlassData> data;
  std::unique_ptr<Problem> problem;
};

/// Random examples of several classes.
inline Classes random_classes(const ClassesSpec& spec) {
  Rng rng(spec.seed);
  auto data = std::make_shared<MulticlassData>();
  for (Index i = 0; i < spec.examples; ++i) {
    add_random_row(spec.attributes, spec.inputs, 0.6, rng, data->inputs);
    data->labels.push_back(static_cast<std::int32_t>(rng.below(spec.classes)));
  }
  data->inputs.finish(spec.attributes);
  data->attributes = spec.attributes;
  data->classes = spec.classes;
  for (int at = 0; spec.has_costs && at < spec.classes * spec.classes; ++at) {
    data->costs.push_back(at % (spec.classes + 1) == 0 ? 0.0 : rng.uniform() * 2.0);
  }
  return {data, make_multiclass_problem(data)};
}

/// Every labelling of `length` positions, in lexicographic order.
template <class Visit>
void for_each_labelling(int length, int labels, Visit visit) {
  std::vector<std::int32_t> y(static_cast<std::size_t>(length), 0);
  while (true) {
    visit(y);
    int t = length - 1;
    while (t >= 0 && ++y[static_cast<std::size_t>(t)] == labels) {
      y[static_cast<std::size_t>(t)] = 0;
      --t;
    }
    if (t < 0) return;
  }
}

/// phi(x_i, y) written out from its definition.
inline std::vector<double> joint_features(const Chains& chains, Index i,
                                          const std::vector<std::int32_t>& y) {
  const ChainLayout& layout = chains.layout;
  std::vector<double> phi(static_cast<std::size_t>(layout.dimension()), 0.0);
  const std::size_t first = chains.data->starts[static_cast<std::size_t>(i)];
  const auto add = [&](Index at, double x) { phi[static_cast<std::size_t>(at)] += x; };
  const auto add_row = [&](const FeatureRow& row, Index base, Index stride) {
    for (std::size_t f = 0; f < row.size; ++f) {
      const auto a = static_cast<Index>(row.attributes != nullptr ? row.attributes[f] : f);
      add(base + a * stride, row.values != nullptr ? row.values[f] : 1.0);
    }
  };
  for (std::size_t t = 0; t < y.size(); ++t) {
    add_row(chains.data->nodes.row(first + t), y[t], layout.labels);
    if (t == 0) add(layout.start() + y[t], 1.0);
    if (t + 1 == y.size()) add(layout.end() + y[t], 1.0);
    if (t == 0) continue;
    const Index pair = static_cast<Index>(y[t - 1]) * layout.labels + y[t];
    add(layout.transition() + pair, 1.0);
    if (layout.edge_attributes > 0) {
      add_row(chains.data->edges.row(first + t), layout.edge(0) + pair,
              static_cast<Index>(layout.labels) * layout.labels);
    }
    if (t > 1 && layout.order == 2) {
      const Index before = static_cast<Index>(y[t - 2]) * layout.labels * layout.labels;
      add(layout.triple() + before + pair, 1.0);
    }
  }
  // Segments of bio_segments: from a label that begins one to the last that goes on with it.
  for (std::size_t t = 0; t < y.size() && layout.segment_types > 0; ++t) {
    if (y[t] % 2 == 0) continue;
    std::size_t end = t + 1;
    while (end < y.size() && y[end] == y[t] + 1) ++end;
    const auto longest = static_cast<std::size_t>(layout.longest_segment);
    add_row(chains.data->segments.row((first + t) * longest + end - t - 1),
            layout.segment(0) + y[t] / 2, layout.segment_types);
  }
  return phi;
}

inline std::vector<double> random_weights(Index dimension, Rng& rng, bool small_integers) {
  std::vector<double> w(static_cast<std::size_t>(dimension));
  for (double& x : w) {
    x = rng.uniform() * 4.0 - 2.0;
    if (small_integers) x = std::round(x);
  }
  return w;
}

/// Random weights that the decoder of the problem takes.
inline std::vector<double> feasible_weights(const Problem& problem, Rng& rng, bool small_integers) {
  std::vector<double> w = random_weights(problem.dimension(), rng, small_integers);
  for (const WeightGroup& group : problem.weight_groups()) {
    if (!group.must_be_nonnegative) continue;
    for (Index j = group.begin; j < group.end; ++j) {
      double& x = w[static_cast<std::size_t>(j)];
      x = std::abs(x);
    }
  }
  return w;
}

/// What a block was asked, and what its oracle says.
struct Decoding {
  Index i = 0;
  std::vector<double> w;  ///< small integers in every second trial, for ties
  Augment augment = Augment::kLoss;
  PartScores theta;
  Corner corner;

  bool has_loss() const { return augment == Augment::kLoss; }
  /// How far the corner is above the truth.
  double value() const { return violation(has_loss() ? corner.loss : 0.0, corner.parts, theta); }
};

/// Calls visit(decoding, oracle) for random blocks at random weights, with the loss and without.
template <class Visit>
void for_random_decodings(const Problem& problem, int trials, Visit visit) {
  const auto oracle = problem.make_oracle();
  Rng rng(17);
  Decoding decoding;
  for (int trial = 0; trial < trials; ++trial) {
    decoding.w = feasible_weights(problem, rng, trial % 2 == 0);
    decoding.i = rng.below(problem.num_blocks());
    for (const Augment augment : {Augment::kLoss, Augment::kNone}) {
      decoding.augment = augment;
      oracle->score(decoding.i, decoding.w, decoding.theta);
      oracle->decode(decoding.i, decoding.theta, augment, decoding.corner);
      visit(decoding, *oracle);
    }
  }
}

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

}  // namespace gapwise::internal::testing
