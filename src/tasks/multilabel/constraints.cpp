#include "tasks/multilabel/constraints.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "io/fields.h"

namespace gapwise::internal {
namespace {

using Fail = std::function<void(const std::string&)>;

constexpr const char* kForms =
    "expected 'implies A B', 'excludes A B ...' or 'at-most N', perhaps with labels behind it";

std::vector<std::size_t> find_labels(const std::vector<std::string_view>& fields, std::size_t first,
                                     const Alphabet& labels, const Fail& fail) {
  std::vector<std::size_t> found;
  for (std::size_t k = first; k < fields.size(); ++k) {
    const std::uint32_t label = labels.find(fields[k]);
    if (label == Alphabet::kUnknown) {
      fail(fmt::format("label '{}' is not in the training data; leave it out", fields[k]));
    }
    if (std::find(found.begin(), found.end(), label) != found.end()) {
      fail(fmt::format("label '{}' is named twice", fields[k]));
    }
    found.push_back(label);
  }
  return found;
}

SetRule parse_rule(const std::vector<std::string_view>& fields, const Alphabet& labels,
                   const Fail& fail) {
  SetRule rule;
  if (fields[0] == "implies" && fields.size() >= 3) {
    rule.kind = SetRule::Kind::kImplies;
    rule.labels = find_labels(fields, 1, labels, fail);
  } else if (fields[0] == "excludes" && fields.size() >= 3) {
    rule.most = 1;
    rule.labels = find_labels(fields, 1, labels, fail);
  } else if (fields[0] == "at-most" && fields.size() >= 2) {
    Index most = 0;
    if (!parse_index(fields[1], most)) {
      fail(fmt::format("'{}' is no number of labels; {}", fields[1], kForms));
    }
    rule.most = static_cast<std::size_t>(most);
    rule.labels = find_labels(fields, 2, labels, fail);
    if (fields.size() == 2) {
      rule.labels.resize(labels.size());
      std::iota(rule.labels.begin(), rule.labels.end(), std::size_t{0});
    }
  } else {
    fail(fmt::format("'{}' is no rule; {}", fmt::join(fields, " "), kForms));
  }
  return rule;
}

}  // namespace

SetConstraints read_set_constraints(const std::string& path, const Alphabet& labels) {
  LineReader lines(path);
  SetConstraints result;
  std::vector<std::string_view> fields;
  while (next_fields(lines, fields)) {
    result.rules.push_back(
        parse_rule(fields, labels, [&](const std::string& what) { lines.fail(what); }));
    result.lines.push_back(fmt::format("{}", fmt::join(fields, " ")));
  }
  if (result.rules.empty()) {
    throw InputError(fmt::format("{}: has no rule; {}", lines.name(), kForms));
  }
  return result;
}

SetConstraints parse_set_constraints(const std::vector<std::string>& lines, const Alphabet& labels,
                                     const Fail& fail) {
  SetConstraints result;
  std::vector<std::string_view> fields;
  for (const std::string& line : lines) {
    split_blanks(line, fields);
    if (fields.empty()) fail("a rule is empty");
    result.rules.push_back(parse_rule(fields, labels, fail));
    result.lines.push_back(line);
  }
  return result;
}

}  // namespace gapwise::internal
