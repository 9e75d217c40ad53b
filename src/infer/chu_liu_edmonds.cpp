#include <algorithm>
#include <limits>

#include "core/stop.h"
#include "infer/dependency.h"

namespace gapwise::internal {
namespace {

enum State : char { kNew, kOnPath, kDone };

/// One run of the algorithm. Nodes are the places 0..words; a cycle takes the place of its first
/// member. Words and cycles have names that stay: those of the words are 0..words.
class SpanningTree {
 public:
  SpanningTree(const ArcScores& arcs, RootCount roots, SpanningTreeScratch& scratch)
      : side_(arcs.words + 1), next_name_(side_), s_(scratch) {
    const auto side = static_cast<std::size_t>(side_);
    s_.scores.resize(side * side);
    s_.arcs.resize(side * side);
    for (auto* list : {&s_.head, &s_.name}) list->resize(side);
    s_.cycle.assign(2 * side, -1);
    s_.chosen.resize(2 * side);
    s_.state.assign(side, kNew);
    s_.path.clear();
    s_.alive.clear();
    const double handicap = roots == RootCount::kOne ? handicap_of(arcs) : 0.0;
    for (int v = 0; v < side_; ++v) {
      s_.alive.push_back(v);
      s_.name[at(v)] = v;
      for (int u = 0; u < side_ && v > 0; ++u) {
        score(v, u) = u == v ? 0.0 : arcs(u, v) - (u == 0 ? handicap : 0.0);
        arc(v, u) = {u, v};
      }
    }
  }

  void run() {
    s_.state[0] = kDone;
    for (int word = 1; word < side_; ++word) {
      int v = word;
      while (s_.state[at(v)] != kDone) v = s_.state[at(v)] == kNew ? follow(v) : contract(v);
      for (const std::int32_t node : s_.path) s_.state[at(node)] = kDone;
      s_.path.clear();
    }
  }

  /// From the last cycle to the first: the arc into a cycle replaces that of the member it enters.
  void expand(std::span<std::int32_t> heads) {
    for (int name = next_name_ - 1; name >= side_; --name) {
      const SpanningTreeScratch::Arc entering = s_.chosen[at(name)];
      int member = entering.word;
      while (s_.cycle[at(member)] != name) member = s_.cycle[at(member)];
      s_.chosen[at(member)] = entering;
    }
    for (int m = 1; m < side_; ++m) heads[at(m - 1)] = s_.chosen[at(m)].head;
  }

 private:
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }
  double& score(int v, int u) { return s_.scores[at(v) * at(side_) + at(u)]; }
  SpanningTreeScratch::Arc& arc(int v, int u) { return s_.arcs[at(v) * at(side_) + at(u)]; }

  /// More than any two trees differ by, so that no tree with two arcs from the root beats all with
  /// one.
  static double handicap_of(const ArcScores& arcs) {
    double low = arcs(0, 1);
    double high = low;
    for (int m = 1; m <= arcs.words; ++m) {
      for (int h = 0; h <= arcs.words; ++h) {
        if (h == m) continue;
        low = std::min(low, arcs(h, m));
        high = std::max(high, arcs(h, m));
      }
    }
    return (high - low) * (arcs.words + 1) + 1.0;
  }

  /// Puts v on the path and goes on to its best head.
  int follow(int v) {
    poll_.spend(s_.alive.size());
    int best = -1;
    for (const std::int32_t u : s_.alive) {
      if (u != v && (best < 0 || score(v, u) > score(v, best))) best = u;
    }
    s_.state[at(v)] = kOnPath;
    s_.path.push_back(v);
    s_.head[at(v)] = best;
    s_.chosen[at(s_.name[at(v)])] = arc(v, best);
    return best;
  }

  /// The path from v on leads back to v: makes one node of it, in the place of v.
  int contract(int v) {
    const auto begin = std::find(s_.path.begin(), s_.path.end(), v);
    const int name = next_name_++;
    for (auto member = begin; member != s_.path.end(); ++member) {
      s_.cycle[at(s_.name[at(*member)])] = name;
      s_.state[at(*member)] = kDone;
    }
    std::erase_if(s_.alive, [&](std::int32_t u) {
      return u != v && std::find(begin, s_.path.end(), u) != s_.path.end();
    });
    const double lost = score(v, s_.head[at(v)]);
    for (const std::int32_t u : s_.alive) {
      if (u != v) score(v, u) -= lost;
    }
    for (auto member = begin + 1; member != s_.path.end(); ++member) merge(v, *member);
    s_.path.erase(begin, s_.path.end());
    s_.name[at(v)] = name;
    s_.state[at(v)] = kNew;
    return v;
  }

  /// Arcs into `member` count by what they gain over its arc on the cycle.
  void merge(int v, int member) {
    poll_.spend(s_.alive.size());
    const double lost = score(member, s_.head[at(member)]);
    for (const std::int32_t u : s_.alive) {
      if (u == v) continue;
      if (score(member, u) - lost > score(v, u)) {
        score(v, u) = score(member, u) - lost;
        arc(v, u) = arc(member, u);
      }
      if (u != 0 && score(u, member) > score(u, v)) {
        score(u, v) = score(u, member);
        arc(u, v) = arc(u, member);
      }
    }
  }

  int side_;
  int next_name_;
  SpanningTreeScratch& s_;
  StopPoll poll_;
};

}  // namespace

double chu_liu_edmonds(const ArcScores& arcs, RootCount roots, SpanningTreeScratch& scratch,
                       std::span<std::int32_t> heads) {
  SpanningTree tree(arcs, roots, scratch);
  tree.run();
  tree.expand(heads);
  double value = 0.0;
  for (int m = 1; m <= arcs.words; ++m) value += arcs(heads[static_cast<std::size_t>(m - 1)], m);
  return value;
}

bool is_tree(std::span<const std::int32_t> heads) {
  // Words on the way up from word m are marked m; one that is marked so already closes a cycle.
  std::vector<std::size_t> mark(heads.size() + 1, 0);
  for (std::size_t m = 1; m <= heads.size(); ++m) {
    for (std::size_t v = m; v != 0 && (mark[v] == 0 || mark[v] == m);) {
      if (mark[v] == m) return false;
      mark[v] = m;
      v = static_cast<std::size_t>(heads[v - 1]);
    }
  }
  return true;
}

bool is_projective(std::span<const std::int32_t> heads) {
  const auto words = static_cast<std::int32_t>(heads.size());
  const auto ends = [&](std::int32_t m) {
    return std::minmax({heads[static_cast<std::size_t>(m - 1)], m});
  };
  for (std::int32_t m = 1; m <= words; ++m) {
    const auto [begin, end] = ends(m);
    for (std::int32_t inner = begin + 1; inner < end; ++inner) {
      const auto [first, last] = ends(inner);
      if (first < begin || last > end) return false;
    }
  }
  return true;
}

}  // namespace gapwise::internal
