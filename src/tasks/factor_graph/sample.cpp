#include <fmt/format.h>

#include <array>
#include <iterator>

#include "tasks/factor_graph/driver.h"

namespace gapwise::internal {
namespace {

constexpr std::array<std::string_view, 3> kSports{"chess", "football", "tennis"};
constexpr Index kFriends = 5;

/// A noisy guess of which sport it is.
std::string hints_of(std::size_t sport, Rng& rng) {
  std::string text;
  for (std::size_t k = 0; k < kSports.size(); ++k) {
    const double hint = (k == sport ? 1.0 : 0.0) + 2.0 * rng.uniform() - 1.0;
    text += fmt::format(" {}:{:.2f}", kSports[k], hint);
  }
  return text;
}

}  // namespace

std::string sample_factor_graphs(Index examples, Rng& rng) {
  std::string text =
      fmt::format("states friend {}\nstates day rain sun\n", fmt::join(kSports, " "));
  const auto out = std::back_inserter(text);
  for (Index i = 0; i < examples; ++i) {
    const bool is_sunny = rng.uniform() < 0.5;
    std::array<std::size_t, kFriends> likes{};
    for (std::size_t v = 0; v < likes.size(); ++v) {
      const bool goes_along = v > 0 && rng.uniform() < 0.8;
      likes[v] = goes_along ? likes[v - 1] : static_cast<std::size_t>(rng.below(is_sunny ? 3 : 2));
    }
    text += "graph\n";
    for (const std::size_t sport : likes) {
      fmt::format_to(out, "variable friend {} bias{}\n", kSports[sport], hints_of(sport, rng));
    }
    fmt::format_to(out, "variable day {} weight=0.5 bias warm:{:.2f}\n", is_sunny ? "sun" : "rain",
                   (is_sunny ? 1.0 : 0.0) + rng.uniform() - 0.5);
    for (Index v = 1; v <= kFriends; ++v) {
      fmt::format_to(out, "factor pair {} {} bias same=1,0,0,0,1,0,0,0,1\n", v, v % kFriends + 1);
    }
    fmt::format_to(out, "factor meeting 1 3 {} bias\n", kFriends + 1);
  }
  return text;
}

}  // namespace gapwise::internal
