// Models go to files and to bytes and come back.

#include <gtest/gtest.h>

#include "app/small_data.h"

namespace gapwise::internal {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): small_data.h

std::vector<double> copy_of(Weights w) {
  return {w.begin(), w.end()};
}

class ModelOfClasses : public ::testing::Test {
 protected:
  ScratchFolder folder_;
  Examples examples_ = samples(folder_, "multiclass", 60);
  Fit fit_ = fit(examples_, short_run());
};

TEST_F(ModelOfClasses, IsTheSameAfterAFileAndAfterBytes) {
  const std::string path = folder_.path("model");
  fit_.model.save(path);
  EXPECT_EQ(read_file(path), fit_.model.bytes());
  for (const Model& model : {gapwise::load_model(path), load_model_bytes(fit_.model.bytes())}) {
    EXPECT_EQ(model.task(), "multiclass");
    EXPECT_EQ(model.bytes(), fit_.model.bytes());
    EXPECT_EQ(model.settings(), fit_.model.settings());
    EXPECT_EQ(model.sizes(), fit_.model.sizes());
    EXPECT_EQ(copy_of(model.weights()), copy_of(fit_.model.weights()));
    EXPECT_EQ(model.predict(examples_), fit_.model.predict(examples_));
    EXPECT_EQ(model.evaluate(examples_), fit_.model.evaluate(examples_));
    EXPECT_EQ(model.top_weights(2).size(), fit_.model.top_weights(2).size());
  }
}

TEST_F(ModelOfClasses, ShowsItsWeightsAsATable) {
  const std::vector<WeightMatrix> matrices = fit_.model.weight_matrices();
  ASSERT_EQ(matrices.size(), 1U);
  EXPECT_EQ(matrices[0].name, "features");
  EXPECT_EQ(matrices[0].columns, fit_.model.names("labels"));
  EXPECT_EQ(matrices[0].columns, (std::vector<std::string>{"1", "2", "3", "4"}));
  EXPECT_EQ(matrices[0].rows, (std::vector<std::string>{"1", "2", "3", "4", "5", "6"}));
  EXPECT_EQ(matrices[0].begin, 0);
  EXPECT_EQ(fit_.model.weights().size(), 24U);
  EXPECT_TRUE(fit_.model.names("attributes").empty());
}

TEST(ModelOfSequences, ShowsItsWeightsAsTables) {
  const ScratchFolder folder;
  const Model model = fit(samples(folder, "sequence", 20), short_run()).model;
  std::size_t weights = 0;
  for (const WeightMatrix& matrix : model.weight_matrices()) {
    EXPECT_EQ(matrix.columns, model.names("labels"));
    EXPECT_EQ(static_cast<std::size_t>(matrix.begin), weights) << matrix.name;
    weights += matrix.rows.size() * matrix.columns.size();
  }
  EXPECT_EQ(weights, model.weights().size());
}

TEST_F(ModelOfClasses, RemembersHowItWasTrained) {
  const auto& settings = fit_.model.settings();
  EXPECT_EQ(settings.at("solver"), "bcfw");
  EXPECT_EQ(settings.at("lambda"), "0.05");
  EXPECT_EQ(settings.at("n"), "60");
  EXPECT_EQ(settings.at("seed"), "3");
  EXPECT_EQ(settings.at("passes"), "7");
  EXPECT_EQ(settings.at("status"), "max_passes");
  EXPECT_EQ(settings.at("certified"), "yes");
}

TEST_F(ModelOfClasses, OutlivesItsExamples) {
  std::optional<Fit> result;
  {
    const ScratchFolder other;
    result = fit(samples(other, "multiclass", 60), short_run());
  }
  EXPECT_EQ(result->model.predict(examples_), fit_.model.predict(examples_));
}

