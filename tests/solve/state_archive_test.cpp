// The bytes of a state: they come back as they were, to the last bit, and what does not fit the
// problem is refused.

#include "solve/state_archive.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "solve/fields.h"
#include "solve/frank_wolfe/round_choice.h"
#include "support/problems.h"

namespace gapwise::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class StateArchive : public ::testing::Test {
 protected:
  StateReader reader(const StateWriter& out) const { return {out.bytes(), "here", *problem_}; }
  /// Whether `read` refuses what `out` holds.
  template <class Read>
  bool refuses(const StateWriter& out, Read read) const {
    StateReader in = reader(out);
    try {
      read(in);
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).rfind("here: ", 0), 0U) << error.what();
      return true;
    }
    return false;
  }
  Index num_parts() const {
    StateReader in("", "here", *problem_);
    return in.num_parts(0);
  }

  std::unique_ptr<Problem> problem_ =
      testing::random_chains({.sequences = 3, .labels = 2, .max_length = 3, .seed = 5}).problem;
};

TEST_F(StateArchive, CountsComeBackAndTakeFewBytes) {
  const std::vector<Index> counts{0, 1, 127, 128, 300, Index{1} << 40, Index{1} << 53};
  StateWriter out;
  for (const Index x : counts) out.count(x);
  EXPECT_EQ(out.bytes().size(), 1U + 1 + 1 + 2 + 2 + 6 + 8);
  StateReader in = reader(out);
  for (const Index x : counts) EXPECT_EQ(in.count(), x);
  in.expect_end();
}

TEST_F(StateArchive, CountsBeyondTheirRangeAreRefused) {
  StateWriter out;
  out.count((Index{1} << 53) + 1);
  EXPECT_TRUE(refuses(out, [](StateReader& in) { in.count(); }));
  StateWriter endless;
  for (int k = 0; k < 12; ++k) endless.u8(0xff);
  EXPECT_TRUE(refuses(endless, [](StateReader& in) { in.count(); }));
  StateWriter seven;
  seven.count(Index{7});
  EXPECT_TRUE(refuses(seven, [](StateReader& in) { in.count_up_to(6); }));
  EXPECT_TRUE(refuses(seven, [](StateReader& in) { in.size(1); })) << "nothing follows";
}

TEST_F(StateArchive, NumbersComeBackToTheLastBit) {
  const std::vector<double> numbers{0.0,   -0.0, 1.0,   -1.0,   100.0,     -100.0,
                                    101.0, 0.5,  1e300, 5e-324, 1.0 / 3.0, -101.0};
  StateWriter out;
  for (const double x : numbers) out.small(x);
  out.small(std::nan(""));
  StateReader in = reader(out);
  for (const double x : numbers) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(in.small()), std::bit_cast<std::uint64_t>(x)) << x;
  }
  EXPECT_FALSE(in.small_or_nan());
  in.expect_end();
}

TEST_F(StateArchive, WeightsComeBackToTheLastBit) {
  const std::vector<double> none(5, 0.0);
  for (const std::vector<double>& w :
       {std::vector<double>{}, none, {0.0, 1.5, 0.0, -0.0, 2.0}, {1.0, 0.0, 0.0}, {3.0, 4.0}}) {
    StateWriter out;
    out.weights(w);
    std::vector<double> found(w.size(), 9.0);
    StateReader in = reader(out);
    in.weights(found);
    in.expect_end();
    for (std::size_t j = 0; j < w.size(); ++j) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(found[j]), std::bit_cast<std::uint64_t>(w[j])) << j;
    }
  }
}

TEST_F(StateArchive, WeightsThatAreNotFiniteOrNotThereAreRefused) {
  std::vector<double> four(4);
  for (const double bad : {kInfinity, -kInfinity, std::nan("")}) {
    StateWriter out;
    out.weights(std::vector<double>{0.0, bad, 0.0, 1.0});
    EXPECT_TRUE(refuses(out, [&](StateReader& in) { in.weights(four); })) << bad;
  }
  StateWriter five;
  five.weights(std::vector<double>{0.0, 0.0, 0.0, 0.0, 1.0});
  EXPECT_TRUE(refuses(five, [&](StateReader& in) { in.weights(four); }));
  StateWriter three;
  three.weights(std::vector<double>{0.0, 2.0, 1.0});
  EXPECT_TRUE(refuses(three, [&](StateReader& in) { in.weights(four); }));
  StateWriter nothing;
  nothing.u8(0);
  nothing.u8(0);
  EXPECT_TRUE(refuses(nothing, [&](StateReader& in) { in.weights(four); })) << "an endless loop";
}

