#include <gtest/gtest.h>
#include <png.h>

#include <filesystem>
#include <numeric>
#include <set>

#include "support/reading.h"
#include "tasks/driver_test.h"
#include "tasks/segmentation/regions/region_features.h"
#include "tasks/segmentation/regions/region_map.h"

namespace gapwise::internal {
namespace {

using Samples = std::vector<std::uint8_t>;

constexpr Index kWidth = 12;
constexpr Index kHeight = 8;

/// Three stripes of four columns: red, green and blue.
std::string stripes() {
  std::string text = "P6\n12 8\n255\n";
  for (Index p = 0; p < kWidth * kHeight; ++p) {
    for (Index c = 0; c < 3; ++c) text += static_cast<char>(p % kWidth / 4 == c ? 200 : 20);
  }
  return text;
}
/// The value of each stripe; the top row has value 0.
std::string map_of(int left, int middle, int right) {
  std::string text = "P5\n12 8\n255\n";
  for (Index p = 0; p < kWidth * kHeight; ++p) {
    const Index stripe = p % kWidth / 4;
    const int value = stripe == 0 ? left : stripe == 1 ? middle : right;
    text += static_cast<char>(p < kWidth ? 0 : value);
  }
  return text;
}

std::string png_of(png_uint_32 format, const Samples& bytes, const Samples& colours = {}) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(kWidth);
  image.height = static_cast<png_uint_32>(kHeight);
  image.format = format;
  image.colormap_entries = static_cast<png_uint_32>(colours.size() / 3);
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image) + 2000;
  std::string file(size, '\0');
  EXPECT_NE(png_image_write_to_memory(&image, file.data(), &size, 0, bytes.data(), 0,
                                      colours.empty() ? nullptr : colours.data()),
            0);
  file.resize(size);
  return file;
}
Samples body(const std::string& netpbm) {
  return {netpbm.begin() + static_cast<std::ptrdiff_t>(netpbm.find("255\n") + 4), netpbm.end()};
}

class LabelMaps : public DriverTest {
 protected:
  LabelMaps() : DriverTest("segmentation") {
    set("scale", "4");
    set("void", "0");
  }
  DataSource images(const std::string& pictures, const std::string& maps) {
    file("x-labels.pgm", maps);
    return file("x.ppm", pictures);
  }
  DataSource good() { return images(stripes() + stripes(), map_of(3, 9, 200) + map_of(3, 9, 200)); }
  ModelRecord model_of(const DataSource& data) {
    const auto set = read(data);
    return set->make_model(perceptron_weights(set->problem(), 30));
  }
};

TEST_F(LabelMaps, LearnAsManyClassesAsThereAre) {
  const DataSource data = good();
  EXPECT_EQ(read(data)->describe(), "2 images, 12 regions, 14 edges and 3 classes");
  const ModelRecord model = model_of(data);
  EXPECT_EQ(model.settings.at("format"), "label-maps");
  EXPECT_EQ(model.lists.at("classes"), (Texts{"3", "9", "200"}));
  const Metrics metrics = evaluate(model, data);
  EXPECT_EQ(find_metric(metrics, "pixel_accuracy")->value, 1.0);
  EXPECT_EQ(find_metric(metrics, "class_accuracy")->value, 1.0);
  EXPECT_EQ(find_metric(metrics, "mean_iou")->value, 1.0);
  EXPECT_EQ(find_metric(metrics, "proven_optimal")->value, 1.0);
  // Pixels that do not count are predicted, too.
  std::string expected = map_of(3, 9, 200);
  for (std::size_t p = 0; p < 12; ++p)
    expected[expected.size() - 96 + p] = expected[expected.size() - 12 + p];
  EXPECT_EQ(predict(model, data), expected + expected);
  const Answers found = answers(model, data);
  EXPECT_EQ(found.outputs[1].numbers[0], 3);
  EXPECT_EQ(found.outputs[1].numbers.back(), 200);
  expect_exchangeable(*read(data), data);
}

