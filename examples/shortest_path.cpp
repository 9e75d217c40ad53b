// Learns what hikers avoid. Each map is a grid of terrain with the hike that somebody took; a
// solver of our own finds the cheapest way once it knows what each terrain costs. From the hikes we
// learn costs under which they are cheap ways; they are saved as a model and loaded again.

#include <gapwise/gapwise.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <random>
#include <vector>

namespace {

using gapwise::Corner;
using gapwise::Index;
using gapwise::Weights;

constexpr std::size_t kSize = 12;  // of a map, in cells
constexpr std::array<const char*, 4> kTerrains{"meadow", "forest", "swamp", "rock"};
constexpr std::array<double, 4> kTrueCosts{1.0, 2.0, 5.0, 3.5};
using Cells = std::array<double, kSize * kSize>;

struct Map {
  std::array<std::size_t, kSize * kSize> terrain;
  std::vector<std::size_t> hike;  // cells on the way
};

/// The solver: the cheapest way from the north-west to the south-east by steps south and east.
std::vector<std::size_t> cheapest_way(Cells total) {
  const auto goes_south = [&](std::size_t cell) {
    const bool can_east = cell % kSize + 1 < kSize;
    const bool can_south = cell + kSize < total.size();
    return can_south && (!can_east || total[cell + kSize] < total[cell + 1]);
  };
  for (std::size_t cell = total.size() - 1; cell-- > 0;) {  // costs from here to the end
    total[cell] += total[cell + (goes_south(cell) ? kSize : 1)];
  }
  std::vector<std::size_t> way{0};
  while (way.back() + 1 < total.size()) {
    way.push_back(way.back() + (goes_south(way.back()) ? kSize : 1));
  }
  return way;
}

/// Maps with the hikes of people who see the cost of each cell about right.
std::vector<Map> draw_maps(std::size_t count, std::mt19937& random) {
  std::vector<Map> maps(count);
  for (Map& map : maps) {
    Cells seen;
    for (std::size_t cell = 0; cell < seen.size(); ++cell) {
      map.terrain[cell] = random() % kTerrains.size();
      seen[cell] =
          kTrueCosts[map.terrain[cell]] * (0.9 + 0.2 * static_cast<double>(random()) / 0x1p32);
    }
    map.hike = cheapest_way(seen);
  }
  return maps;
}

}  // namespace

int main() {
  std::mt19937 random(1);
  const std::vector<Map> maps = draw_maps(60, random);

  // w holds the costs, so phi counts the cells of each terrain below zero. Every cell off the hike
  // is an error, which makes it cheaper for the solver that looks for the most violated way.
  const auto argmax = [&](Index i, Weights w, Corner& out) {
    const Map& map = maps[static_cast<std::size_t>(i)];
    Cells errors;
    errors.fill(1.0);
    for (const std::size_t cell : map.hike) errors[cell] = 0.0;
    Cells costs;
    for (std::size_t k = 0; k < costs.size(); ++k) costs[k] = w[map.terrain[k]] - errors[k];
    for (const std::size_t cell : cheapest_way(costs)) {
      out.parts.collect(static_cast<Index>(map.terrain[cell]), 1.0);
      out.loss += errors[cell];
    }
    for (const std::size_t cell : map.hike) {
      out.parts.collect(static_cast<Index>(map.terrain[cell]), -1.0);
    }
  };
  const gapwise::Examples hikes(
      gapwise::make_argmax_problem(std::ssize(maps), std::ssize(kTerrains), argmax));
  gapwise::TrainOptions options;
  options.lambda = gapwise::Lambda::of(0.01);
  const gapwise::Fit fit = gapwise::fit(hikes, options);
  std::printf("%s after %.0f calls of the solver per map\n", name_of(fit.report.reason).data(),
              fit.report.progress.effective_passes());

  const auto place = std::filesystem::temp_directory_path() / "gapwise-hikes.model";
  fit.model.save(place.string());
  const gapwise::Model model = gapwise::load_model(place.string());
  std::filesystem::remove(place);
  std::printf("trained with lambda %s to a gap of %s\n", model.settings().at("lambda").c_str(),
              model.settings().at("gap").c_str());
  const auto more = [](auto w, std::size_t k) { return (w[k] - w[0]) / (w[1] - w[0]); };
  for (std::size_t k = 0; k < kTerrains.size(); ++k) {  // all ways are equally long
    std::printf("%-6s costs %.2f more than meadow, in truth %.2f\n", kTerrains[k],
                more(model.weights(), k), more(kTrueCosts, k));
  }
  const bool is_learned = more(model.weights(), 2) > 3.0;
  return fit.report.reason == gapwise::StopReason::kConverged && is_learned ? 0 : 1;
}
