#include "tasks/driver_test.h"

#include <gtest/gtest.h>

#include "gapwise/train.h"

namespace gapwise::internal {
namespace {

constexpr const char* kHead =
    "states cell empty full   # a comment\n"
    "states sky 3\n"
    "graph\n"
    "variable cell full weight=2.5 bias light:2\n"
    "variable cell empty bias light:-1\n"
    "variable sky 2 bias prior=0.5,0,-0.5\n";
constexpr const char* kGraphs =
    "states cell empty full\n"
    "states sky 3\n"
    "graph\n"
    "variable cell full weight=2.5 bias light:2\n"
    "variable cell empty bias light:-1\n"
    "variable sky 2 bias blue prior=0.5,0,-0.5\n"
    "factor near 1 2 bias same=1,0,0,1\n"
    "factor above 3 1 2 bias\n"
    "\n"
    "graph\n"
    "variable sky 0 bias\n"
    "variable cell full bias light:1\n";

class FactorGraphDriver : public DriverTest {
 protected:
  FactorGraphDriver() : DriverTest("factor-graph") {}

  /// What reading one more line behind kHead complains about.
  std::string complaint_of(const std::string& line) { return complaint(kHead + line + "\n"); }
};

TEST_F(FactorGraphDriver, ReadsVariablesAndFactors) {
  const auto training = read(kGraphs);
  EXPECT_EQ(training->describe(),
            "2 graphs, 5 variables, 2 factors, 5 attributes and 3 factor attributes");
  // cell bias, cell light, sky bias, sky blue, sky prior=; near bias, near same=, above bias.
  EXPECT_EQ(training->problem().dimension(), 2 + 2 + 3 + 3 + 1 + 4 + 1 + 12);
  const FactorGraphs& graphs = *training->problem().factor_graphs();
  EXPECT_EQ(graphs.graph(0).num_variables(), 3);
  EXPECT_EQ(graphs.graph(0).num_factors(), 2);
  EXPECT_EQ(graphs.truth(0)[2], 2);
  EXPECT_EQ(graphs.cost(0, 0, 0), 2.5);
  EXPECT_EQ(graphs.cost(0, 0, 1), 0.0);
}

TEST_F(FactorGraphDriver, SharesGraphsOfEqualShape) {
  const std::string graph =
      "graph\nvariable sky 0 a\nvariable sky 1 b\nvariable sky 2 a\nfactor f 1 2 c\n";
  const auto training = read("states sky 3\n" + graph + graph + graph + "factor f 2 3 c\n");
  const FactorGraphs& graphs = *training->problem().factor_graphs();
  EXPECT_EQ(&graphs.graph(0), &graphs.graph(1));
  EXPECT_NE(&graphs.graph(0), &graphs.graph(2));
}

TEST_F(FactorGraphDriver, NormalizedLossesAddUpToOne) {
  set("loss", "normalized-hamming");
  const auto training = read(kGraphs);
  const FactorGraphs& graphs = *training->problem().factor_graphs();
  EXPECT_DOUBLE_EQ(graphs.cost(0, 0, 0), 2.5 / 4.5);
  EXPECT_DOUBLE_EQ(graphs.cost(0, 1, 1) + graphs.cost(0, 2, 0), 2.0 / 4.5);
}

TEST_F(FactorGraphDriver, RefusesWhatIsNoGraph) {
  EXPECT_EQ(complaint_of("factor near 1 7 bias"),
            "train:7: a factor of variable 7, but graph 1 has 3 variables so far, numbered from 1; "
            "list variables before their factors");
  EXPECT_EQ(complaint_of("factor near 1 2 same=1,0,0"),
            "train:7: table 'same' has 3 numbers; expected 4, one for each state or joint state, "
            "the last variable moving fastest");
  EXPECT_EQ(complaint_of("factor near bias"),
            "train:7: the factor joins 0 variables; it needs two or more, and features of a single "
            "variable stand in its own line");
  EXPECT_EQ(complaint_of("factor near 2 bias"),
            "train:7: the factor joins 1 variable; it needs two or more, and features of a single "
            "variable stand in its own line");
  EXPECT_EQ(complaint_of("factor near 2 2 bias"),
            "train:7: variable 2 is twice in a factor; a factor joins different ones");
  EXPECT_EQ(complaint_of("variable sky 3"),
            "train:7: '3' is not one of the 3 states of kind 'sky'");
  EXPECT_EQ(complaint_of("variable sky ?"),
            "train:7: '?' is not one of the 3 states of kind 'sky'; '?' is for data to predict");
  EXPECT_EQ(complaint_of("variable sea 3"),
            "train:7: kind 'sea' of a variable is not known; list its states before: 'states KIND "
            "STATE STATE ...'");
  EXPECT_EQ(complaint_of("states sea 1099511627776"),
            "train:7: kind 'sea' has 1099511627776 states; a variable has 1 to 10000");
  EXPECT_EQ(complaint_of("factor near 1 2 bias\nfactor near 1 2 same=1,0,0,1"),
            "train:8: factor 'near' of the same variables comes twice; put all features into one "
            "line");
  EXPECT_EQ(complaint_of("factor near 1 2\nfactor near 1 3"),
            "train:8: factor 'near' joins variables of kinds cell, sky, but cell, cell elsewhere; "
            "give it another kind");
  EXPECT_EQ(complaint_of("states sky 4"),
            "train:7: kind 'sky' has other states than before; they must be the same, in the same "
            "order");
  EXPECT_EQ(complaint_of("variable sky 0 weight=-1"),
            "train:7: weight '-1' must be a number from 0 to 1e+100");
  EXPECT_EQ(complaint_of("factor cell 1 2"),
            "train:7: 'cell' is a kind of variables already; take another name");
}

/// A few bytes must not ask for tables that fill the memory.
TEST_F(FactorGraphDriver, RefusesTablesThatAreTooLarge) {
  std::string text = "states k 10000\ngraph\n";
  for (int v = 0; v < 6; ++v) text += "variable k 0\n";
  EXPECT_EQ(complaint(text + "factor f 1 2 3 4 5 6\n"),
            "train:9: the factor has more than 1048576 joint states; give its variables fewer "
            "states, or split it");
  text = "states k 1000\ngraph\n";
  for (int v = 0; v < 400; ++v) text += "variable k 0\n";
  for (int v = 1; v < 400; ++v) {
    text += "factor f " + std::to_string(v) + " " + std::to_string(v + 1) + "\n";
  }
  EXPECT_EQ(complaint(text),
            "train:536: more than 134217728 states and joint states in all; give fewer graphs or "
            "variables with fewer states");
}

TEST_F(FactorGraphDriver, PredictsWithWhatItKnows) {
  const ModelRecord model = train(kGraphs);
  EXPECT_EQ(predict(model, kGraphs), "full\nempty\n2\n\n0\nfull\n");
  // Unknown features, unknown kinds of factors and states that nobody knows.
  EXPECT_EQ(predict(model,
                    "graph\nvariable cell ? bias light:2 new:3\nvariable cell ? bias light:-1\n"
                    "factor new 1 2 bias\n"),
            "full\nempty\n");
  const Metrics metrics = evaluate(model, kGraphs);
  EXPECT_EQ(find_metric(metrics, "accuracy")->value, 1.0);
  EXPECT_EQ(find_metric(metrics, "exact")->value, 1.0);
  EXPECT_EQ(find_metric(metrics, "proven_optimal")->value, 1.0);
  expect_exchangeable(*read(kGraphs), file("test", kGraphs));
}

TEST_F(FactorGraphDriver, RefusesOtherStatesThanTheModelHas) {
  const ModelRecord model = train(kGraphs);
  const std::string message =
      message_of([&] { predict(model, "states sky 4\ngraph\nvariable sky 0\n"); });
  EXPECT_NE(message.find("other states than in the model"), std::string::npos) << message;
}

TEST_F(FactorGraphDriver, RefusesModelsThatDoNotFitTogether) {
  const ModelRecord model = train(kGraphs);
  expect_refused(model, [](ModelRecord& bad) { bad.w.pop_back(); });
  expect_refused(model, [](ModelRecord& bad) { bad.lists.erase("states of sky"); });
  expect_refused(model, [](ModelRecord& bad) { bad.lists["scope of near"] = {"cell"}; });
  expect_refused(model, [](ModelRecord& bad) { bad.lists["scope of near"] = {"cell", "sea"}; });
  expect_refused(model, [](ModelRecord& bad) { bad.lists["attributes"][0] = "cell"; });
  expect_refused(model,
                 [](ModelRecord& bad) { bad.lists["attributes"][1] = bad.lists["attributes"][0]; });
  expect_refused(model, [](ModelRecord& bad) {
    bad.lists["scope of near"] = std::vector<std::string>(60, "sky");
  });
}

/// A ring of variables that all differ: its relaxation is not tight.
TEST_F(FactorGraphDriver, RelaxedOptimaAreUpperBounds) {
  Rng rng(2);
  const std::string text = driver_->sample(30, rng);
  TrainOptions options;
  options.relative_gap = 1e-4;
  options.threads = 1;
  const Report exact = gapwise::train(read(text)->problem(), options);
  set("inference", "lp");
  const auto training = read(text);
  EXPECT_TRUE(training->problem().is_relaxed());
  const Report relaxed = gapwise::train(training->problem(), options);
  EXPECT_EQ(relaxed.reason, StopReason::kConverged);
  EXPECT_TRUE(relaxed.progress.is_certified);
  EXPECT_GE(*relaxed.progress.primal, exact.progress.dual);
}

}  // namespace
}  // namespace gapwise::internal
