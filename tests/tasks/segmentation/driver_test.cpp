#include "tasks/driver_test.h"

#include <gtest/gtest.h>
#include <png.h>

#include "support/reading.h"

namespace gapwise::internal {
namespace {

/// Two graphs: a path of four nodes, and a single node that stands for three.
constexpr const char* kGraphs =
    "graph 2x2   # a comment\n"
    "node 1 bias light:2\n"
    "node 1 bias light:-0.5\n"
    "\n"
    "node 0 bias light:-2\n"
    "node 0 bias light:-1\n"
    "edge 1 2 near\n"
    "edge 2 4 near alike:0.5\n"
    "edge 3 4 near\n"
    "graph\n"
    "node 0 size=3 bias light:-1e0\n";

/// A PPM image of one colour with a PGM mask.
std::string ppm(int width, int height, char level) {
  return "P6\n" + std::to_string(width) + " " + std::to_string(height) + "\n255\n" +
         std::string(static_cast<std::size_t>(3 * width * height), level);
}
std::string pgm(int width, int height, const std::string& samples) {
  return "P5\n" + std::to_string(width) + " " + std::to_string(height) + "\n1\n" + samples;
}

class SegmentationDriver : public DriverTest {
 protected:
  SegmentationDriver() : DriverTest("segmentation") {}

  DataSource images(const std::string& pictures, const std::string& masks) {
    file("x-mask.pgm", masks);
    return file("x.ppm", pictures);
  }
  static std::vector<double> weights_of(const Problem& problem, double node_weight,
                                        double edge_weight) {
    std::vector<double> w(static_cast<std::size_t>(problem.dimension()), 0.0);
    for (const WeightGroup& group : problem.weight_groups()) {
      for (Index j = group.begin; j < group.end && group.name != "all"; ++j) {
        w[static_cast<std::size_t>(j)] = group.name == "edges" ? edge_weight : node_weight;
      }
    }
    return w;
  }
  static ModelRecord model_of(const TrainingSet& set, double node_weight, double edge_weight) {
    return set.make_model(weights_of(set.problem(), node_weight, edge_weight));
  }
  /// What is predicted of each graph or image of `batches`, as numbers.
  static std::vector<std::vector<Index>> outputs(const Predictor& predictor,
                                                 std::span<const std::unique_ptr<Batch>> batches) {
    std::vector<std::vector<Index>> numbers;
    for (const auto& batch : batches) {
      for (Index i = 0; i < batch->size(); ++i) {
        const Output output = predictor.output(*batch, i);
        EXPECT_TRUE(output.labels.empty());
        numbers.push_back(output.numbers);
      }
    }
    return numbers;
  }
};

TEST_F(SegmentationDriver, DescribesItsData) {
  EXPECT_EQ(read(kGraphs)->describe(),
            "2 graphs, 5 nodes, 3 edges, 2 attributes and 2 edge attributes");
  set("pairwise", "no");
  EXPECT_EQ(read(kGraphs)->describe(),
            "2 graphs, 5 nodes, 0 edges, 2 attributes and 0 edge attributes");
}

TEST_F(SegmentationDriver, PredictsGraphsAndMeasuresThemBySize) {
  const DataSource data = file("data", kGraphs);
  const auto set = read(data);
  // Scores of the nodes: 3, 0.5, -1, 0, then 0. Ties go to the background.
  const ModelRecord alone = model_of(*set, 1.0, 0.0);
  EXPECT_EQ(predict(alone, data), "1\n1\n0\n0\n\n0\n");
  const Metrics metrics = evaluate(alone, data);
  EXPECT_EQ(metrics, (Metrics{{.name = "pixel_accuracy", .value = 1.0, .is_main = true},
                              {.name = "mean_iou", .value = 1.0}}));
  // Strong edges make the whole path foreground: two of seven pixels are wrong.
  const ModelRecord together = model_of(*set, 1.0, 5.0);
  EXPECT_EQ(predict(together, data), "1\n1\n1\n1\n\n0\n");
  const Metrics worse = evaluate(together, data);
  EXPECT_NEAR(worse[0].value, 5.0 / 7.0, 1e-15);
  EXPECT_NEAR(worse[1].value, (3.0 / 5.0 + 2.0 / 4.0) / 2.0, 1e-15);
}

TEST_F(SegmentationDriver, PredictsWithoutLabelsButDoesNotEvaluate) {
  const ModelRecord model = model_of(*read(kGraphs), 1.0, 0.0);
  const DataSource data =
      file("data", "graph\nnode ? light:1 new:7\nnode ? light:-1\nedge 1 2 other\n");
  EXPECT_EQ(predict(model, data), "1\n0\n");
  const std::string message = message_of([&] { evaluate(model, data); });
  EXPECT_NE(message.find("data:2: label '?' must be 0 (background) or 1 (foreground)"),
            std::string::npos);
}

TEST_F(SegmentationDriver, PicksGraphsByNumber) {
  DataSource data = file("data", kGraphs);
  data.folds = "1";
  EXPECT_EQ(read(data)->problem().num_blocks(), 1);
  data.folds = "2";
  EXPECT_EQ(complaint(data),
            "data: every node is background (0), so there is nothing to learn; give nodes of both "
            "labels");
  data.folds = "3-9";
  EXPECT_EQ(
      complaint(data),
      "data: none of its 2 graphs is in folds 3-9; the fold of a graph is its number, from 1");
}

TEST_F(SegmentationDriver, LeavesOutAttributesWithoutWeight) {
  const auto set = read(kGraphs);
  const std::vector<double> w{0.0, 2.0, 0.0, 1.0};
  const ModelRecord model = set->make_model(w);
  EXPECT_EQ(model.lists.at("attributes"), std::vector<std::string>{"light"});
  EXPECT_EQ(model.lists.at("edge-attributes"), std::vector<std::string>{"alike"});
  EXPECT_EQ(model.w, (std::vector<double>{2.0, 1.0}));
  const auto tables = driver_->open(model)->top_weights(3);
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0].title, "nodes");
  EXPECT_EQ(tables[1].rows[0], (std::pair<std::string, double>{"alike", 1.0}));
}