TEST_F(ModelOfClasses, RefusesExamplesOfAnotherTask) {
  const Examples others = samples(folder_, "sequence", 10);
  EXPECT_TRUE(says(message_of<OptionError>([&] { fit_.model.predict(others); }),
                   "a model of task multiclass cannot work on examples of task sequence"));
  EXPECT_THROW(fit_.model.evaluate(others), OptionError);
  EXPECT_THROW(fit_.model.predict(own_examples()), OptionError);
}

TEST_F(ModelOfClasses, HasNoPicturesToDraw) {
  const DataSource source = testing::sample_file(folder_, "multiclass", 5, 2);
  EXPECT_THROW(fit_.model.draw(source, folder_.root().string()), OptionError);
}

TEST_F(ModelOfClasses, PredictsNothingForAnEmptyFile) {
  write_file(folder_.path("empty"), "");
  std::string text;
  fit_.model.predict(DataSource{folder_.path("empty")},
                     [&](std::string_view piece) { text += piece; });
  EXPECT_EQ(text, "");
}

TEST_F(ModelOfClasses, CannotBeSavedWhereThereIsNoFolder) {
  const std::string path = folder_.path("no/folder/model");
  EXPECT_TRUE(says(message_of([&] { fit_.model.save(path); }), path));
}

TEST_F(ModelOfClasses, IsRefusedByNameWhereverItIsDamaged) {
  const std::string good = fit_.model.bytes();
  const auto refusal = [](const std::string& bytes) {
    return message_of([&] { load_model_bytes(bytes, "the gift"); });
  };
  for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 61) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] + 1);
    EXPECT_TRUE(says(refusal(bad), "the gift")) << "byte " << at;
    EXPECT_TRUE(says(refusal(good.substr(0, at)), "the gift")) << "cut at " << at;
  }
  EXPECT_TRUE(says(refusal(good + "x"), "the gift"));
  EXPECT_TRUE(says(message_of([&] { gapwise::load_model(folder_.path("missing")); }),
                   folder_.path("missing")));
}

TEST(ModelOfAnOwnProblem, KeepsItsWeightsAndSettings) {
  const ScratchFolder folder;
  const Fit result = fit(own_examples(), short_run());
  EXPECT_EQ(copy_of(result.model.weights()), copy_of(result.report.w));
  const std::string path = folder.path("model");
  result.model.save(path);
  const Model model = gapwise::load_model(path);
  EXPECT_EQ(model.task(), "own");
  EXPECT_EQ(copy_of(model.weights()), copy_of(result.report.w));
  EXPECT_EQ(model.settings(), result.model.settings());
  EXPECT_EQ(model.settings().at("lambda"), "0.05");
  EXPECT_EQ(model.bytes(), result.model.bytes());
}

TEST(ModelOfAnOwnProblem, LeavesPredictionToItsOwner) {
  const Examples own = own_examples();
  const Model model = load_model_bytes(fit(own, short_run()).model.bytes());
  const auto nowhere = [](std::string_view) {};
  EXPECT_TRUE(says(message_of<OptionError>([&] { model.predict(own); }), "own"));
  EXPECT_THROW(model.evaluate(own), OptionError);
  EXPECT_THROW(model.predict(DataSource{"data"}, nowhere), OptionError);
  EXPECT_THROW(model.evaluate(DataSource{"data"}), OptionError);
  EXPECT_THROW(model.draw({"data"}, "folder"), OptionError);
  EXPECT_TRUE(model.top_weights(3).empty());
  EXPECT_TRUE(model.sizes().empty());
}

TEST(Metrics, AreFoundByNameAndByRank) {
  const Metrics metrics{{"a", 0.5}, {"b", 0.25, Better::kLower, true}};
  EXPECT_EQ(find_metric(metrics, "a"), metrics.data());
  EXPECT_EQ(find_metric(metrics, "c"), nullptr);
  EXPECT_EQ(main_metric(metrics), metrics.data() + 1);
  EXPECT_EQ(main_metric({}), nullptr);
}

}  // namespace
}  // namespace gapwise::internal
