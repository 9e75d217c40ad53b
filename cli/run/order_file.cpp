#include "run/order_file.h"

#include <fmt/format.h>

#include <charconv>

#include "io/lines.h"

namespace gapwise::internal::cli {
namespace {

constexpr std::string_view kSeparators = ", \t";

Index parse_example(const LineReader& lines, std::string_view word, Index n) {
  Index number = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, number);
  if (error == std::errc() && stop == end && number >= 1 && number <= n) return number - 1;
  lines.fail(fmt::format("'{}' is not an example number from 1 to {}", word, n));
}

}  // namespace

std::vector<Index> read_order(const std::string& path, Index n) {
  LineReader lines(path);
  std::vector<Index> order;
  std::vector<bool> is_seen(static_cast<std::size_t>(n), false);
  for (std::string_view line; lines.next(line);) {
    for (std::size_t at = 0;;) {
      at = line.find_first_not_of(kSeparators, at);
      if (at == std::string_view::npos) break;
      const std::size_t end = std::min(line.find_first_of(kSeparators, at), line.size());
      const Index example = parse_example(lines, line.substr(at, end - at), n);
      if (is_seen[static_cast<std::size_t>(example)]) {
        lines.fail(fmt::format("example {} comes twice; each must come once", example + 1));
      }
      is_seen[static_cast<std::size_t>(example)] = true;
      order.push_back(example);
      at = end;
    }
  }
  if (std::ssize(order) != n) {
    lines.fail(
        fmt::format("the file ends after {} of {} examples; each must come once", order.size(), n));
  }
  return order;
}

}  // namespace gapwise::internal::cli
