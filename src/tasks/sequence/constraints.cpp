#include "tasks/sequence/constraints.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "gapwise/errors.h"
#include "io/fields.h"
#include "io/lines.h"

namespace gapwise::internal {
namespace {

constexpr std::string_view kStart = "<start>";
constexpr std::string_view kEnd = "<end>";

/// A label as it marks chunks: its kind, one of O B I E S, and the type of its chunk.
struct Mark {
  char kind = 'O';
  std::string_view type = {};
};

/// L and U are other letters for E and S.
Mark mark_of(std::string_view label, std::string_view kinds, const std::string& rule) {
  if (label == "O") return {};
  char kind = label.empty() ? '?' : label.front();
  if (kind == 'L') kind = 'E';
  if (kind == 'U') kind = 'S';
  if (label.size() < 3 || label[1] != '-' || kinds.find(kind) == std::string_view::npos) {
    throw OptionError(fmt::format(
        "\1constraints {} is for labels O and {}, a hyphen and a type, but there is '{}'; take "
        "another rule or a file of your own",
        rule, kinds == "BI" ? "B, I" : "B, I, E (L), S (U)", label));
  }
  return {kind, label.substr(2)};
}

/// Whether a mark may follow another one, by the rules of a scheme; outside every sequence is O.
using Follows = bool (*)(const Mark& last, const Mark& now);

/// IOB2: a chunk starts with B.
bool follows_bio(const Mark& last, const Mark& now) {
  return now.kind != 'I' || (last.kind != 'O' && last.type == now.type);
}

/// IOB1: a chunk starts with I, or with B right behind another one of its type.
bool follows_iob1(const Mark& last, const Mark& now) {
  return now.kind != 'B' || (last.kind != 'O' && last.type == now.type);
}

/// IOBES, BILOU: a chunk starts with B and ends with E, or is a single S.
bool follows_bioes(const Mark& last, const Mark& now) {
  const bool is_open = last.kind == 'B' || last.kind == 'I';
  const bool goes_on = now.kind == 'I' || now.kind == 'E';
  return is_open == goes_on && (!is_open || last.type == now.type);
}

struct Scheme {
  std::string_view name;
  std::string_view kinds;
  Follows follows;
};
constexpr std::array<Scheme, 3> kSchemes{
    {{"bio", "BI", follows_bio}, {"bioes", "BIES", follows_bioes}, {"iob1", "BI", follows_iob1}}};

ChainConstraints of_scheme(const Scheme& scheme, const Alphabet& labels) {
  const auto count = static_cast<int>(labels.size());
  std::vector<Mark> marks;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    marks.push_back(mark_of(labels.name(k), scheme.kinds, std::string(scheme.name)));
  }
  const auto mark = [&](int k) { return marks[static_cast<std::size_t>(k)]; };
  ChainConstraints result(count);
  for (int a = 0; a < count; ++a) {
    if (!scheme.follows({}, mark(a))) result.forbid_start(a);
    if (!scheme.follows(mark(a), {})) result.forbid_end(a);
    for (int b = 0; b < count; ++b) {
      if (!scheme.follows(mark(a), mark(b))) result.forbid(a, b);
    }
  }
  return result;
}

/// Reads the lines of a file of constraints.
class ConstraintFile {
 public:
  ConstraintFile(const std::string& path, const Alphabet& labels)
      : lines_(path), labels_(labels), result_(static_cast<int>(labels.size())) {}

  ChainConstraints read() {
    std::string_view line;
    std::vector<std::string_view> words;
    bool has_any = false;
    while (lines_.next(line)) {
      split_blanks(line, words);
      if (words.empty() || words.front().front() == '#') continue;
      add(words);
      has_any = true;
    }
    if (!has_any) {
      lines_.fail(
          "there are no constraints; give lines such as 'forbid O I-NP' or 'only B-NP I-NP O'");
    }
    return result_;
  }

 private:
  void add(const std::vector<std::string_view>& words) {
    const bool is_only = words[0] == "only";
    if (!(is_only ? words.size() >= 3 : words[0] == "forbid" && words.size() == 3)) {
      lines_.fail(fmt::format(
          "found '{}'; expected 'forbid FROM TO', or 'only FROM TO...' for all that may come next",
          fmt::join(words, " ")));
    }
    if (!is_only) return forbid(words[1], words[2]);
    const std::set<std::string_view> allowed(words.begin() + 2, words.end());
    for (const std::string_view to : allowed) {
      if (to != kEnd) number(to);  // complains about labels that there are not
    }
    for (std::size_t k = 0; k < labels_.size(); ++k) {
      if (!allowed.contains(labels_.name(k))) forbid(words[1], labels_.name(k));
    }
    if (words[1] != kStart && !allowed.contains(kEnd)) forbid(words[1], kEnd);
  }

