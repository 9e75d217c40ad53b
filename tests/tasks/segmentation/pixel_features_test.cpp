#include "tasks/segmentation/pixel_features.h"

#include <gtest/gtest.h>

#include <set>

#include "core/random.h"

namespace gapwise::internal {
namespace {

PixelGrid random_grid(Index width, Index height, std::uint64_t seed) {
  Rng rng(seed);
  PixelGrid grid{width, height, {}};
  for (Index pixel = 0; pixel < width * height; ++pixel) {
    grid.colours.push_back({rng.uniform(), rng.uniform(), rng.uniform()});
  }
  return grid;
}

/// The names of the attributes of one row.
std::set<std::string> names_of(const FeatureRows& rows, std::size_t r,
                               const std::vector<std::string>& names) {
  std::set<std::string> found;
  const FeatureRow row = rows.row(r);
  for (std::size_t f = 0; f < row.size; ++f) found.insert(names.at(row.attributes[f]));
  return found;
}

TEST(PixelFeatures, GiveEveryPixelOneBinOfEachCue) {
  const std::vector<std::string> names = pixel_attribute_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  for (const auto& [width, height] : {std::pair<Index, Index>{1, 1}, {1, 7}, {40, 3}, {30, 25}}) {
    FeatureRows rows;
    add_pixel_rows(random_grid(width, height, 1), rows);
    ASSERT_EQ(rows.num_rows(), static_cast<std::size_t>(width * height));
    ASSERT_TRUE(rows.is_binary());
    for (std::size_t r = 0; r < rows.num_rows(); ++r) {
      std::set<std::string> cues;
      for (const std::string& name : names_of(rows, r, names)) {
        cues.insert(name.substr(0, name.find('/')));
      }
      ASSERT_EQ(cues.size(), 11U);
      ASSERT_EQ(rows.row(r).size, 11U);
    }
  }
}

TEST(PixelFeatures, TellAnObjectFromTheFrameAndPlacesFromEachOther) {
  PixelGrid grid{20, 20, std::vector<Colour>(400, Colour{0.2, 0.3, 0.2})};
  for (Index y = 7; y < 13; ++y) {
    for (Index x = 7; x < 13; ++x) {
      grid.colours[static_cast<std::size_t>(20 * y + x)] = {0.9, 0.5, 0.2};
    }
  }
  FeatureRows rows;
  add_pixel_rows(grid, rows);
  const auto names = pixel_attribute_names();
  const auto object = names_of(rows, 10 * 20 + 10, names);
  const auto corner = names_of(rows, 0, names);
  EXPECT_TRUE(object.contains("place/55"));
  EXPECT_TRUE(object.contains("unlike-frame/7"));
  EXPECT_TRUE(object.contains("unlike-row/5"));
  EXPECT_TRUE(object.contains("texture/0"));
  EXPECT_TRUE(corner.contains("place/0"));
  EXPECT_TRUE(corner.contains("unlike-frame/3"));
  EXPECT_TRUE(corner.contains("unlike-row/0"));
  // At the border of the object a third of the window is outside: 0.3 sqrt(2/9) = 0.14.
  EXPECT_TRUE(names_of(rows, 10 * 20 + 7, names).contains("fine-texture/4"));
}

TEST(PixelFeatures, JoinPixelsThatTouch) {
  const PixelGrid grid = random_grid(4, 3, 2);
  for (const Index neighbours : {4, 8}) {
    const auto names = pixel_edge_names(neighbours);
    std::vector<NodePair> ends;
    FeatureRows rows;
    add_pixel_edges(grid, neighbours, ends, rows);
    const std::size_t along_sides = 3 * 3 + 4 * 2;
    EXPECT_EQ(ends.size(), along_sides + (neighbours == 8 ? 2 * 3 * 2 : 0));
    EXPECT_EQ(rows.num_rows(), ends.size());
    std::set<NodePair> distinct;
    for (std::size_t e = 0; e < ends.size(); ++e) {
      const auto [u, v] = ends[e];
      EXPECT_TRUE(distinct.insert({std::min(u, v), std::max(u, v)}).second);
      const int across = std::abs(u % 4 - v % 4);
      const int down = std::abs(u / 4 - v / 4);
      EXPECT_TRUE(across <= 1 && down <= 1 && (across + down == 1 || neighbours == 8));
      const std::string kind = across + down == 2 ? "diagonal" : across == 1 ? "across" : "down";
      for (const std::string& name : names_of(rows, e, names)) {
        EXPECT_TRUE(name.starts_with(kind + "+")) << name;
      }
      EXPECT_EQ(rows.row(e).size, 2U);
    }
  }
}

TEST(PixelFeatures, TakeEqualColoursForNoContrast) {
  const PixelGrid grid{2, 1, std::vector<Colour>(2, Colour{0.5, 0.5, 0.5})};
  std::vector<NodePair> ends;
  FeatureRows rows;
  add_pixel_edges(grid, 4, ends, rows);
  EXPECT_EQ(names_of(rows, 0, pixel_edge_names(4)),
            (std::set<std::string>{"across+contrast/0", "across+relative-contrast/0"}));
}

}  // namespace
}  // namespace gapwise::internal
