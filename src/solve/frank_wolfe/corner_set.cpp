#include "solve/frank_wolfe/corner_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/oldest_unused.h"

namespace gapwise::internal {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// Weights whose sum is this close to 1 are left alone: dividing would only change their last bits.
constexpr double kHarmlessDrift = 1e-14;

/// Rounding moves the weights of a block by no more than this between two repairs.
constexpr double kMostDrift = 1e-6;

// What 32 bits count, with room for what a run adds.
constexpr Index kMostPasses = Index{1} << 30;
constexpr Index kMostParts = Index{1} << 30;

std::size_t triangle(std::size_t rows) {
  return rows * (rows + 1) / 2;
}

}  // namespace

CornerSet::CornerSet() {
  Entry truth;
  truth.alpha = 1.0;
  truth.key = Parts().hash();
  append(Parts(), truth);
}

CornerSet CornerSet::empty() {
  CornerSet set;
  set.keep({false});
  return set;
}

CornerSet CornerSet::at(const Parts& parts, double loss) {
  CornerSet set;
  if (parts.empty() && loss == 0.0) return set;
  Entry mixture;
  mixture.loss = loss;
  mixture.alpha = 1.0;
  mixture.is_mixture = true;
  set.set_alpha(0, 0.0);
  set.append(parts, mixture);
  return set;
}

double CornerSet::sum_of_alpha() const {
  double sum = 0.0;
  for (const Entry& e : entries_) sum += e.alpha;
  return sum;
}

void CornerSet::pick_scores(const PartScores& theta, std::vector<double>& scores) const {
  scores.resize(ids_.size());
  for (std::size_t k = 0; k < ids_.size(); ++k) scores[k] = theta[ids_[k]];
}

void CornerSet::violations(std::span<const double> scores, std::vector<double>& h) const {
  h.resize(entries_.size());
  for (int p = 0; p < size(); ++p) {
    double value = entry(p).loss;
    for (const LocalPart& part : parts_of(p)) {
      value -= part.value * scores[static_cast<std::size_t>(part.at)];
    }
    h[static_cast<std::size_t>(p)] = value;
  }
}

double CornerSet::best_violation(const PartScores& theta) const {
  double best = entries_.empty() ? 0.0 : -std::numeric_limits<double>::infinity();
  for (int p = 0; p < size(); ++p) {
    double value = entry(p).loss;
    for (const LocalPart& part : parts_of(p)) {
      value -= part.value * theta[ids_[static_cast<std::size_t>(part.at)]];
    }
    best = std::max(best, value);
  }
  return best;
}

int CornerSet::find(const Corner& corner, std::uint64_t key) const {
  for (int p = 0; p < size(); ++p) {
    // Where parts are features, outputs of different loss may have the same parts.
    if (entry(p).key != key || entry(p).loss != corner.loss || entry(p).is_mixture) continue;
    const auto same = [this](const LocalPart& mine, const Part& other) {
      return ids_[static_cast<std::size_t>(mine.at)] == other.id && mine.value == other.value;
    };
    if (std::equal(parts_of(p).begin(), parts_of(p).end(), corner.parts.begin(), corner.parts.end(),
                   same)) {
      return p;
    }
  }
  return -1;
}

int CornerSet::place(const Corner& corner, std::int32_t now) {
  const std::uint64_t key = corner.parts.hash();
  int p = find(corner, key);
  if (p < 0) {
    p = size();
    Entry entry;
    entry.loss = corner.loss;
    entry.key = key;
    append(corner.parts, entry);
  }
  touch(p, now);
  return p;
}

void CornerSet::append(const Parts& parts, Entry entry) {
  learn_ids(parts);
  entry.first = static_cast<std::int32_t>(parts_.size());
  entry.count = static_cast<std::int32_t>(parts.size());
  std::size_t at = 0;
  for (const Part& part : parts) {
    while (ids_[at] < part.id) ++at;
    parts_.push_back({static_cast<std::int32_t>(at), part.value});
  }
  entries_.push_back(entry);
  ++revision_;
  products_.resize(triangle(entries_.size()), kUnknown);
}