TEST_F(LabelMaps, WhatIsVoidCostsNothing) {
  // The left stripe is void: its regions are no part of the problem.
  const DataSource data = images(stripes(), map_of(0, 9, 200));
  const auto set_of = read(data);
  EXPECT_EQ(set_of->describe(), "1 image, 4 regions, 4 edges and 2 classes");
  const FactorGraphs& graphs = *set_of->problem().factor_graphs();
  double sum = 0.0;
  for (Index v = 0; v < 4; ++v)
    sum += graphs.cost(0, v, 1 - graphs.truth(0)[static_cast<std::size_t>(v)]);
  EXPECT_NEAR(sum, 1.0, 1e-15);  // normalized
  set("loss", "hamming");
  // 12 of the 16 pixels of a region in the top row count.
  EXPECT_EQ(read(data)->problem().factor_graphs()->cost(0, 0, 1), 12.0);
  set("void", "");
  EXPECT_EQ(read(data)->describe(), "1 image, 6 regions, 7 edges and 3 classes");
}

TEST_F(LabelMaps, AClassThatTheModelDoesNotKnowIsWrong) {
  const ModelRecord model = model_of(good());
  const DataSource other = images(stripes(), map_of(3, 9, 77));
  EXPECT_NEAR(find_metric(evaluate(model, other), "pixel_accuracy")->value, 2.0 / 3.0, 1e-12);
}

TEST_F(LabelMaps, EdgesCanBeLeftOut) {
  set("pairwise", "no");
  EXPECT_EQ(read(good())->describe(), "2 images, 12 regions, 0 edges and 3 classes");
  set("pairwise", "yes");
  set("neighbours", "8");
  EXPECT_EQ(read(good())->describe(), "2 images, 12 regions, 22 edges and 3 classes");
  set("inference", "lp");
  EXPECT_TRUE(read(good())->problem().is_relaxed());
}

TEST_F(LabelMaps, ArePngFilesAsWell) {
  std::filesystem::create_directory(folder_.path("set"));
  file("set/a.png", png_of(PNG_FORMAT_RGB, body(stripes())));
  file("set/a-labels.png", png_of(PNG_FORMAT_GRAY, body(map_of(3, 9, 200))));
  const DataSource grey{folder_.path("set"), "", ""};
  EXPECT_EQ(read(grey)->describe(), "1 image, 6 regions, 7 edges and 3 classes");
  EXPECT_EQ(model_of(grey).lists.at("classes"), (Texts{"3", "9", "200"}));
  // The numbers of a palette, whatever its colours.
  Samples colours(3 * 16);
  std::iota(colours.rbegin(), colours.rend(), std::uint8_t{60});
  file("set/a-labels.png", png_of(PNG_FORMAT_RGB_COLORMAP, body(map_of(3, 9, 15)), colours));
  EXPECT_EQ(model_of(grey).lists.at("classes"), (Texts{"3", "9", "15"}));
  file("set/a-labels.png", png_of(PNG_FORMAT_RGB, body(stripes())));
  EXPECT_TRUE(testing::says(complaint(grey), "is a label map of colours or of 16 bits"));
}

TEST_F(LabelMaps, AreDrawnInTheColoursOfTheirClasses) {
  std::filesystem::create_directory(folder_.path("set"));
  file("set/a.png", png_of(PNG_FORMAT_RGB, body(stripes())));
  file("set/a-labels.png", png_of(PNG_FORMAT_GRAY, body(map_of(3, 9, 200))));
  const DataSource data{folder_.path("set"), "", ""};
  const ModelRecord model = model_of(data);
  std::filesystem::create_directory(folder_.path("out"));
  driver_->open(model)->draw(data, threads_, folder_.path("out"));
  const std::string bytes = read_file(folder_.path("out/a.png"));
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()), 0);
  EXPECT_EQ(image.width, 4U * 12U * 20U + 3U * 6U);
  png_image_free(&image);
  // The label map beside it is one to learn from.
  std::filesystem::copy_file(folder_.path("set/a.png"), folder_.path("out/a.png"),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(model_of({folder_.path("out"), "", ""}).lists.at("classes"), (Texts{"3", "9", "200"}));
}

