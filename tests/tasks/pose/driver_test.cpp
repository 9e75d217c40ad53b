#include "tasks/driver_test.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <sstream>

#include "gapwise/train.h"
#include "support/reading.h"

namespace gapwise::internal {
namespace {

constexpr const char* kHead =
    "grid 4x3\n"
    "joint neck      # the root\n"
    "joint hip neck\n"
    "torso neck hip\n";
constexpr const char* kFigures =
    "figure\n"
    "at neck 1 0\n"
    "at hip 1.25 2\n"
    "cell 1 2 h:2 n:0.5\n"
    "cell 1 0 n:1\n"
    "\n"
    "figure\n"
    "at hip 3 2\n"
    "at neck 3.4 0\n"
    "cell 3 2 h:1\n"
    "cell 3 0 n:2\n";

class PoseDriver : public DriverTest {
 protected:
  PoseDriver() : DriverTest("pose") {}

  void expect_complaint(const std::string& text, const std::string& part) {
    const std::string message = complaint(file("data", text));
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
};

/// Every joint looks at the map of its initial.
const std::vector<double> kGoodWeights{0, 1, 1, 0, 0, 0, 0, 0};

TEST_F(PoseDriver, ReadsFiguresAndFindsTheirJoints) {
  const DataSource data = file("data", std::string(kHead) + kFigures);
  const auto training = read(data);
  EXPECT_EQ(training->describe(), "2 figures, 2 joints, 2 score maps on a grid of 4x3");
  ASSERT_EQ(training->problem().dimension(), 8);
  const ModelRecord model = training->make_model(kGoodWeights);
  EXPECT_EQ(predict(model, data),
            "figure\nat neck 1 0\nat hip 1 2\nfigure\nat neck 3 0\nat hip 3 2\n");
  const Metrics metrics = evaluate(model, data);
  ASSERT_EQ(metrics.size(), 2U);
  EXPECT_EQ(metrics[0], (Metric{.name = "pdj", .value = 1.0, .is_main = true}));
  EXPECT_EQ(metrics[1].name, "mean_distance");
  EXPECT_EQ(metrics[1].better, Better::kLower);
  EXPECT_NEAR(metrics[1].value, (0.25 / std::hypot(0.25, 2) + 0.4 / std::hypot(0.4, 2)) / 4, 1e-12);
}

TEST_F(PoseDriver, PredictsFiguresWithoutJointsAndIgnoresUnknownMaps) {
  const ModelRecord model = read(std::string(kHead) + kFigures)->make_model(kGoodWeights);
  const std::string text = std::string(kHead) + "figure\ncell 2 1 h:1 other:9\ncell 0 0 n:1\n";
  EXPECT_EQ(predict(model, text), "figure\nat neck 0 0\nat hip 2 1\n");
  EXPECT_NE(message_of([&] { evaluate(model, text); }).find("without a place of joint 'neck'"),
            std::string::npos);
}

TEST_F(PoseDriver, TakesTheWeightsOfItsTrainingSet) {
  const DataSource data = file("data", std::string(kHead) + kFigures);
  expect_exchangeable(*read(data), data,
                      {kGoodWeights, {1, 0, 0, 1, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0, 3, 3}});
}

TEST_F(PoseDriver, TellsTheCellsOfJoints) {
  const DataSource data = file("data", std::string(kHead) + kFigures);
  const auto predictor = driver_->open(read(data)->make_model(kGoodWeights));
  const auto batches = predictor->read(data, Purpose::kEvaluate);
  predictor->evaluate(batches, threads_);
  std::vector<std::vector<Index>> found;
  for (const auto& batch : batches) {
    for (Index i = 0; i < batch->size(); ++i) found.push_back(predictor->output(*batch, i).numbers);
  }
  EXPECT_EQ(found, (std::vector<std::vector<Index>>{{1, 0, 1, 2}, {3, 0, 3, 2}}));
}

TEST_F(PoseDriver, PredictsNothingOfNothing) {
  const ModelRecord model = read(std::string(kHead) + kFigures)->make_model(kGoodWeights);
  for (const char* text : {"", "\n", "# nothing\n", kHead}) EXPECT_EQ(predict(model, text), "");
  const auto refusal = [&](const std::string& text) {
    return message_of([&] { evaluate(model, text); });
  };
  EXPECT_NE(refusal("").find("test: is empty; expected 'grid WIDTHxHEIGHT'"), std::string::npos);
  EXPECT_NE(refusal(kHead).find("test: holds no figures"), std::string::npos);
  EXPECT_NE(message_of([&] { predict(model, "grid 4x3\n"); }).find("there are no joints"),
            std::string::npos);
}

TEST_F(PoseDriver, TakesTheFiguresOfTheFolds) {
  DataSource data = file("data", std::string(kHead) + kFigures);
  data.folds = "2";
  EXPECT_EQ(read(data)->problem().num_blocks(), 1);
  data.folds = "7";
  EXPECT_EQ(complaint(data),
            "data: none of its figures is in folds 7; the fold of a figure is its number, from 1");
}

TEST_F(PoseDriver, KeepsWhatAModelNeedsInItsFile) {
  set("pdj-threshold", "0.5");
  const DataSource data = file("data", std::string(kHead) + kFigures);
  const auto training = read(data);
  save_model(training->make_model(kGoodWeights), folder_.path("model"));
  const ModelRecord model = load_model(folder_.path("model"));
  EXPECT_EQ(predict(model, data), predict(training->make_model(kGoodWeights), data));
  EXPECT_EQ(model.setting("pdj-threshold"), "0.5");
  const auto tables = driver_->open(model)->top_weights(5);
  ASSERT_EQ(tables.size(), 4U);
  EXPECT_EQ(tables[1].title, "maps of joint hip");
  EXPECT_EQ(tables[1].rows, (std::vector<std::pair<std::string, double>>{{"h", 1.0}}));
}

TEST_F(PoseDriver, LeavesOutTheSpringsIfAsked) {
  set("pairwise", "no");
  EXPECT_EQ(read(std::string(kHead) + kFigures)->problem().dimension(), 4);
}

TEST_F(PoseDriver, ComplainsAboutBadHeads) {
  expect_complaint("", "data: is empty; expected 'grid WIDTHxHEIGHT'");
  expect_complaint("# nothing\n", "data:1: the figures begin, but there is no grid");
  expect_complaint("grid 4x3\nfigure\n", "data:2: the figures begin, but there are no joints");
  expect_complaint("grid 4x3\njoint a\nfigure\n",
                   "data:3: the figures begin, but there is no torso");
  for (const char* grid : {"", "4", "0x3", "4x0", "x", "4x-3", "40000x2", "4x3 1"}) {
    expect_complaint(std::string("grid ") + grid + "\n", "data:1: '");
  }
  expect_complaint("grid 4x3\ngrid 4x3\n", "data:2: a second 'grid' line");
  expect_complaint("grid 9000x9000\njoint a\njoint b a\ntorso a b\nfigure\n",
                   "data: 2 joints on 81000000 cells are more than 16777216 places; use a coarser");
  expect_complaint("joint a b\n", "data:1: the first joint 'a' hangs on 'b'; begin with the root");
  expect_complaint("joint a\njoint b\n", "data:2: joint 'b' hangs on none");
  expect_complaint("joint a\njoint a a\n", "data:2: joint 'a' is named twice");
  expect_complaint("joint a\njoint b c\n", "data:2: 'c' is not one of the joints so far (a)");
  expect_complaint("joint a b c\n", "data:1: 4 fields; expected 'joint NAME'");
  expect_complaint("joint a\ntorso a\n", "data:2: expected 'torso JOINT JOINT'");
  expect_complaint("joint a\ntorso a a\n", "data:2: the torso goes from 'a' to itself");
  expect_complaint("joint a\njoint b a\ntorso a b\ntorso b a\n", "data:4: a second 'torso' line");
  expect_complaint("cell 1 1\n", "data:1: 'cell' before the first figure");
  expect_complaint(kHead, "data: holds no figures; expected a line 'figure' for each");
}

TEST_F(PoseDriver, ComplainsAboutBadFigures) {
  const auto expect = [&](const std::string& lines, const std::string& part) {
    expect_complaint(std::string(kHead) + "figure\n" + lines, part);
  };
  expect("at neck 4 0\n", "data:6: x = '4' of joint 'neck' is outside the grid of 4x3 cells");
  expect("at neck 0 2.5\n", "data:6: y = '2.5' of joint 'neck' is outside the grid");
  expect("at neck -0.6 0\n", "data:6: x = '-0.6'");
  expect("at neck nan 0\n", "data:6: x = 'nan'");
  expect("at neck 1 inf\n", "data:6: y = 'inf'");
  expect("at neck 1\n", "data:6: 3 fields; expected 'at JOINT X Y'");
  expect("at foot 1 1\n", "data:6: 'foot' is not one of the joints so far (neck, hip)");
  expect("at neck 1 1\nat neck 1 1\n", "data:7: joint 'neck' of figure 1 is placed twice");
  expect("at neck 1 1\n", "data:6: figure 1 ends here without a place of joint 'hip'");
  expect("at neck 1 1\nfigure\n", "data:7: figure 1 ends here without a place of joint 'hip'");
  expect("cell 4 0 a:1\n", "data:6: column '4' must be a whole number from 0 to 3");
  expect("cell 0 3 a:1\n", "data:6: row '3' must be a whole number from 0 to 2");
  expect("cell 0 -1 a:1\n", "data:6: row '-1'");
  expect("cell 0\n", "data:6: the line has no place");
  expect("cell 0 0 a\n", "data:6: 'a' is not a value of a score map; expected map:value");
  expect("cell 0 0 :1\n", "data:6: ':1' is not a value");
  for (const char* value : {"nan", "inf", "x", "1e200", ""}) {
    expect(std::string("cell 0 0 a:") + value + "\n",
           std::string("data:6: value '") + value + "' of map 'a' must be a finite number");
  }
  expect("joint foot hip\n", "data:6: the line starts with 'joint'");
}

TEST_F(PoseDriver, RefusesDataOfAnotherSkeletonThanTheModel) {
  const ModelRecord model = read(std::string(kHead) + kFigures)->make_model(kGoodWeights);
  const auto refusal = [&](const std::string& text) {
    return message_of([&] { predict(model, text); });
  };
  EXPECT_NE(refusal("grid 5x3\njoint neck\njoint hip neck\ntorso neck hip\nfigure\n")
                .find("a grid of 5x3 cells, but the model"),
            std::string::npos);
  EXPECT_NE(refusal("grid 4x3\njoint neck\njoint foot neck\ntorso neck foot\nfigure\n")
                .find("the joints (neck, foot)"),
            std::string::npos);
}

TEST_F(PoseDriver, RefusesModelsThatDoNotFitTogether) {
  const ModelRecord good = read(std::string(kHead) + kFigures)->make_model(kGoodWeights);
  EXPECT_NO_THROW(driver_->open(good));
  const auto refuses = [&](auto spoil) { expect_refused(good, spoil); };
  refuses([](ModelRecord& model) { model.task = "sequence"; });
  refuses([](ModelRecord& model) { model.settings.erase("loss"); });
  refuses([](ModelRecord& model) { model.settings["format"] = "graph"; });
  refuses([](ModelRecord& model) { model.settings["format"] = "joints"; });
  refuses([](ModelRecord& model) { model.settings["pdj-threshold"] = "nan"; });
  refuses([](ModelRecord& model) { model.settings["grid-width"] = "0"; });
  refuses([](ModelRecord& model) {
    model.settings["grid-width"] = "32768";
    model.settings["grid-height"] = "32768";
  });
  refuses([](ModelRecord& model) { model.settings["pairwise"] = "no"; });
  refuses([](ModelRecord& model) { model.lists["joints"].pop_back(); });
  refuses([](ModelRecord& model) { model.lists["joints"][1] = "neck"; });
  refuses([](ModelRecord& model) { model.lists["maps"][1] = model.lists["maps"][0]; });
  refuses([](ModelRecord& model) { model.lists["rest"].pop_back(); });
  refuses([](ModelRecord& model) { model.lists["rest"][1] = "1 2 3"; });
  refuses([](ModelRecord& model) { model.lists["rest"][1] = "1 0 1 1"; });
  refuses([](ModelRecord& model) { model.numbers["parents"] = {-1, -1}; });
  refuses([](ModelRecord& model) { model.numbers["parents"] = {-1, 7}; });
  refuses([](ModelRecord& model) { model.numbers["torso"] = {0, 2}; });
  refuses([](ModelRecord& model) { model.numbers["torso"] = {-1, 1}; });
  refuses([](ModelRecord& model) { model.w.pop_back(); });
  refuses([](ModelRecord& model) { model.w.back() = -1.0; });
}

/// The header of the joints file, and a line for a person whose joint j is at (x + 10 j, 5 j).
std::string person_header() {
  std::string text = "image";
  for (const char* name :
       {"r_ankle", "r_knee", "r_hip", "l_hip", "l_knee", "l_ankle", "r_wrist", "r_elbow",
        "r_shoulder", "l_shoulder", "l_elbow", "l_wrist", "neck", "head_top"}) {
    for (const char* suffix : {"_x", "_y", "_flag"}) text += std::string(",") + name + suffix;
  }
  return text + "\n";
}
std::string person(const std::string& name, int x) {
  std::string text = name;
  for (int j = 0; j < 14; ++j) {
    text += "," + std::to_string(x + 10 * j) + "," + std::to_string(5 * j) + "," +
            std::to_string(j % 2);
  }
  return text + "\n";
}

TEST_F(PoseDriver, MakesTheSameMapsForAPersonWhicheverOthersAreRead) {
  set("grid", "16");
  DataSource data = file("data", person_header() + person("a", 0) + person("b", 300));
  const auto both = read(data);
  data.folds = "2";
  const auto second = read(data);
  EXPECT_EQ(both->describe(), "2 figures, 14 joints, 14 score maps on a grid of 16x16");
  const auto scores = [](const Problem& problem, Index i) {
    std::vector<double> w(static_cast<std::size_t>(problem.dimension()), 0.0);
    Rng rng(1);
    for (double& x : w) x = rng.uniform();
    PartScores theta;
    problem.make_oracle()->score(i, w, theta);
    return std::vector<double>(theta.values().begin(), theta.values().end());
  };
  EXPECT_EQ(scores(both->problem(), 1), scores(second->problem(), 0));
  EXPECT_NE(scores(both->problem(), 0), scores(both->problem(), 1));
  set("map-seed", "2");
  data.folds = "";
  EXPECT_NE(scores(read(data)->problem(), 0), scores(both->problem(), 0));
}

/// With detectors that never err, each joint is where its own map is largest.
TEST_F(PoseDriver, PerfectMapsGiveTheJointsBackInPixels) {
  set("grid", "64");
  set("map-noise", "0");
  set("map-misses", "0");
  set("map-distractors", "0");
  set("pairwise", "no");
  const DataSource data = file("data", person_header() + person("a", 100));
  const auto training = read(data);
  std::vector<double> w(static_cast<std::size_t>(training->problem().dimension()), 0.0);
  for (std::size_t j : {12U, 13U}) w[j * 14 + j] = 1.0;  // neck and head have no mirror image
  const std::string line = predict(training->make_model(w), data);
  EXPECT_TRUE(line.starts_with("a,"));
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  ASSERT_EQ(fields.size(), 43U);
  EXPECT_NEAR(std::stod(fields[37]), 220.0, 1.5);
  EXPECT_NEAR(std::stod(fields[38]), 60.0, 1.5);
  EXPECT_NEAR(std::stod(fields[40]), 230.0, 1.5);
  EXPECT_EQ(fields[42], "1\n");
}

TEST_F(PoseDriver, PredictsNothingOfAJointFileWithoutPeople) {
  set("grid", "16");
  const auto training = read(person_header() + person("a", 100));
  const auto dimension = static_cast<std::size_t>(training->problem().dimension());
  const ModelRecord model = training->make_model(std::vector<double>(dimension, 0.0));
  EXPECT_EQ(predict(model, ""), "");
  EXPECT_EQ(predict(model, person_header()), "");
  EXPECT_NE(message_of([&] { evaluate(model, ""); }).find("test: is empty; expected a line of"),
            std::string::npos);
}

TEST_F(PoseDriver, KnowsItsFilesBySight) {
  Rng rng(1);
  EXPECT_TRUE(driver_->looks_familiar(driver_->sample(2, rng)));
  EXPECT_TRUE(driver_->looks_familiar(kHead));
  EXPECT_TRUE(driver_->looks_familiar(person_header()));
  for (const std::string_view task : task_names()) {
    if (task == "pose") continue;
    EXPECT_FALSE(driver_->looks_familiar(make_task_driver(task)->sample(5, rng))) << task;
  }
  for (const char* text :
       {"", "grid 4x3\n", "grid NN B-NP\njoint NN I-NP\n", "image,x,y\na,1,2\n"}) {
    EXPECT_FALSE(driver_->looks_familiar(text)) << text;
  }
}

TEST_F(PoseDriver, ComplainsAboutBadJointFiles) {
  format_ = "joints";
  expect_complaint("", "data: is empty; expected a line of column names");
  expect_complaint("image,r_ankle_x,r_ankle_z\n",
                   "data:1: column 3 is 'r_ankle_z', expected 'r_ankle_y'");
  expect_complaint("image\n", "data:1: column 2 is 'missing', expected 'r_ankle_x'");
  std::string more = person_header();
  more.insert(more.size() - 1, ",tail");
  expect_complaint(more, "data:1: 44 columns, expected 43");
  expect_complaint(person_header(), "data: holds no figures; expected lines of an image");
  expect_complaint(person_header() + "a,1,2,0\n", "data:2: 4 columns, expected 43");
  for (const char* bad : {"nan", "inf", "", "x", "1e200"}) {
    std::string text = person("a", 100);
    text.replace(text.find("100"), 3, bad);
    expect_complaint(person_header() + text, std::string("data:2: r_ankle_x is '") + bad + "'");
  }
}

TEST_F(PoseDriver, RefusesOptionsOutOfRange) {
  set("grid", "4");
  EXPECT_THROW(read(person_header() + person("a", 0)), OptionError);
  set("grid", "16");
  set("map-noise", "2");
  EXPECT_THROW(read(person_header() + person("a", 0)), OptionError);
  set("map-noise", "0.5");
  format_ = "pictures";
  EXPECT_THROW(read(person_header() + person("a", 0)), OptionError);
}

TEST_F(PoseDriver, BearsPeopleWithoutExtent) {
  std::string text = "a";
  for (int j = 0; j < 14; ++j) text += ",1e99,-1e99,0";
  set("grid", "16");
  EXPECT_NO_THROW(read(person_header() + text + "\n"));
}

/// On real people, springs find more joints than score maps alone, and training more than chance.
TEST_F(PoseDriver, SpringsHelpOnLeedsSportsPoses) {
  const std::string path = std::string(GAPWISE_SHARED_DATA) + "/lsp-joints/lsp_train.csv";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "the data set is not at hand: " << path;
  set("grid", "24");
  const auto pdj = [&](const std::string& pairwise) {
    set("pairwise", pairwise);
    const auto training = read({path, "", "1-80"});
    TrainOptions options;
    options.max_passes = 40;  // both converge
    options.threads = 1;
    const Report report = gapwise::train(training->problem(), options);
    return evaluate(training->make_model(report.w), {path, "", "701-800"})[0].value;
  };
  const double alone = pdj("no");
  const double joined = pdj("yes");
  EXPECT_GT(alone, 0.2);
  EXPECT_GT(joined, alone + 0.05);
}

}  // namespace
}  // namespace gapwise::internal
