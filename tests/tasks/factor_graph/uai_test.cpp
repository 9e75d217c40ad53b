#include <gtest/gtest.h>

#include <cmath>

#include "tasks/driver_test.h"

namespace gapwise::internal {
namespace {

/// Two variables with tables of their own and one that joins them, and a network without factors.
constexpr const char* kNetworks =
    "MARKOV\n2\n2 3\n"
    "3\n1 0\n1 1\n2 0 1\n"
    "2\n 0.25 0.75\n"
    "3\n 1 2 4\n"
    "6\n 1 1 1  1 1 8\n"
    "MPE\n2 1 2\n"
    "BAYES 1 2 0 MPE 1 0  # all on one line\n";

class UaiFormat : public DriverTest {
 protected:
  UaiFormat() : DriverTest("factor-graph") { format_ = "uai"; }
  /// What is wrong with the first network when `from` in it is `to`.
  std::string complaint_of(const std::string& from, const std::string& to) {
    std::string text = kNetworks;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return complaint(text.replace(at, from.size(), to));
  }
};

TEST_F(UaiFormat, ReadsNetworksWithTheirRightStates) {
  const auto training = read(kNetworks);
  EXPECT_EQ(training->describe(),
            "2 graphs, 3 variables, 1 factor, 4 attributes and 2 factor attributes");
  const FactorGraphs& graphs = *training->problem().factor_graphs();
  EXPECT_EQ(graphs.graph(0).num_states(1), 3);
  EXPECT_EQ(graphs.truth(0)[1], 2);
  EXPECT_EQ(graphs.graph(1).num_factors(), 0);
}

/// With a weight of 1 for tables and 0 for all else, a state scores the logarithms of its tables.
TEST_F(UaiFormat, TablesAreFeaturesOfOneWeight) {
  const auto training = read(kNetworks);
  ModelRecord model = training->make_model(
      std::vector<double>(static_cast<std::size_t>(training->problem().dimension()), 1.0));
  const auto oracle = training->problem().make_oracle();
  std::vector<double> w(static_cast<std::size_t>(training->problem().dimension()), 0.0);
  w[2] = 1.0;  // bias of two states, then the table
  PartScores theta;
  oracle->score(0, w, theta);
  EXPECT_NEAR(theta[0], std::log(0.25), 1e-15);
  EXPECT_NEAR(theta[1], std::log(0.75), 1e-15);
  EXPECT_EQ(theta[2], 0.0);
  w.back() = 2.0;
  oracle->score(0, w, theta);
  EXPECT_NEAR(theta[10], 2.0 * std::log(8.0), 1e-15);
  EXPECT_EQ(predict(model, kNetworks), "MPE\n2 1 2\nMPE\n1 0\n");
}

TEST_F(UaiFormat, PredictsWithoutRightStatesAndIsToldFromTheName) {
  const ModelRecord model = train(kNetworks);
  EXPECT_EQ(predict(model, file("net.uai", "MARKOV 1 2 1 1 0 2 0.9 0\n", "")), "MPE\n1 0\n");
  EXPECT_NE(complaint(file("net.uai", "MARKOV 1 2 1 1 0 2 0.9 0\n", "")).find("no right states"),
            std::string::npos);
  EXPECT_EQ(find_metric(evaluate(model, kNetworks), "proven_optimal")->value, 1.0);
  expect_exchangeable(*read(kNetworks), file("test", kNetworks));
}

TEST_F(UaiFormat, SaysWhatIsWrong) {
  struct Case {
    const char* from;
    const char* to;
    const char* message;
  };
  for (const Case& wrong : {
           Case{"MARKOV", "GRAPH", "train:1: 'GRAPH' where a network should begin"},
           Case{"2 0 1\n", "2 0 2\n",
                "train:7: '2' where a variable of factor 2 should be, a whole number from 0 to 1"},
           Case{"2 0 1\n", "2 1 1\n", "train:7: variable 1 is twice in factor 2"},
           Case{"1 1\n2 0", "1 0\n2 0", "train:6: factor 1 joins the same variables as one before"},
           Case{"3\n1 0", "3\n0",
                "train:5: '0' where the number of variables of factor 0 should be, a whole number "
                "from 1 to 2"},
           Case{"6\n", "5\n", "train:12: a table of 5 entries; its factor has 6 joint states"},
           Case{"2 3\n", "2 1099511627776\n",
                "train:3: '1099511627776' where the number of states of variable 1 should be, a "
                "whole number from 1 to 10000"},
           Case{"2\n2 3", "999999999999\n2 3", "where the number of variables should be"},
           Case{"0.25", "-0.25", "train:9: '-0.25' is no potential"},
           Case{"0.25", "nan", "train:9: 'nan' is no potential"},
           Case{
               "2 1 2\n", "2 1 3\n",
               "train:15: '3' where the state of variable 1 should be, a whole number from 0 to 2"},
           Case{"2 1 2\n", "3 1 2 0\n", "train:15: 3 states behind MPE, but the network has 2"},
           Case{"MPE\n2 1 2\n", "", "network 1 has no right states"},
       }) {
    EXPECT_TRUE(testing::says(complaint_of(wrong.from, wrong.to), wrong.message));
  }
  EXPECT_TRUE(testing::says(complaint("MARKOV 2 2"), "the file ends where the number of states"));
  EXPECT_TRUE(testing::says(complaint(""), "train: is empty; expected networks of format UAI"));
}

/// A few bytes must not ask for tables that fill the memory.
TEST_F(UaiFormat, RefusesTablesThatAreTooLarge) {
  EXPECT_TRUE(testing::says(complaint("MARKOV 2 10000 10000 1 2 0 1"),
                            "the factor has more than 1048576 joint states"));
}

}  // namespace
}  // namespace gapwise::internal