TEST_F(SegmentationDriver, TakesTheWeightsOfItsTrainingSetIfItKeptAllNames) {
  const DataSource data = file("data", kGraphs);
  expect_exchangeable(*read(data), data, {{0, 1, 0, 2}, {-1, 0, 0, 0}, {1, 1, 5, 0}, {0, 0, 0, 0}});
}

TEST_F(SegmentationDriver, KeepsApartGraphsOfDifferentBatches) {
  std::string text;
  std::string expected;
  for (int i = 0; i < 2000; ++i) {
    text += kGraphs;
    expected += i == 0 ? "1\n1\n0\n0\n\n0\n" : "\n1\n1\n0\n0\n\n0\n";
  }
  const DataSource data = file("data", text);
  const auto predictor = driver_->open(model_of(*read(kGraphs), 1.0, 0.0));
  const auto batches = predictor->read(data, Purpose::kPredict);
  EXPECT_GT(batches.size(), 2U);
  std::ostringstream out;
  predictor->predict(data, threads_, [&](std::string_view part) { out << part; });
  EXPECT_EQ(out.str(), expected);
}

TEST_F(SegmentationDriver, TellsTheLabelsOfNodesAndPixels) {
  const DataSource graphs = file("data", kGraphs);
  const auto predictor = driver_->open(model_of(*read(graphs), 1.0, 0.0));
  auto batches = predictor->read(graphs, Purpose::kPredict);
  predictor->evaluate(batches, threads_);
  using Numbers = std::vector<std::vector<Index>>;
  EXPECT_EQ(outputs(*predictor, batches), (Numbers{{1, 1, 0, 0}, {0}}));

  set("scale", "2");
  const DataSource pictures = images(ppm(3, 1, 'a'), pgm(3, 1, std::string("\1\0\0", 3)));
  const auto painter = driver_->open(model_of(*read(pictures), 1.0, 1.0));
  batches = painter->read(pictures, Purpose::kPredict);
  painter->evaluate(batches, threads_);
  EXPECT_EQ(outputs(*painter, batches), (Numbers{{1, 1, 1}}));
}

