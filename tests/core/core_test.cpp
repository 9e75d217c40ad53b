#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <map>

#include "core/archive.h"
#include "core/parallel.h"
#include "core/random.h"
#include "gapwise/argmax_problem.h"
#include "gapwise/errors.h"
#include "gapwise/option_table.h"
#include "gapwise/parts.h"

namespace gapwise::internal {
namespace {

Parts random_parts(Rng& rng, int range) {
  Parts parts;
  for (int k = 0; k < range; ++k) {
    if (rng.uniform() < 0.4) parts.append(k, std::floor(rng.uniform() * 5.0) - 2.0);
  }
  return parts;
}

std::map<Index, double> as_map(const Parts& parts) {
  std::map<Index, double> out;
  for (const Part& part : parts) out[part.id] = part.value;
  return out;
}

TEST(Error, TellsBytesOfAnyKindAndLengthReadably) {
  EXPECT_STREQ(InputError("f:1: 'a\x1b[2J\tb\x7f'").what(), "f:1: 'a\\x1b[2J\\x09b\\x7f'");
  EXPECT_STREQ(InputError("\xc2\x9b|\x9b|\xc3").what(), "\\xc2\\x9b|\\x9b|\\xc3");
  const std::string letter = "\xc3\xa9";  // one of two bytes
  EXPECT_EQ(InputError(letter).what(), letter);
  std::string word = "a";
  for (int k = 0; k < 3000; ++k) word += letter;
  const std::string message = InputError("f:1: '" + word + "' is not a number").what();
  EXPECT_LT(message.size(), 1000U);
  EXPECT_TRUE(message.starts_with("f:1: 'a" + letter)) << message;
  EXPECT_TRUE(message.ends_with(letter + "' is not a number")) << message;
  EXPECT_NE(message.find(letter + " ["), std::string::npos) << "cut inside a letter: " << message;
  EXPECT_NE(message.find("bytes left out] " + letter), std::string::npos) << message;
}

TEST(Parts, NormalizeSortsAddsAndDropsZeros) {
  Parts parts;
  parts.collect(7, 1.0);
  parts.collect(3, 2.0);
  parts.collect(7, -1.0);
  parts.collect(5, 0.5);
  parts.collect(3, 1.0);
  parts.normalize();
  EXPECT_EQ(as_map(parts), (std::map<Index, double>{{3, 3.0}, {5, 0.5}}));
}

TEST(Parts, NormalizeIsTheSameForShortAndLongLists) {
  Rng rng(1);
  for (const int size : {10, 95, 97, 1000}) {
    Parts parts;
    std::map<Index, double> expected;
    for (int k = 0; k < size; ++k) {
      const Index id = rng.below(50);
      const double value = std::floor(rng.uniform() * 5.0) - 2.0;
      parts.collect(id, value);
      expected[id] += value;
    }
    parts.normalize();
    std::erase_if(expected, [](const auto& item) { return item.second == 0.0; });
    EXPECT_EQ(as_map(parts), expected);
  }
}

TEST(Parts, SubtractCoversTheUnionAndAddScaledDropsZeros) {
  Rng rng(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Parts a = random_parts(rng, 12);
    const Parts b = random_parts(rng, 12);
    std::map<Index, double> difference = as_map(a);
    for (const Part& part : b) difference[part.id] -= part.value;
    Parts out;
    subtract(a, b, out);
    EXPECT_EQ(as_map(out), difference);

    std::map<Index, double> sum = as_map(a);
    for (const Part& part : b) sum[part.id] += 0.5 * part.value;
    for (const Part& part : b) {
      if (sum[part.id] == 0.0) sum.erase(part.id);
    }
    add_scaled(a, 0.5, b, out);
    EXPECT_EQ(as_map(out), sum);
  }
}

TEST(Rng, DrawsAreUniformAndStateIsAValue) {
  Rng rng(42);
  std::array<int, 7> counts{};
  for (int k = 0; k < 70'000; ++k) ++counts[static_cast<std::size_t>(rng.below(7))];
  double chi_square = 0.0;
  for (const int count : counts) chi_square += std::pow(count - 10'000.0, 2) / 10'000.0;
  EXPECT_LT(chi_square, 22.5);  // 0.1 % level at 6 degrees of freedom
  const Rng::State state = rng.state();
  const std::uint64_t next = rng.next();
  rng.set_state(state);
  EXPECT_EQ(rng.next(), next);
}

TEST(Rng, TheFirstDrawsOfSeedOneArePinned) {
  // Models and traces of every release depend on these.
  Rng rng(1);
  EXPECT_EQ(rng.next(), 12966619160104079557ULL);
  EXPECT_EQ(rng.next(), 9600361134598540522ULL);
}

TEST(Archive, RoundTripsAndRefusesCountsThatTheFileCannotHold) {
  ByteWriter out;
  out.u8(7);
  out.text("abc");
  out.f64s(std::vector<double>{1.5, -2.0});
  out.i64s(std::vector<std::int64_t>{-3});
  ByteReader in(out.bytes(), "here");
  EXPECT_EQ(in.u8(), 7);
  EXPECT_EQ(in.text(), "abc");
  EXPECT_EQ(in.f64s(), (std::vector<double>{1.5, -2.0}));
  EXPECT_EQ(in.i64s(), (std::vector<std::int64_t>{-3}));
  in.expect_end();
  EXPECT_THROW(in.u8(), InputError);

  ByteWriter hostile;
  hostile.u64(std::uint64_t{1} << 60);
  ByteReader reader(hostile.bytes(), "here");
  EXPECT_THROW(reader.f64s(), InputError);
}

TEST(Threads, CoverEveryIndexOnceAndPassExceptionsOn) {
  for (const int count : {1, 2, 5}) {
    const Threads threads(count);
    std::vector<std::atomic<int>> visits(1000);
    threads.run(1000, [&](Index begin, Index end, int slot) {
      EXPECT_LT(slot, count);
      for (Index i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
    });
    for (const auto& visit : visits) EXPECT_EQ(visit, 1);
    EXPECT_THROW(threads.run(10, [](Index, Index, int) { throw InputError("x"); }), InputError);
  }
}

struct Sample {
  double rate = 0.5;
  std::optional<Index> limit;
  bool is_fast = false;
};

TEST(Options, ReportEveryValueOutOfRangeAtOnce) {
  Sample sample;
  const OptionTable table{option("rate", sample.rate, between(0, 1), "X", "a rate"),
                          option("limit", sample.limit, at_least(1), "N", "a limit"),
                          flag("is-fast", sample.is_fast, "fast")};
  EXPECT_NO_THROW(validate(table));
  set_option(table, "rate", "2");
  set_option(table, "limit", "0");
  set_option(table, "is-fast", "yes");
  EXPECT_TRUE(sample.is_fast);
  try {
    validate(table);
    FAIL() << "out of range values were accepted";
  } catch (const OptionError& error) {
    EXPECT_EQ(std::string(error.what()),
              "options out of range: rate = 2 must be between 0 and 1; limit = 0 must be >= 1");
  }
  EXPECT_THROW(set_option(table, "rate", "1x"), OptionError);
  EXPECT_THROW(set_option(table, "limit", "1.5"), OptionError);
  EXPECT_THROW(set_option(table, "is-fast", "maybe"), OptionError);
  EXPECT_THROW(set_option(table, "fast", "yes"), OptionError);
  EXPECT_EQ(table[0].fallback, "0.5");
}

TEST(Options, AFlagIsYesOrNo) {
  Sample sample;
  const Option row = flag("is-fast", sample.is_fast, "fast");
  EXPECT_TRUE(row.is_flag);
  EXPECT_EQ(row.placeholder, "[yes|no]");
  EXPECT_EQ(row.fallback, "no");
  row.set("yes");
  EXPECT_EQ(row.get(), "yes");
  row.set("no");
  EXPECT_EQ(row.get(), "no");
}

TEST(ArgmaxProblem, RefusesAnswersThatBreakTheContract) {
  const auto ask = [](ArgmaxFunction argmax) {
    const auto problem = make_argmax_problem(1, 2, std::move(argmax));
    const std::vector<double> w(2, 0.0);
    PartScores theta;
    Corner corner;
    problem->make_oracle()->argmax(0, w, theta, corner);
  };
  EXPECT_NO_THROW(ask([](Index, Weights, Corner& out) { out.parts.collect(1, 1.0); }));
  EXPECT_THROW(ask([](Index, Weights, Corner& out) { out.parts.collect(2, 1.0); }), OracleError);
  EXPECT_THROW(ask([](Index, Weights, Corner& out) { out.parts.collect(-1, 1.0); }), OracleError);
  EXPECT_THROW(ask([](Index, Weights, Corner& out) { out.loss = -1.0; }), OracleError);
  EXPECT_THROW(ask([](Index, Weights, Corner& out) { out.parts.collect(0, NAN); }), OracleError);
  EXPECT_THROW(ask([](Index, Weights, Corner& out) { out.loss = INFINITY; }), OracleError);
}

/// Answers that tell who gave them: the loss is the block, plus 0.5 from a batch.
ArgmaxFunctions telling_functions(std::vector<std::vector<Index>>& asked) {
  ArgmaxFunctions functions;
  functions.argmax = [](Index i, Weights, Corner& out) { out.loss = static_cast<double>(i); };
  functions.batch = [&](std::span<const Index> blocks, Weights, std::span<Corner> out) {
    asked.emplace_back(blocks.begin(), blocks.end());
    for (std::size_t k = 0; k < out.size(); ++k) out[k].loss = static_cast<double>(blocks[k]) + 0.5;
  };
  functions.batch_size = 3;
  return functions;
}

TEST(ArgmaxProblem, ABatchAnswersForItsBlocksInTheirOrder) {
  std::vector<std::vector<Index>> asked;
  const auto problem = make_argmax_problem(5, 1, telling_functions(asked));
  const auto oracle = problem->make_oracle();
  const std::vector<double> w(1, 0.0);
  PartScores theta;
  Corner corner;
  const auto loss_of = [&](Index i) {
    oracle->argmax(i, w, theta, corner);
    return corner.loss;
  };
  EXPECT_EQ(oracle->batch_size(), 3);
  EXPECT_EQ(loss_of(1), 1.0);  // nothing is prepared
  oracle->prepare(std::vector<Index>{4, 1, 2}, w);
  EXPECT_EQ(loss_of(4), 4.5);
  EXPECT_EQ(loss_of(1), 1.5);
  EXPECT_EQ(loss_of(1), 1.0);  // that was the answer already
  EXPECT_EQ(loss_of(2), 2.5);
  oracle->prepare(std::vector<Index>{0, 3}, w);
  oracle->prepare({}, w);
  EXPECT_EQ(loss_of(0), 0.0);  // it was forgotten
  EXPECT_EQ(asked, (std::vector<std::vector<Index>>{{4, 1, 2}, {0, 3}}));
}

TEST(ArgmaxProblem, RefusesBatchesThatBreakTheContract) {
  ArgmaxFunctions functions;
  functions.argmax = [](Index, Weights, Corner&) {};
  functions.batch = [](std::span<const Index>, Weights, std::span<Corner> out) {
    out[1].loss = -1.0;
  };
  const auto problem = make_argmax_problem(2, 1, functions);
  const std::vector<double> w(1, 0.0);
  EXPECT_THROW(problem->make_oracle()->prepare(std::vector<Index>{0, 1}, w), OracleError);
  functions.batch_size = 0;
  EXPECT_THROW(make_argmax_problem(2, 1, functions), OracleError);
}

}  // namespace
}  // namespace gapwise::internal
