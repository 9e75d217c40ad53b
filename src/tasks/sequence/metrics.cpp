#include "tasks/sequence/metrics.h"

#include <algorithm>

#include "tasks/shared/ratio.h"

namespace gapwise::internal {
namespace {

/// B, I, E, S or O; L and U are other letters for E and S; '?' for what is none of them.
char chunk_kind(std::string_view prefix) {
  if (prefix == "L") return 'E';
  if (prefix == "U") return 'S';
  constexpr std::string_view kKinds = "BIESO";
  const bool is_kind = prefix.size() == 1 && kKinds.find(prefix) != std::string_view::npos;
  return is_kind ? prefix.front() : '?';
}

}  // namespace

bool are_chunk_labels(const Alphabet& labels) {
  bool has_chunks = false;
  for (std::size_t id = 0; id < labels.size(); ++id) {
    const std::string_view label = labels.name(id);
    if (label == "O") continue;
    const char kind = chunk_kind(label.substr(0, 1));
    if (label.size() < 3 || label[1] != '-' || kind == '?' || kind == 'O') return false;
    has_chunks = true;
  }
  return has_chunks;
}

void ChunkCounter::learn(const Alphabet& labels) {
  for (std::size_t id = tags_.size(); id < labels.size(); ++id) {
    const std::string_view label = labels.name(id);
    const std::size_t hyphen = label.find('-');
    Tag tag;
    tag.kind = chunk_kind(label.substr(0, hyphen));
    const bool has_type = hyphen != std::string_view::npos && hyphen + 1 < label.size();
    if (has_type) tag.type = types_.add(label.substr(hyphen + 1));
    tags_.push_back(tag);
  }
}

/// Whether a chunk ends between two tokens.
bool ChunkCounter::ends(const Tag& last, const Tag& now) {
  if (last.kind == 'O') return false;
  if (last.kind == 'E' || last.kind == 'S') return true;
  const bool is_inside = last.kind == 'B' || last.kind == 'I';
  const bool is_break = now.kind == 'B' || now.kind == 'S' || now.kind == 'O';
  return (is_inside && is_break) || last.type != now.type;
}

/// Whether a chunk starts with the second of two tokens.
bool ChunkCounter::starts(const Tag& last, const Tag& now) {
  if (now.kind == 'O') return false;
  if (now.kind == 'B' || now.kind == 'S') return true;
  const bool is_outside = last.kind == 'E' || last.kind == 'S' || last.kind == 'O';
  const bool is_inside = now.kind == 'I' || now.kind == 'E';
  return (is_outside && is_inside) || last.type != now.type;
}

void SequenceMetrics::count(std::span<const std::int32_t> gold,
                            std::span<const std::int32_t> predicted,
                            std::span<double> counts) const {
  Index correct = 0;
  for (std::size_t t = 0; t < gold.size(); ++t) correct += gold[t] == predicted[t] ? 1 : 0;
  const auto length = static_cast<Index>(gold.size());
  counts[kSequences] += 1.0;
  counts[kTokens] += static_cast<double>(length);
  counts[kCorrectTokens] += static_cast<double>(correct);
  counts[kExact] += correct == length ? 1.0 : 0.0;
  counts[kErrorFractions] += ratio(length - correct, length);
  if (!has_chunks_) return;
  chunks_.for_each_chunk(gold, predicted, [&](const LabelCount& chunk) {
    counts[kGoldChunks] += chunk.gold;
    counts[kPredictedChunks] += chunk.predicted;
    counts[kCorrectChunks] += chunk.correct;
  });
}

Metrics SequenceMetrics::metrics(std::span<const double> counts) const {
  Metrics metrics{{.name = "normalized_hamming",
                   .value = ratio(counts[kErrorFractions], counts[kSequences]),
                   .better = Better::kLower},
                  {.name = "token_accuracy",
                   .value = ratio(counts[kCorrectTokens], counts[kTokens]),
                   .is_main = !has_chunks_},
                  {.name = "exact", .value = ratio(counts[kExact], counts[kSequences])}};
  if (!has_chunks_) return metrics;
  const double found = counts[kCorrectChunks];
  metrics.push_back({.name = "precision", .value = ratio(found, counts[kPredictedChunks])});
  metrics.push_back({.name = "recall", .value = ratio(found, counts[kGoldChunks])});
  metrics.push_back({.name = "f1",
                     .value = ratio(2.0 * found, counts[kPredictedChunks] + counts[kGoldChunks]),
                     .is_main = true});
  return metrics;
}

}  // namespace gapwise::internal