TEST_F(SegmentationDriver, PredictsNothingOfNothing) {
  const ModelRecord model = model_of(*read(kGraphs), 1.0, 0.0);
  EXPECT_EQ(predict(model, ""), "");
  EXPECT_EQ(predict(model, "# no graphs\n"), "");
  EXPECT_NE(message_of([&] { evaluate(model, ""); }).find("test: is empty"), std::string::npos);
  const DataSource data = images(ppm(2, 1, 'a'), pgm(2, 1, std::string("\1\0", 2)));
  const ModelRecord pixels = model_of(*read(data), 1.0, 1.0);
  EXPECT_EQ(predict(pixels, file("none.ppm", "")), "");
}

TEST_F(SegmentationDriver, KnowsItsFilesBySight) {
  Rng rng(1);
  EXPECT_TRUE(driver_->looks_familiar(driver_->sample(2, rng)));
  EXPECT_TRUE(driver_->looks_familiar(kGraphs));
  EXPECT_TRUE(driver_->looks_familiar("# a comment\r\n\r\ngraph 2x2\r\nnode ? bias\r\n"));
  EXPECT_TRUE(driver_->looks_familiar(ppm(3, 2, 'a')));
  EXPECT_TRUE(driver_->looks_familiar("P6 3 2 255\n\n\n"));
  for (const std::string_view task : task_names()) {
    if (task == "segmentation") continue;
    EXPECT_FALSE(driver_->looks_familiar(make_task_driver(task)->sample(5, rng))) << task;
  }
  for (const char* text : {"", "\n", "graph\n", "graph NN B-NP\nnode NN I-NP\n", "P6 CD O\n. . O\n",
                           "graph G\nnode 3\n", "1 1:2\n0 1:3\n"}) {
    EXPECT_FALSE(driver_->looks_familiar(text)) << text;
  }
}

TEST_F(SegmentationDriver, SaysWhatIsWrongInGraphFiles) {
  const auto expect = [&](const std::string& text, const std::string& part) {
    EXPECT_TRUE(testing::says(complaint(text), part));
  };
  EXPECT_EQ(complaint(""),
            "train: is empty; expected 'graph [WxH]', 'node LABEL [size=S] "
            "feature:value ...' or 'edge U V feature:value ...' on each line");
  expect("node 1 a\n", "train:1: 'node' before the first 'graph' line");
  expect("graph\nnodes 1\n", "train:2: the line starts with 'nodes'");
  expect("graph\nnode 2 a\n", "train:2: label '2' must be 0");
  expect("graph\nnode\n", "train:2: the node has no label");
  EXPECT_EQ(complaint("graph\nnode 1 a\nnode 0 a\nedge 1 3 b\n"),
            "train:4: an edge to node 3, but graph 1 has 2 nodes so far; list nodes before their "
            "edges");
  EXPECT_EQ(complaint("graph\nnode 1 a\nedge 0 1 b\n"),
            "train:3: '0' is not the number of a node; they are numbered from 1");
  expect("graph\nnode 1 a\nedge -1 1 b\n", "'-1' is not the number");
  expect("graph\nnode 1 a\nedge 1 1 b\n", "joins node 1 to itself");
  expect("graph\nnode 1 a\nedge 1\n", "the edge needs two nodes");
  expect("graph\nnode 1 a:x\n", "value 'x' of feature 'a' is not a number");
  expect("graph\nnode 1 a:nan\n", "must be finite");
  expect("graph\nnode 1 :1\n", "no name before the colon");
  expect("graph\nnode 1 a\nnode 0 a\nedge 1 2 b:-1\n", "is negative");
  expect("graph\nnode 1 size=2 a size=3\n", "'size=3' must come once");
  expect("graph 1x1 foo\nnode 1 a\n", "'1x1 foo' is not the width");
  expect("graph\nnode 1 size=0 a\n", "size '0' must be a number from 1e-100");
  expect("graph 2x2\nnode 1 a\n", "makes 4 nodes, but 1 are listed");
  expect("graph 2x\n", "is not the width and height");
  expect("graph\ngraph\n", "graph 1 has no nodes");
  expect("P6\n1 1\n255\nabc", "read it with format images");
}

