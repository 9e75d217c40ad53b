// A classifier that may give an input several labels at once, trained on plain arrays: which of
// three lamps are on, as seen by five noisy sensors. The lamps share a switch box, so some of them
// are mostly on together, which the pairwise weights of the model learn.

#include <gapwise/gapwise.h>

#include <array>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr std::array<const char*, 3> kLamps{"red", "green", "blue"};
using Readings = std::array<double, 5>;

struct Room {
  Readings readings;
  std::vector<std::string> lamps;
};

std::vector<Room> draw_rooms(std::size_t count, std::mt19937& random) {
  const auto chance = [&] { return static_cast<double>(random()) / 0x1p32; };
  std::vector<Room> rooms(count);
  for (Room& room : rooms) {
    std::array<bool, 3> is_on{};
    is_on[0] = chance() < 0.5;
    is_on[1] = chance() < (is_on[0] ? 0.9 : 0.1);  // mostly with the red one
    is_on[2] = chance() < 0.3;
    for (std::size_t s = 0; s < room.readings.size(); ++s) {
      room.readings[s] = (is_on[s % 3] ? 1.0 : 0.0) + 1.6 * chance() - 0.8;
    }
    for (std::size_t k = 0; k < kLamps.size(); ++k) {
      if (is_on[k]) room.lamps.emplace_back(kLamps[k]);
    }
  }
  return rooms;
}

gapwise::Examples to_examples(const std::vector<Room>& rooms) {
  gapwise::ExampleRows rows("multilabel", {{"bias", "yes"}});
  for (const Room& room : rooms) {
    rows.features(room.readings);
    for (const std::string& lamp : room.lamps) rows.label(lamp);
    rows.end_example();
  }
  return rows.finish();
}

}  // namespace

int main() {
  std::mt19937 random(1);
  const gapwise::Examples train = to_examples(draw_rooms(300, random));
  const gapwise::Examples test = to_examples(draw_rooms(200, random));

  gapwise::TrainOptions options;
  options.lambda = gapwise::Lambda::of(0.01);
  gapwise::FitSettings settings;
  settings.test = test;
  const gapwise::Fit fit = gapwise::fit(train, options, settings);
  for (const gapwise::Metric& metric : *fit.test) {
    std::printf("%-17s %.3f\n", metric.name.c_str(), metric.value);
  }
  const gapwise::Output first = fit.model.predict(test)[0];
  std::printf("the first room:");
  for (const std::string& lamp : first.labels) std::printf(" %s", lamp.c_str());
  std::printf("\n");
  return gapwise::main_metric(*fit.test)->value > 0.8 ? 0 : 1;
}