void CornerSet::learn_ids(const Parts& parts) {
  std::size_t unknown = 0;
  std::size_t at = 0;
  for (const Part& part : parts) {
    while (at < ids_.size() && ids_[at] < part.id) ++at;
    if (at == ids_.size() || ids_[at] != part.id) ++unknown;
  }
  if (unknown == 0) return;
  std::vector<Index> merged;
  merged.reserve(ids_.size() + unknown);
  std::vector<std::int32_t> moved_to(ids_.size());
  std::size_t old = 0;
  const auto take_old = [&] {
    moved_to[old] = static_cast<std::int32_t>(merged.size());
    merged.push_back(ids_[old++]);
  };
  for (const Part& part : parts) {
    while (old < ids_.size() && ids_[old] < part.id) take_old();
    if (old < ids_.size() && ids_[old] == part.id) {
      take_old();
    } else {
      merged.push_back(part.id);
    }
  }
  while (old < ids_.size()) take_old();
  for (LocalPart& part : parts_) part.at = moved_to[static_cast<std::size_t>(part.at)];
  ids_ = std::move(merged);
}

void CornerSet::write_parts(int p, Parts& out) const {
  out.clear();
  for (const LocalPart& part : parts_of(p)) {
    out.append(ids_[static_cast<std::size_t>(part.at)], part.value);
  }
}

double& CornerSet::product_slot(int p, int q) {
  const auto row = static_cast<std::size_t>(std::max(p, q));
  return products_[triangle(row) + static_cast<std::size_t>(std::min(p, q))];
}

double CornerSet::product(Oracle& oracle, Index i, int p, int q) {
  double& slot = product_slot(p, q);
  if (std::isnan(slot)) {
    if (entry(p).count == 0 || entry(q).count == 0) return slot = 0.0;
    thread_local Parts u;
    thread_local Parts v;
    write_parts(p, u);
    write_parts(q, v);
    slot = p == q ? oracle.squared_norm(i, u) : oracle.inner_product(i, u, v);
  }
  return slot;
}

template <class WeightOf>
void CornerSet::add_up(WeightOf weight_of, Parts& parts, double& loss) const {
  thread_local std::vector<double> sums;
  sums.assign(ids_.size(), 0.0);
  loss = 0.0;
  for (int p = 0; p < size(); ++p) {
    const double weight = weight_of(p);
    if (weight == 0.0) continue;
    loss += weight * entry(p).loss;
    for (const LocalPart& part : parts_of(p)) {
      sums[static_cast<std::size_t>(part.at)] += weight * part.value;
    }
  }
  parts.assign_nonzeros(ids_, sums);
}

void CornerSet::combine(std::span<const double> weights, Parts& parts, double& loss) const {
  add_up([&](int p) { return weights[static_cast<std::size_t>(p)]; }, parts, loss);
}

void CornerSet::combine(Parts& parts, double& loss) const {
  add_up([&](int p) { return alpha(p); }, parts, loss);
}

void CornerSet::scale(double factor) {
  for (int p = 0; p < size(); ++p) {
    set_alpha(p, factor * alpha(p));
    touch(p, 0);
  }
}

void CornerSet::give_to_truth(double share) {
  scale(share);
  const int truth = place(Corner(), 0);
  set_alpha(truth, alpha(truth) + 1.0 - share);
  renormalize();
  mark_alpha();
}

void CornerSet::forget(std::int32_t since) {
  std::vector<bool> kept(entries_.size(), true);
  bool forgets = false;
  for (std::size_t p = 0; p < entries_.size(); ++p) {
    if (entries_[p].alpha > 0.0 || entries_[p].last_used >= since) continue;
    kept[p] = false;
    forgets = true;
  }
  if (forgets) keep(kept);
}

void CornerSet::shrink(int most, bool may_merge) {
  while (size() > std::max(most, 2)) {
    const auto kept = all_but_oldest_unused(
        entries_.size(), [this](std::size_t p) { return entries_[p].alpha; },
        [this](std::size_t p) { return entries_[p].last_used; });
    if (kept) {
      keep(*kept);
    } else if (!may_merge) {
      return;
    } else {
      merge_two_lightest();
    }
  }
}

void CornerSet::keep(const std::vector<bool>& kept) {
  CornerSet smaller;
  smaller.entries_.clear();
  smaller.products_.clear();
  std::vector<int> survivors;
  Parts parts;
  for (int p = 0; p < size(); ++p) {
    if (!kept[static_cast<std::size_t>(p)]) continue;
    survivors.push_back(p);
    write_parts(p, parts);
    smaller.append(parts, entry(p));
  }
  for (std::size_t row = 0; row < survivors.size(); ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      smaller.products_[triangle(row) + column] = product_slot(survivors[row], survivors[column]);
    }
  }
  smaller.revision_ = revision_ + 1;
  *this = std::move(smaller);
}

