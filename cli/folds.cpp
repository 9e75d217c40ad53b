#include "folds.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <vector>

#include "gapwise/core/errors.h"

namespace gapwise::cli {
namespace {

constexpr int kLastFold = std::numeric_limits<int>::max();

struct FoldRange {
  int first;
  int last;
};

[[noreturn]] void refuse(const std::string& folds) {
  throw OptionError(
      fmt::format("--test-folds '{}' is not a list of folds such as 0 or 1,3,5-7", folds));
}

int parse_fold(const char*& at, const char* end, const std::string& folds) {
  int fold = 0;
  const auto [stop, error] = std::from_chars(at, end, fold);
  if (error != std::errc() || fold < 0) refuse(folds);
  at = stop;
  return fold;
}

std::vector<FoldRange> parse_folds(const std::string& folds) {
  std::vector<FoldRange> ranges;
  const char* at = folds.data();
  const char* const end = at + folds.size();
  for (;; ++at) {
    const int first = parse_fold(at, end, folds);
    int last = first;
    if (at != end && *at == '-') last = parse_fold(++at, end, folds);
    if (last < first) refuse(folds);
    ranges.push_back({first, last});
    if (at == end) return ranges;
    if (*at != ',') refuse(folds);
  }
}

}  // namespace

std::string other_folds(const std::string& folds) {
  std::vector<FoldRange> ranges = parse_folds(folds);
  std::sort(ranges.begin(), ranges.end(),
            [](const FoldRange& a, const FoldRange& b) { return a.first < b.first; });
  std::string out;
  int next = 0;  // first fold not yet decided
  const auto keep = [&](int first, int last) {
    if (first <= last) out += fmt::format("{}{}-{}", out.empty() ? "" : ",", first, last);
  };
  for (const FoldRange& range : ranges) {
    keep(next, range.first - 1);
    if (range.last == kLastFold) return out;
    next = std::max(next, range.last + 1);
  }
  keep(next, kLastFold);
  return out;
}

}  // namespace gapwise::cli