TEST_F(SegmentationDriver, ReadsImagesWithTheirMasks) {
  const std::string masks = pgm(3, 2, std::string("\1\1\0\1\0\0", 6)) + pgm(2, 2, "\1\1\1\1");
  const DataSource data = images(gzip(ppm(3, 2, 'a') + ppm(2, 2, 'z')), gzip(masks));
  const auto set = read(data);
  EXPECT_EQ(set->describe(), "2 images, 10 nodes, 11 edges, 825 attributes and 26 edge attributes");
  const ModelRecord model = model_of(*set, 1.0, 1.0);
  EXPECT_EQ(predict(model, data), pgm(3, 2, "\1\1\1\1\1\1") + pgm(2, 2, "\1\1\1\1"));
  EXPECT_NEAR(evaluate(model, data)[0].value, 0.7, 1e-15);
  // The masks may be missing where nothing is learned or measured.
  EXPECT_EQ(predict(model, file("other.ppm", ppm(1, 1, 'q'))), pgm(1, 1, "\1"));
}

TEST_F(SegmentationDriver, MeasuresSinglePixelsWhateverTheScale) {
  set("scale", "2");
  set("neighbours", "8");
  const DataSource data = images(ppm(3, 3, 'a'), pgm(3, 3, std::string("\1\0\0\1\1\0\0\0\1", 9)));
  const auto set = read(data);
  EXPECT_EQ(set->describe(), "1 image, 4 nodes, 6 edges, 825 attributes and 39 edge attributes");
  const ModelRecord model = model_of(*set, 1.0, 1.0);
  EXPECT_EQ(predict(model, data), pgm(3, 3, std::string(9, '\1')));
  EXPECT_NEAR(evaluate(model, data)[0].value, 4.0 / 9.0, 1e-15);
}

TEST_F(SegmentationDriver, SaysWhatIsWrongInImages) {
  const std::string good_mask = pgm(2, 1, "\1\1");
  const auto image_error = [&](const std::string& pictures, const std::string& masks) {
    return complaint(images(pictures, masks));
  };
  EXPECT_EQ(image_error(ppm(2, 1, 'a'), pgm(1, 2, "\1\1")),
            "x-mask.pgm: mask 1 is 1x2, but image 1 of x.ppm is 2x1; make them the same size");
  EXPECT_EQ(image_error(ppm(2, 1, 'a') + ppm(2, 1, 'b'), good_mask),
            "x-mask.pgm: ends after 1 image, but x.ppm goes on; there must be one mask for each "
            "image, in the same order");
  EXPECT_EQ(image_error(ppm(2, 1, 'a').substr(0, 15), good_mask),
            "x.ppm: image 1, byte 15: the file ends after 4 of the 6 bytes of a 2x1 image; copy it "
            "again");
  EXPECT_EQ(image_error("P6\n2 1\n65535\n", good_mask),
            "x.ppm: image 1, byte 12: maxval 65535 means two bytes a sample; convert the image to "
            "maxval 255");
  EXPECT_NE(image_error("P6\n0 1\n255\n", good_mask).find("byte 4: the width is 0"),
            std::string::npos);
  EXPECT_NE(image_error("P6\n2 x\n255\n", good_mask).find("'x' where the height should be"),
            std::string::npos);
  EXPECT_NE(image_error("P6\n2 999999\n255\n", good_mask).find("the height is more than 65535"),
            std::string::npos);
  EXPECT_NE(image_error("P6\n60000 60000\n255\n", good_mask).find("make the image smaller"),
            std::string::npos);
  EXPECT_NE(image_error("P3\n2 1\n255\n", good_mask).find("'P' and '3' instead of 'P6'"),
            std::string::npos);
  EXPECT_NE(image_error(ppm(2, 1, 'a') + "\n", good_mask).find("image 2, byte 18: the byte 10"),
            std::string::npos);
  EXPECT_EQ(image_error(ppm(2, 1, 'a'), pgm(2, 1, "\1\2")),
            "x-mask.pgm: image 1, byte 10: a sample is 2, more than maxval 1; write the image "
            "again");
  EXPECT_EQ(image_error("", ""), "x.ppm: is empty; expected binary PPM images one after the other");
  EXPECT_EQ(complaint(file("alone.ppm", ppm(1, 1, 'a'))),
            "alone.ppm: there are no masks beside it; put them into alone-mask.pgm or "
            "alone-mask.pgm.gz, one for each image");
}