TEST_F(StateArchive, PartsAreThoseOfTheirExample) {
  Parts last;
  last.append(0, 1.0);
  last.append(num_parts() - 1, -0.25);
  StateWriter out;
  out.parts(last);
  Parts found;
  StateReader in = reader(out);
  in.parts(0, found);
  in.expect_end();
  EXPECT_EQ(found, last);

  Parts beyond;
  beyond.append(num_parts(), 1.0);
  StateWriter bad;
  bad.parts(beyond);
  EXPECT_TRUE(refuses(bad, [&](StateReader& reader) { reader.parts(0, found); }));
  StateWriter infinite;
  beyond.clear();
  beyond.append(0, kInfinity);
  infinite.parts(beyond);
  EXPECT_TRUE(refuses(infinite, [&](StateReader& reader) { reader.parts(0, found); }));
  StateWriter many;
  many.count(Index{1} << 50);
  EXPECT_TRUE(refuses(many, [&](StateReader& reader) { reader.parts(0, found); }));
}

TEST_F(StateArchive, AnOrderNamesEveryExampleOnce) {
  StateWriter out;
  for (const Index i : {2, 0, 1}) out.count(i);
  StateReader in = reader(out);
  EXPECT_EQ(in.distinct(3, 3), (std::vector<Index>{2, 0, 1}));
  EXPECT_TRUE(refuses(out, [](StateReader& reader) { reader.distinct(3, 2); }));
  StateWriter twice;
  for (const Index i : {2, 0, 2}) twice.count(i);
  EXPECT_TRUE(refuses(twice, [](StateReader& reader) { reader.distinct(3, 3); }));
}

TEST_F(StateArchive, FieldsAreReadAsTheyWereWrittenAndRefusedWhenDamaged) {
  const std::vector<double> numbers{1.5, -2.0};
  std::vector<double> w(static_cast<std::size_t>(problem_->dimension()), 0.25);
  std::vector<double> empty;
  double endless = kInfinity;
  StateWriter out;
  FieldWriter write(out);
  write(true, std::int32_t{7}, Index{1} << 40, 0.25, std::span(numbers), std::optional<double>(),
        std::optional<double>(4.0), Round::kProbe, WeightsIfAny(w), WeightsIfAny(empty),
        Unbounded(endless));
  bool flag = false;
  std::int32_t small = 0;
  Index large = 0;
  double number = 0.0;
  std::vector<double> found(2);
  std::optional<double> nothing = 1.0;
  std::optional<double> something;
  Round round = Round::kExact;
  std::vector<double> weights;
  std::vector<double> no_weights(3, 1.0);
  double infinite = 0.0;
  StateReader in = reader(out);
  FieldReader{in}(flag, small, large, number, std::span(found), nothing, something, round,
                  WeightsIfAny(weights), WeightsIfAny(no_weights), Unbounded(infinite));
  in.expect_end();
  EXPECT_TRUE(flag);
  EXPECT_EQ(small, 7);
  EXPECT_EQ(large, Index{1} << 40);
  EXPECT_EQ(number, 0.25);
  EXPECT_EQ(found, numbers);
  EXPECT_FALSE(nothing);
  EXPECT_EQ(something, 4.0);
  EXPECT_EQ(round, Round::kProbe);
  EXPECT_EQ(weights, w);
  EXPECT_TRUE(no_weights.empty());
  EXPECT_EQ(infinite, kInfinity);

  StateWriter two;
  two.u8(2);
  EXPECT_TRUE(refuses(two, [&](StateReader& reader) { FieldReader{reader}(round); }));
  EXPECT_TRUE(refuses(two, [&](StateReader& reader) { FieldReader{reader}(flag); }));
  StateWriter infinity;
  infinity.f64(kInfinity);
  EXPECT_TRUE(refuses(infinity, [&](StateReader& reader) { FieldReader{reader}(number); }));
}

}  // namespace
}  // namespace gapwise::internal
