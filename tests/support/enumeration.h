#pragma once

#include <memory>
#include <vector>

#include "support/problems.h"

namespace gapwise::internal::testing {

/// One output of a block, from its definition: m(y_i) - m(y) and L_i(y).
struct Output {
  Parts parts;
  double loss = 0.0;
};

/// A problem with all outputs of all its blocks.
struct Enumerated {
  std::unique_ptr<Problem> problem;
  std::vector<std::vector<Output>> outputs;

  const std::vector<Output>& block(Index i) const { return outputs[static_cast<std::size_t>(i)]; }
};

/// The parts of labelling y: "label k at position t" is t * K + k, then come transitions, by
/// position if the model has edge features.
inline void collect_parts(const ChainLayout& layout, const std::vector<std::int32_t>& y,
                          double value, Parts& out) {
  const Index labels = layout.labels;
  const Index length = std::ssize(y);
  for (Index t = 0; t < length; ++t) {
    const Index k = y[static_cast<std::size_t>(t)];
    out.collect(t * labels + k, value);
    if (t == 0) continue;
    const Index step = layout.edge_attributes > 0 ? t - 1 : 0;
    const Index from = y[static_cast<std::size_t>(t - 1)];
    out.collect(length * labels + (step * labels + from) * labels + k, value);
    if (t == 1 || layout.order == 1) continue;
    const Index steps = layout.edge_attributes > 0 ? length - 1 : 1;
    const Index before = y[static_cast<std::size_t>(t - 2)];
    out.collect(length * labels + steps * labels * labels + (before * labels + from) * labels + k,
                value);
  }
}

/// Takes the problem of `chains`, whose loss must be a sum over positions.
inline Enumerated enumerate(Chains chains) {
  Enumerated all;
  const SequenceData& data = *chains.data;
  const auto oracle = chains.problem->make_oracle();
  for (Index i = 0; i < data.size(); ++i) {
    const auto* labels = data.labels.data();
    const std::vector<std::int32_t> truth(labels + data.starts[static_cast<std::size_t>(i)],
                                          labels + data.starts[static_cast<std::size_t>(i) + 1]);
    // What one error costs is known from the largest loss, which has one at every position.
    PartScores theta;
    Corner worst;
    oracle->argmax(i, std::vector<double>(static_cast<std::size_t>(chains.layout.dimension())),
                   theta, worst);
    std::vector<Output> block;
    for_each_labelling(data.length(i), chains.layout.labels,
                       [&](const std::vector<std::int32_t>& y) {
                         Output output;
                         double errors = 0.0;
                         for (std::size_t t = 0; t < y.size(); ++t) errors += y[t] != truth[t];
                         output.loss = errors * worst.loss / static_cast<double>(y.size());
                         collect_parts(chains.layout, truth, 1.0, output.parts);
                         collect_parts(chains.layout, y, -1.0, output.parts);
                         output.parts.normalize();
                         block.push_back(std::move(output));
                       });
    all.outputs.push_back(std::move(block));
  }
  all.problem = std::move(chains.problem);
  return all;
}

inline Enumerated enumerate(Classes classes) {
  Enumerated all;
  const MulticlassData& data = *classes.data;
  for (const std::int32_t truth : data.labels) {
    std::vector<Output> block;
    for (int k = 0; k < data.classes; ++k) {
      Output output;
      output.parts.collect(truth, 1.0);
      output.parts.collect(k, -1.0);
      output.parts.normalize();
      output.loss = k == truth ? 0.0 : 1.0;
      if (!data.costs.empty()) {
        output.loss = data.costs[static_cast<std::size_t>(truth * data.classes + k)];
      }
      block.push_back(std::move(output));
    }
    all.outputs.push_back(std::move(block));
  }
  all.problem = std::move(classes.problem);
  return all;
}

}  // namespace gapwise::internal::testing