TEST_F(SegmentationDriver, DrawsPicturesOfImagesAndOfGraphsThatHaveAShape) {
  const auto size_of = [&](const std::string& name) {
    const std::string bytes = read_file(folder_.path(name));
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()), 0);
    const std::pair size{image.width, image.height};
    png_image_free(&image);
    return size;
  };
  const DataSource data = images(ppm(3, 2, 'a'), pgm(3, 2, std::string("\1\1\0\1\0\0", 6)));
  const ModelRecord model = model_of(*read(data), 1.0, 1.0);
  driver_->open(model)->draw(data, threads_, folder_.path(""));
  EXPECT_EQ(size_of("00001.png"), (std::pair{3U * 240U + 12U, 160U}));

  const auto set = read(kGraphs);
  DataSource graphs = file("data", kGraphs);
  graphs.folds = "1";
  const auto predictor = driver_->open(model_of(*set, 1.0, 0.0));
  predictor->draw(graphs, threads_, folder_.path(""));
  EXPECT_EQ(size_of("00001.png"), (std::pair{3U * 160U + 12U, 160U}));
  graphs.folds = "2";
  EXPECT_NE(message_of([&] {
              predictor->draw(graphs, threads_, folder_.path(""));
            }).find("graph 2 has no shape to draw"),
            std::string::npos);
}

TEST_F(SegmentationDriver, RefusesModelsThatDoNotFitTogether) {
  const ModelRecord good = model_of(*read(kGraphs), 1.0, 1.0);
  const auto refuses = [&](auto spoil) { expect_refused(good, spoil); };
  EXPECT_NO_THROW(driver_->open(good));
  refuses([](ModelRecord& m) { m.task = "sequence"; });
  refuses([](ModelRecord& m) { m.w.pop_back(); });
  refuses([](ModelRecord& m) { m.w.back() = -0.1; });
  refuses([](ModelRecord& m) { m.settings["format"] = "images"; });
  refuses([](ModelRecord& m) { m.settings["format"] = "other"; });
  refuses([](ModelRecord& m) { m.settings.erase("pairwise"); });
  refuses([](ModelRecord& m) { m.lists["attributes"] = {"bias", "bias"}; });
  DataSource data = file("data", kGraphs);
  data.format = "images";
  EXPECT_THROW(predict(good, data), OptionError);
}

/// Pictures of shapes that the program makes itself: neighbours tell what single pixels do not.
TEST_F(SegmentationDriver, EdgesHelpOnSamplesOfItsOwn) {
  Rng rng(3);
  const DataSource data = file("data", driver_->sample(12, rng));
  const auto accuracy = [&](double edge_weight) {
    const auto set = read(data);
    // Red is foreground, blue is background.
    const std::vector<double> w{0.0, 4.0, 0.0, -4.0, edge_weight, edge_weight};
    return evaluate(set->make_model(w), data)[0].value;
  };
  const double alone = accuracy(0.0);
  EXPECT_GT(alone, 0.6);
  EXPECT_GT(accuracy(1.0), alone + 0.1);
}

}  // namespace
}  // namespace gapwise::internal