  void forbid(std::string_view from, std::string_view to) {
    if (from == kStart && to == kEnd) {
      lines_.fail("a sequence has a token at least, so its end never follows its start");
    } else if (from == kStart) {
      result_.forbid_start(number(to));
    } else if (to == kEnd) {
      result_.forbid_end(number(from));
    } else {
      result_.forbid(number(from), number(to));
    }
  }

  int number(std::string_view label) {
    const std::uint32_t id = labels_.find(label);
    if (id == Alphabet::kUnknown) {
      lines_.fail(fmt::format(
          "there is no label '{}' in the training data; leave the line out, or write {} and {} for "
          "the edges of a sequence",
          label, kStart, kEnd));
    }
    return static_cast<int>(id);
  }

  LineReader lines_;
  const Alphabet& labels_;
  ChainConstraints result_;
};

}  // namespace

ChainConstraints::ChainConstraints(int labels)
    : labels_(labels),
      barriers_(static_cast<std::size_t>(labels) * static_cast<std::size_t>(labels + 2), 0.0) {}

std::optional<std::size_t> ChainConstraints::first_break(
    std::span<const std::int32_t> labels) const {
  const auto is_forbidden = [&](std::int64_t number) { return barriers_[at(number)] != 0.0; };
  if (is_forbidden(start(labels.front()))) return 0;
  for (std::size_t t = 1; t < labels.size(); ++t) {
    if (is_forbidden(pair(labels[t - 1], labels[t]))) return t;
  }
  if (is_forbidden(end(labels.back()))) return labels.size();
  return std::nullopt;
}

ChainScores ChainConstraints::apply(const ChainScores& scores, double* nodes,
                                    std::vector<double>& pairs) const {
  const auto labels = static_cast<std::size_t>(labels_);
  double* last = nodes + static_cast<std::size_t>(scores.length - 1) * labels;
  for (std::size_t k = 0; k < labels; ++k) {
    nodes[k] += barriers_[at(start(0)) + k];
    last[k] += barriers_[at(end(0)) + k];
  }
  const std::size_t square = labels * labels;
  const std::size_t steps =
      scores.pairs_per_position ? static_cast<std::size_t>(scores.length) - 1 : 1;
  pairs.resize(steps * square);
  for (std::size_t t = 0; t < steps; ++t) {
    const double* from = scores.pairs + t * square;
    double* to = pairs.data() + t * square;
    for (std::size_t ab = 0; ab < square; ++ab) to[ab] = from[ab] + barriers_[ab];
  }
  ChainScores result = scores;
  result.nodes = nodes;
  result.pairs = pairs.data();
  return result;
}

bool LabelLists::allow(std::span<const std::int32_t> labels) const {
  for (std::size_t t = 0; t < labels.size() && !empty(); ++t) {
    const auto list = at(t);
    if (!list.empty() && std::find(list.begin(), list.end(), labels[t]) == list.end()) return false;
  }
  return true;
}

namespace {

/// Leaves each position only the labels of its list, if it has one.
void keep_listed(const LabelLists& lists, std::size_t length, std::size_t labels, double* nodes) {
  std::vector<double> kept;
  for (std::size_t t = 0; t < length; ++t, nodes += labels) {
    const auto list = lists.at(t);
    if (list.empty()) continue;
    kept.assign(labels, -std::numeric_limits<double>::infinity());
    for (const std::int32_t k : list) kept[static_cast<std::size_t>(k)] = nodes[k];
    std::copy(kept.begin(), kept.end(), nodes);
  }
}

}  // namespace

ChainScores keep_allowed(const ChainScores& scores, const ChainConstraints* constraints,
                         const LabelLists& lists, ConstraintScratch& scratch) {
  if (constraints == nullptr && lists.empty()) return scores;
  const auto length = static_cast<std::size_t>(scores.length);
  const auto labels = static_cast<std::size_t>(scores.labels);
  if (scores.nodes != scratch.nodes.data()) {
    scratch.nodes.assign(scores.nodes, scores.nodes + length * labels);
  }
  ChainScores result = scores;
  result.nodes = scratch.nodes.data();
  if (!lists.empty()) keep_listed(lists, length, labels, scratch.nodes.data());
  if (constraints == nullptr) return result;
  return constraints->apply(result, scratch.nodes.data(), scratch.pairs);
}

std::vector<std::int64_t> ChainConstraints::numbers() const {
  std::vector<std::int64_t> result;
  for (std::int64_t number = 0; number < num_numbers(); ++number) {
    if (barriers_[at(number)] != 0.0) result.push_back(number);
  }
  return result;
}

ChainConstraints make_constraints(const std::string& rule, const Alphabet& labels) {
  for (const Scheme& scheme : kSchemes) {
    if (rule == scheme.name) return of_scheme(scheme, labels);
  }
  return ConstraintFile(rule, labels).read();
}

}  // namespace gapwise::internal
