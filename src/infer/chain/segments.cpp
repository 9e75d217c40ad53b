#include "infer/chain/segments.h"

#include <algorithm>
#include <limits>

#include "core/stop.h"

namespace gapwise::internal {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

std::size_t at(std::int32_t k) {
  return static_cast<std::size_t>(k);
}

/// The step into position t, from * labels + to.
const double* pairs_into(const ChainScores& scores, int t) {
  const std::size_t square = at(scores.labels) * at(scores.labels);
  return scores.pairs + (scores.pairs_per_position ? at(t - 1) * square : 0);
}

/// The longest segment of a type that labels spell from `start` on; 0 if there is none.
int length_of_segment(const SegmentTypes::Type& type, int longest,
                      std::span<const std::int32_t> labels) {
  const int most = std::min(longest, static_cast<int>(labels.size()));
  const auto spells = [&](int length) {
    for (int k = 0; k < length; ++k) {
      if (labels[at(k)] != type.label(k, length)) return false;
    }
    return true;
  };
  for (int length = most; length > 0; --length) {
    if (type.can_have(length) && spells(length)) return length;
  }
  return 0;
}

/// The dynamic programme: what begins at a position extends what ends in front of it.
class SegmentSearch {
 public:
  SegmentSearch(const ChainScores& scores, const SegmentTypes& types, const double* segments,
                SegmentScratch& scratch)
      : scores_(scores), types_(types), segments_(segments), scratch_(scratch) {
    const std::size_t count = at(scores.length) * at(scores.labels);
    scratch_.best.assign(count, kNever);
    scratch_.steps.resize(count);
    scratch_.enter.resize(at(scores.labels));
    scratch_.previous.assign(at(scores.labels), 0);
  }

  double run(std::span<std::int32_t> labels_out) {
    StopPoll poll;
    for (int t = 0; t < scores_.length; ++t) {
      poll.spend(at(scores_.labels) * at(scores_.labels) + at(types_.longest) * types_.size());
      enter(t);
      for (const std::int32_t k : types_.alone) {
        reach(t, k, scratch_.enter[at(k)], {1, -1, scratch_.previous[at(k)]});
      }
      for (std::size_t x = 0; x < types_.size(); ++x) extend(t, static_cast<int>(x));
    }
    return trace(labels_out);
  }

 private:
  double node(int t, std::int32_t k) const {
    return scores_.nodes[at(t) * at(scores_.labels) + at(k)];
  }
  double& best(int t, std::int32_t k) const {
    return scratch_.best[at(t) * at(scores_.labels) + at(k)];
  }
  SegmentScratch::Step& step(int t, std::int32_t k) const {
    return scratch_.steps[at(t) * at(scores_.labels) + at(k)];
  }

  /// The best that ends in front of position t with each label behind it.
  void enter(int t) {
    double* enter = scratch_.enter.data();
    const auto labels = at(scores_.labels);
    const double* nodes = scores_.nodes + at(t) * labels;
    if (t == 0) {
      std::copy_n(nodes, labels, enter);
      return;
    }
    std::fill_n(enter, labels, kNever);
    const double* pairs = pairs_into(scores_, t);
    for (std::int32_t from = 0; from < scores_.labels; ++from, pairs += labels) {
      const double before = best(t - 1, from);
      if (before == kNever) continue;
      for (std::size_t k = 0; k < labels; ++k) {
        const double score = before + pairs[k];
        if (score > enter[k]) {
          enter[k] = score;
          scratch_.previous[k] = from;
        }
      }
    }
    for (std::size_t k = 0; k < labels; ++k) enter[k] += nodes[k];
  }

  void reach(int t, std::int32_t k, double score, SegmentScratch::Step how) {
    if (score <= best(t, k)) return;
    best(t, k) = score;
    step(t, k) = how;
  }

  /// All segments of type x that begin at `start`.
  void extend(int start, int x) {
    const SegmentTypes::Type& type = types_.types[at(x)];
    const double* extra = segments_ + segment_number(types_, start, 1, x);
    if (type.single >= 0) {
      reach(start, type.single, scratch_.enter[at(type.single)] + *extra,
            {1, x, scratch_.previous[at(type.single)]});
    }
    if (!type.can_have(2)) return;
    const auto labels = at(scores_.labels);
    double run = scratch_.enter[at(type.first)];  // up to the position before `t`
    std::int32_t last = type.first;               // the label there
    const int end = std::min(scores_.length, start + types_.longest);
    for (int t = start + 1; t < end && run > kNever; ++t) {
      extra += types_.size();
      const double* pairs = pairs_into(scores_, t) + at(last) * labels;
      reach(t, type.last, run + pairs[at(type.last)] + node(t, type.last) + *extra,
            {t - start + 1, x, scratch_.previous[at(type.first)]});
      if (type.inner < 0) return;
      run += pairs[at(type.inner)] + node(t, type.inner);
      last = type.inner;
    }
  }