void CornerSet::merge_two_lightest() {
  std::vector<double> weights(entries_.size(), 0.0);
  std::vector<bool> kept(entries_.size(), true);
  Entry mixture;
  for (int round = 0; round < 2; ++round) {
    std::size_t lightest = entries_.size();
    for (std::size_t p = 0; p < entries_.size(); ++p) {
      if (!kept[p]) continue;
      if (lightest == entries_.size() || entries_[p].alpha < entries_[lightest].alpha) lightest = p;
    }
    kept[lightest] = false;
    weights[lightest] = entries_[lightest].alpha;
    mixture.alpha += entries_[lightest].alpha;
    mixture.last_used = std::max(mixture.last_used, entries_[lightest].last_used);
  }
  for (double& weight : weights) weight /= mixture.alpha;
  Parts parts;
  combine(weights, parts, mixture.loss);
  mixture.is_mixture = true;
  keep(kept);
  append(parts, mixture);
}

void CornerSet::renormalize() {
  const double sum = sum_of_alpha();
  if (std::abs(sum - 1.0) <= kHarmlessDrift) return;
  for (Entry& e : entries_) e.alpha /= sum;
}

void CornerSet::save(StateWriter& out) const {
  out.ascending(ids_);
  out.count(entries_.size());
  for (int p = 0; p < size(); ++p) {
    const Entry& e = entry(p);
    out.small(e.loss);
    out.small(e.alpha);
    out.small(e.marked_alpha);
    out.count(Index{e.last_used});
    out.flag(e.is_mixture);
    out.count(Index{e.count});
    std::int32_t next = 0;
    for (const LocalPart& part : parts_of(p)) {
      out.count(Index{part.at - next});
      out.small(part.value);
      next = part.at + 1;
    }
  }
  for (const double product : products_) out.small(product);
}

void CornerSet::load_entry(StateReader& in) {
  Entry e;
  e.loss = in.small();
  e.alpha = in.small();
  e.marked_alpha = in.small();
  e.last_used = static_cast<std::int32_t>(in.count_up_to(kMostPasses));
  e.is_mixture = in.flag();
  e.first = static_cast<std::int32_t>(parts_.size());
  const Index count = in.count_up_to(std::ssize(ids_));
  in.require(std::ssize(parts_) + count <= kMostParts, "a block with too many parts");
  e.count = static_cast<std::int32_t>(count);
  Index next = 0;
  for (Index k = 0; k < count; ++k) {
    in.require(next < std::ssize(ids_), "a part that its block does not list");
    const Index at = next + in.count_up_to(std::ssize(ids_) - 1 - next);
    parts_.push_back({static_cast<std::int32_t>(at), in.small()});
    next = at + 1;
  }
  entries_.push_back(e);
}

void CornerSet::check_weights(const StateReader& in, SumOfAlpha sum) const {
  const bool is_convex = sum == SumOfAlpha::kOne;
  const double most = is_convex ? 1.0 + kMostDrift : std::numeric_limits<double>::max();
  for (const Entry& e : entries_) {
    for (const double alpha : {e.alpha, e.marked_alpha}) {
      in.require(alpha >= -kMostDrift && alpha <= most,
                 "a corner with a weight that it cannot have");
    }
  }
  if (!is_convex) return;
  in.require(std::abs(sum_of_alpha() - 1.0) <= kMostDrift, "a block whose weights do not sum to 1");
}

void CornerSet::load(StateReader& in, Index i, SumOfAlpha sum) {
  constexpr std::size_t kLeastEntry = 6;
  // A block that stands at its truth has no parts, and need not be looked at.
  const std::size_t num_ids = in.size(1);
  ids_ = in.ascending(num_ids, num_ids > 0 ? in.num_parts(i) : 0);
  entries_.clear();
  parts_.clear();
  for (std::size_t left = in.size(kLeastEntry); left > 0; --left) load_entry(in);
  check_weights(in, sum);
  Parts parts;
  for (int p = 0; p < size(); ++p) {
    write_parts(p, parts);
    if (!entry(p).is_mixture) entries_[static_cast<std::size_t>(p)].key = parts.hash();
  }
  in.require(triangle(entries_.size()) <= in.left(), "fewer products than pairs of corners");
  products_.resize(triangle(entries_.size()));
  for (double& product : products_) product = in.small_or_nan().value_or(kUnknown);
}

}  // namespace gapwise::internal