TEST_F(LabelMaps, SayWhatIsWrong) {
  EXPECT_EQ(complaint(images(stripes(), map_of(3, 3, 3))),
            "x.ppm: every region is of class 3, so there is nothing to learn; give label maps with "
            "more classes, or take smaller regions with scale");
  EXPECT_EQ(complaint(images(stripes() + stripes(), map_of(3, 9, 5))),
            "x-labels.pgm: ends after 1 image, but x.ppm goes on; there must be one label map for "
            "each image, in the same order");
  DataSource alone = file("alone.ppm", stripes());
  alone.format = "label-maps";
  EXPECT_TRUE(testing::says(complaint(alone), "there are no label maps beside it; put them into "));
  set("void", "0,256");
  EXPECT_TRUE(testing::says(message_of<OptionError>([&] { read(good()); }),
                            "'256' of void is no value of a label map"));
  set("void", "0");
  EXPECT_TRUE(testing::says(
      message_of<OptionError>([&] { read(std::string("graph\nnode 1 a\nnode 0 b\n")); }),
      "void is for format label-maps"));
}

TEST_F(LabelMaps, ModelsThatDoNotFitTogetherAreRefused) {
  const ModelRecord model = model_of(good());
  EXPECT_NO_THROW(driver_->open(model));
  expect_refused(model, [](ModelRecord& bad) { bad.w.pop_back(); });
  expect_refused(model, [](ModelRecord& bad) { bad.lists["classes"] = {"3", "9"}; });
  expect_refused(model, [](ModelRecord& bad) { bad.lists["classes"] = {"9", "3", "200"}; });
  expect_refused(model, [](ModelRecord& bad) { bad.lists["classes"] = {"3", "9", "300"}; });
  expect_refused(model, [](ModelRecord& bad) { bad.settings["void"] = "x"; });
  expect_refused(model, [](ModelRecord& bad) { bad.settings["regions"] = "hexagons"; });
  expect_refused(model, [](ModelRecord& bad) { bad.lists["attributes"].pop_back(); });
}

StackImage image_of(const std::string& ppm) {
  StackImage image;
  image.width = kWidth;
  image.height = kHeight;
  image.channels = 3;
  image.max_value = 255;
  image.samples = body(ppm);
  return image;
}

TEST(Superpixels, FollowTheColoursAndHangTogether) {
  const StackImage image = image_of(stripes());
  const RegionMap map = cut_into_superpixels(image, 3);
  ASSERT_EQ(std::ssize(map.region_of), kWidth * kHeight);
  std::set<std::pair<std::int32_t, Index>> met;  // region and stripe
  for (Index p = 0; p < map.num_pixels(); ++p) {
    met.emplace(map.region_of[static_cast<std::size_t>(p)], p % kWidth / 4);
  }
  EXPECT_EQ(std::ssize(met), map.num_regions);  // none has two colours, none is empty
  EXPECT_GE(map.num_regions, 3);
}

TEST(RegionFeatures, AreHistogramsOfUnitLength) {
  const StackImage image = image_of(stripes());
  const RegionMap map = cut_into_squares(image, 4);
  FeatureRows rows;
  add_region_rows(image, map, 4, std::vector<bool>(6, true), 0.5, rows);
  ASSERT_EQ(rows.num_rows(), 6U);
  const std::vector<std::string> names = region_attribute_names();
  double squares = 0.0;
  for (std::size_t k = 0; k < rows.row(2).size; ++k) {
    ASSERT_LT(rows.row(2).attributes[k], names.size());
    squares += rows.row(2).values[k] * rows.row(2).values[k];
  }
  // Bias, place, and three histograms of three sets, each of length 1, all halved.
  EXPECT_NEAR(squares, 11.0 / 4.0, 1e-12);
}

TEST(RegionEdges, JoinWhatTouches) {
  const StackImage image = image_of(stripes());
  const RegionEdges edges = find_region_edges(image, cut_into_squares(image, 4), 4);
  const std::vector<NodePair> expected{{0, 1}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {4, 5}};
  EXPECT_EQ(edges.ends, expected);
  const std::vector<std::string> names = region_edge_names();
  EXPECT_EQ(names[static_cast<std::size_t>(edges.attributes[0].first)], "across+bias");
  EXPECT_EQ(names[static_cast<std::size_t>(edges.attributes[1].second)],
            "down+relative-contrast/0");
}

}  // namespace
}  // namespace gapwise::internal