  double trace(std::span<std::int32_t> out) const {
    int t = scores_.length - 1;
    const double* ends = &best(t, 0);
    auto label = static_cast<std::int32_t>(std::max_element(ends, ends + scores_.labels) - ends);
    const double top = best(t, label);
    if (top == kNever) {
      std::fill(out.begin(), out.end(), 0);
      return top;
    }
    while (t >= 0) {
      const SegmentScratch::Step& how = step(t, label);
      for (int k = 0; k < how.length; ++k) {
        out[at(t - how.length + 1 + k)] =
            how.type < 0 ? label : types_.types[at(how.type)].label(k, how.length);
      }
      t -= how.length;
      label = how.previous;
    }
    return top;
  }

  const ChainScores& scores_;
  const SegmentTypes& types_;
  const double* segments_;
  SegmentScratch& scratch_;
};

}  // namespace

std::optional<std::size_t> find_segments(const SegmentTypes& types,
                                         std::span<const std::int32_t> labels,
                                         std::vector<Segment>& out) {
  out.clear();
  for (std::size_t start = 0; start < labels.size();) {
    if (std::ranges::find(types.alone, labels[start]) != types.alone.end()) {
      ++start;
      continue;
    }
    Segment found{static_cast<int>(start), 0, 0};
    for (std::size_t x = 0; x < types.size() && found.length == 0; ++x) {
      found.type = static_cast<int>(x);
      found.length = length_of_segment(types.types[x], types.longest, labels.subspan(start));
    }
    if (found.length == 0) return start;
    out.push_back(found);
    start += at(found.length);
  }
  return std::nullopt;
}

double segment_viterbi(const ChainScores& scores, const SegmentTypes& types, const double* segments,
                       SegmentScratch& scratch, std::span<std::int32_t> labels_out) {
  return SegmentSearch(scores, types, segments, scratch).run(labels_out);
}

SegmentChain::SegmentChain(const SegmentTypes& types) : types_(types) {
  for (const std::int32_t k : types.alone) {
    states_.push_back({-1, 0, true});
    labels_.push_back(k);
  }
  for (std::size_t x = 0; x < types.size(); ++x) {
    const SegmentTypes::Type& type = types.types[x];
    const auto add = [&](int place, bool is_last, std::int32_t label) {
      if (label < 0) return;
      states_.push_back({static_cast<int>(x), place, is_last});
      labels_.push_back(label);
    };
    add(0, true, type.single);
    for (int place = 0; place < types.longest; ++place) {
      if (place + 1 < types.longest) add(place, false, place == 0 ? type.first : type.inner);
      if (place > 0) add(place, true, type.last);
    }
  }
}

bool SegmentChain::may_follow(const State& a, const State& b) const {
  if (a.is_last) return b.at == 0;
  return b.type == a.type && b.at == a.at + 1;
}

ChainScores SegmentChain::scores(const ChainScores& scores, const double* segments) {
  const std::size_t count = states_.size();
  nodes_.resize(at(scores.length) * count);
  for (int t = 0; t < scores.length; ++t) {
    for (std::size_t s = 0; s < count; ++s) {
      const State& state = states_[s];
      double& score = nodes_[at(t) * count + s];
      score = scores.nodes[at(t) * at(scores.labels) + at(labels_[s])];
      const bool is_cut = state.at > t || (!state.is_last && t + 1 == scores.length);
      if (is_cut) score = kNever;
      if (is_cut || !state.is_last || state.type < 0) continue;
      score += segments[segment_number(types_, t - state.at, state.at + 1, state.type)];
    }
  }
  const int steps = scores.pairs_per_position ? scores.length - 1 : 1;
  pairs_.assign(at(steps) * count * count, kNever);
  for (int step = 0; step < steps; ++step) {
    const double* from = pairs_into(scores, step + 1);
    double* to = pairs_.data() + at(step) * count * count;
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) {
        if (may_follow(states_[a], states_[b])) {
          to[a * count + b] = from[at(labels_[a]) * at(scores.labels) + at(labels_[b])];
        }
      }
    }
  }
  return {scores.length, static_cast<int>(count), nodes_.data(), pairs_.data(),
          scores.pairs_per_position};
}

}  // namespace gapwise::internal
