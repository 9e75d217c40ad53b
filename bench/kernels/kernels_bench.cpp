#include <benchmark/benchmark.h>

#include <cmath>

#include "core/random.h"
#include "gapwise/parts.h"
#include "infer/matching/matching.h"
#include "infer/part_tree.h"
#include "infer/viterbi.h"
#include "support/part_tree_score.h"
#include "tasks/shared/label_rows.h"

namespace gapwise::internal {
namespace {

std::vector<double> random_values(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> values(count);
  for (double& x : values) x = rng.uniform() - 0.5;
  return values;
}

double score_of(const ChainScores& scores, const std::vector<std::int32_t>& y) {
  double sum = scores.nodes[y[0]];
  for (int t = 1; t < scores.length; ++t) {
    const auto at = static_cast<std::size_t>(t);
    sum +=
        scores.nodes[t * scores.labels + y[at]] + scores.pairs[y[at - 1] * scores.labels + y[at]];
  }
  return sum;
}

void viterbi_by_labels(benchmark::State& state) {
  const auto labels = static_cast<int>(state.range(0));
  constexpr int kLength = 50;
  const auto nodes = random_values(static_cast<std::size_t>(kLength * labels), 1);
  const auto pairs = random_values(static_cast<std::size_t>(labels * labels), 2);
  const ChainScores scores{kLength, labels, nodes.data(), pairs.data(), false};
  ViterbiScratch scratch;
  std::vector<std::int32_t> y(kLength);
  const double value = viterbi(scores, scratch, y);
  if (std::abs(value - score_of(scores, y)) > 1e-9) {
    state.SkipWithError("the value is not that of the labelling");
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(viterbi(scores, scratch, y));
  state.SetItemsProcessed(state.iterations() * kLength);
}
BENCHMARK(viterbi_by_labels)->Arg(4)->Arg(9)->Arg(22)->Arg(26)->Arg(64);

/// A tenth or nine tenths of the weights are positive.
void matching_by_size(benchmark::State& state) {
  const Index size = state.range(0);
  auto weights = random_values(static_cast<std::size_t>(size * size), 7);
  for (double& x : weights) x += static_cast<double>(state.range(1)) / 100.0 - 0.5;
  const MatchingScores scores{weights.data(), size, size};
  MatchingSearch search;
  std::vector<std::int32_t> column_of(static_cast<std::size_t>(size));
  double prices = -max_weight_matching(scores, search, column_of);
  for (const double price : search.row_prices) prices += price;
  for (const double price : search.column_prices) prices += price;
  if (std::abs(prices) > 1e-9) {
    state.SkipWithError("the prices do not prove the matching");
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(max_weight_matching(scores, search, column_of));
}
BENCHMARK(matching_by_size)->ArgsProduct({{5, 10, 20, 30, 60, 100}, {10, 90}});

void decode_tree_by_side(benchmark::State& state) {
  const auto side = static_cast<std::int32_t>(state.range(0));
  const GridShape grid{side, side};
  const PartTree person({1, 2, 12, 12, 3, 4, 7, 8, 12, 12, 9, 10, -1, 12});
  const auto scores = random_values(person.size() * static_cast<std::size_t>(grid.cells()), 1);
  const auto numbers = random_values(6 * person.size(), 2);
  std::vector<Spring> springs(person.size());
  for (std::size_t part = 0; part < person.size(); ++part) {
    const double* x = numbers.data() + 6 * part;
    springs[part] = {{0.02 * std::abs(x[0]), 0.02 * x[1], 0.2 * side * x[2]},
                     {0.02 * std::abs(x[3]), 0.02 * x[4], 0.2 * side * x[5]}};
  }
  TreeScratch scratch;
  std::vector<double> used = scores;
  std::vector<std::int32_t> cells(person.size());
  const double value = decode_tree(person, grid, springs, used, scratch, cells);
  if (std::abs(value - testing::score_of(person, grid, springs, scores, cells)) > 1e-9) {
    state.SkipWithError("the value is not that of the placement");
    return;
  }
  for (auto _ : state) {
    used = scores;
    benchmark::DoNotOptimize(decode_tree(person, grid, springs, used, scratch, cells));
  }
}
BENCHMARK(decode_tree_by_side)->Arg(16)->Arg(32)->Arg(64)->Unit(benchmark::kMillisecond);

constexpr std::size_t kTokens = 8;
constexpr std::size_t kFeatures = 30;
constexpr std::uint32_t kAttributes = 129;

FeatureRows random_rows() {
  Rng rng(3);
  FeatureRows rows;
  for (std::size_t t = 0; t < kTokens; ++t) {
    for (std::size_t f = 0; f < kFeatures; ++f) {
      rows.add(static_cast<std::uint32_t>(rng.below(kAttributes)));
    }
    rows.end_row();
  }
  rows.finish(kAttributes);
  return rows;
}

double plain_score(const FeatureRow& row, const std::vector<double>& w, std::size_t labels,
                   std::size_t label) {
  double sum = 0.0;
  for (std::size_t f = 0; f < row.size; ++f) sum += w[row.attributes[f] * labels + label];
  return sum;
}

void score_rows_by_labels(benchmark::State& state) {
  const auto labels = static_cast<std::size_t>(state.range(0));
  const FeatureRows rows = random_rows();
  const auto w = random_values(kAttributes * labels, 4);
  std::vector<double> out(kTokens * labels);
  score_rows(rows, 0, kTokens, w.data(), labels, out.data());
  if (std::abs(out[labels - 1] - plain_score(rows.row(0), w, labels, labels - 1)) > 1e-9) {
    state.SkipWithError("disagrees with a plain loop");
    return;
  }
  for (auto _ : state) {
    score_rows(rows, 0, kTokens, w.data(), labels, out.data());
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kTokens));
}
BENCHMARK(score_rows_by_labels)->Arg(4)->Arg(22)->Arg(26);

void score_two_labels(benchmark::State& state) {
  constexpr std::size_t kLabels = 26;
  const FeatureRows rows = random_rows();
  const auto w = random_values(kAttributes * kLabels, 4);
  const std::vector<Index> at{3, 17};
  std::vector<double> out(2);
  score_labels(rows.row(0), at, kLabels, w.data(), out.data());
  if (std::abs(out[1] - plain_score(rows.row(0), w, kLabels, 17)) > 1e-9) {
    state.SkipWithError("disagrees with a plain loop");
    return;
  }
  for (auto _ : state) {
    score_labels(rows.row(0), at, kLabels, w.data(), out.data());
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(score_two_labels);

void add_to_rows_by_labels(benchmark::State& state) {
  const auto labels = static_cast<std::size_t>(state.range(0));
  const FeatureRows rows = random_rows();
  const auto change = random_values(labels, 5);
  std::vector<double> w(kAttributes * labels, 0.0);
  for (auto _ : state) {
    add_to_rows(rows.row(0), change.data(), labels, w.data());
    benchmark::DoNotOptimize(w.data());
  }
}
BENCHMARK(add_to_rows_by_labels)->Arg(4)->Arg(26);

void subtract_parts(benchmark::State& state) {
  Rng rng(6);
  Parts corner;
  Parts block;
  for (Index id = 0; id < 200; ++id) {
    if (rng.uniform() < 0.06) corner.append(id, 1.0);
    if (rng.uniform() < 0.12) block.append(id, rng.uniform());
  }
  Parts out;
  for (auto _ : state) {
    subtract(corner, block, out);
    benchmark::DoNotOptimize(out.size());
  }
}
BENCHMARK(subtract_parts);

}  // namespace
}  // namespace gapwise::internal

BENCHMARK_MAIN();
