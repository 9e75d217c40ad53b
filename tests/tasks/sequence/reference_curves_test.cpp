// The curves and weight vectors that the authors of the Scala package and of the Matlab code of
// block-coordinate Frank-Wolfe recorded on the OCR data.

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gapwise/train.h"
#include "io/lines.h"
#include "tasks/sequence/problem.h"

namespace gapwise::internal {
namespace {

const std::filesystem::path kData = GAPWISE_SHARED_DATA;

struct Word {
  int fold = 0;
  std::vector<std::int32_t> letters;
  std::vector<std::string> images;
};

std::vector<Word> read_words() {
  std::vector<Word> words;
  LineReader lines((kData / "ocr-letters/letters.txt.gz").string());
  std::string_view line;
  while (lines.next(line)) {
    std::istringstream fields{std::string(line)};
    int word = 0;
    int position = 0;
    int fold = 0;
    char letter = 0;
    std::string bits;
    fields >> word >> position >> fold >> letter >> bits;
    if (position == 1) words.push_back({fold, {}, {}});
    words.back().letters.push_back(letter - 'a');
    words.back().images.push_back(bits);
  }
  return words;
}

std::vector<double> read_numbers(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<double> numbers;
  std::string text;
  while (std::getline(file, text, ',')) numbers.push_back(std::stod(text));
  return numbers;
}

/// The words of the folds 1..9 in the order of train_order.csv.
std::vector<Word> training_words(const std::vector<Word>& words) {
  std::vector<Word> candidates;
  for (const Word& word : words) {
    if (word.fold != 0) candidates.push_back(word);
  }
  std::vector<Word> ordered;
  for (const double rank : read_numbers(kData / "reference-curves/train_order.csv")) {
    ordered.push_back(candidates.at(static_cast<std::size_t>(rank) - 1));
  }
  return ordered;
}

constexpr ChainLayout kLayout{129, 0, 26};

/// 128 pixels in column-major order, then the constant.
std::shared_ptr<SequenceData> to_data(const std::vector<Word>& words) {
  auto data = std::make_shared<SequenceData>();
  for (const Word& word : words) {
    for (std::size_t t = 0; t < word.letters.size(); ++t) {
      for (std::uint32_t p = 0; p < 128; ++p) {
        if (word.images[t][8 * (p % 16) + p / 16] == '1') data->nodes.add(p);
      }
      data->nodes.add(128);
      data->nodes.end_row();
      data->labels.push_back(word.letters[t]);
    }
    data->starts.push_back(data->labels.size());
  }
  data->nodes.finish(129);
  return data;
}

/// Our weights in the order of the reference: a block of 129 per letter, first, last, and
/// transitions with the first letter running fastest.
std::vector<double> in_reference_order(Weights w) {
  std::vector<double> out;
  const auto at = [&](Index j) { return w[static_cast<std::size_t>(j)]; };
  for (Index k = 0; k < 26; ++k) {
    for (Index a = 0; a < 129; ++a) out.push_back(at(kLayout.node(a) + k));
  }
  for (Index k = 0; k < 26; ++k) out.push_back(at(kLayout.start() + k));
  for (Index k = 0; k < 26; ++k) out.push_back(at(kLayout.end() + k));
  for (Index b = 0; b < 26; ++b) {
    for (Index a = 0; a < 26; ++a) out.push_back(at(kLayout.transition() + a * 26 + b));
  }
  return out;
}

double mean_error(const SequenceData& data, Weights w) {
  SequenceTagger tagger(kLayout, w);
  double sum = 0.0;
  for (Index i = 0; i < data.size(); ++i) {
    const auto y = tagger.tag(data, i);
    double wrong = 0.0;
    for (std::size_t t = 0; t < y.size(); ++t) {
      wrong += y[t] != data.labels[data.starts[static_cast<std::size_t>(i)] + t] ? 1.0 : 0.0;
    }
    sum += wrong / static_cast<double>(y.size());
  }
  return sum / static_cast<double>(data.size());
}

struct Curve : Observer {
  void on_measure(const Progress& now, Weights w) override {
    progress.push_back(now);
    weights.emplace_back(w.begin(), w.end());
  }
  std::vector<Progress> progress;
  std::vector<std::vector<double>> weights;
};

TrainOptions reference_options(Average average) {
  TrainOptions options;
  options.solver = "bcfw";
  options.lambda = Lambda::of(0.01);
  options.sampling = Sampling::kCyclic;
  options.average = average;
  options.gap = 0.0;
  options.max_passes = 5;
  options.gap_every = 1;
  return options;
}

/// Numbers equal to all digits that the file prints.
void expect_printed(double value, const std::string& printed, const std::string& what) {
  const std::size_t point = printed.find('.');
  const auto digits = point == std::string::npos ? 0 : static_cast<int>(printed.size() - point - 1);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  EXPECT_EQ(printed, text.data()) << what;
}

void expect_curve(const std::string& file, Average average) {
  const std::vector<Word> words = read_words();
  std::vector<Word> train_words = training_words(words);
  train_words.resize(312);
  std::vector<Word> test_words;
  for (const Word& word : words) {
    if (word.fold == 0) test_words.push_back(word);
  }
  const auto data = to_data(train_words);
  const auto test = to_data(test_words);
  const auto problem = make_sequence_problem(data, kLayout, SequenceLoss::kNormalizedHamming);
  Curve curve;
  train(*problem, reference_options(average), curve);
  ASSERT_EQ(curve.progress.size(), 5U);

  std::ifstream lines(kData / "reference-curves" / file);
  std::string line;
  std::size_t pass = 0;
  while (std::getline(lines, line)) {
    if (line.empty() || line[0] == '#' || line[0] == 'r') continue;
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
    ASSERT_EQ(fields.size(), 8U) << line;
    const Progress& now = curve.progress.at(pass);
    const std::string where = file + " pass " + fields[0] + " ";
    expect_printed(*now.primal, fields[3], where + "primal");
    expect_printed(now.dual, fields[4], where + "dual");
    expect_printed(*now.gap(), fields[5], where + "gap");
    expect_printed(mean_error(*data, curve.weights[pass]), fields[6], where + "train error");
    expect_printed(mean_error(*test, curve.weights[pass]), fields[7], where + "test error");
    ++pass;
  }
  EXPECT_EQ(pass, 5U);
}

bool has_data() {
  return std::filesystem::exists(kData / "reference-curves");
}

TEST(ReferenceCurves, BcfwGivesEveryPrintedDigit) {
  if (!has_data()) GTEST_SKIP() << "the reference curves are not in this checkout";
  expect_curve("bcfw-base.csv", Average::kNone);
}

TEST(ReferenceCurves, WeightedAverageGivesEveryPrintedDigit) {
  if (!has_data()) GTEST_SKIP() << "the reference curves are not in this checkout";
  expect_curve("bcfw-base-wavg.csv", Average::kWeighted);
}

TEST(ReferenceCurves, WeightVectorsAgreeWithTheMatlabCode) {
  if (!has_data()) GTEST_SKIP() << "the reference weights are not in this checkout";
  const auto data = to_data(training_words(read_words()));
  const auto problem = make_sequence_problem(data, kLayout, SequenceLoss::kNormalizedHamming);
  ASSERT_EQ(problem->num_blocks(), 6251);
  ASSERT_EQ(problem->dimension(), 4082);
  Curve curve;
  train(*problem, reference_options(Average::kWeighted), curve);
  double worst = 0.0;
  for (std::size_t pass = 0; pass < 5; ++pass) {
    const auto expected =
        read_numbers(kData / "reference-curves" /
                     ("matlab-bcfw-wavg-weights-pass" + std::to_string(pass + 1) + ".csv"));
    const auto found = in_reference_order(curve.weights.at(pass));
    ASSERT_EQ(expected.size(), found.size());
    for (std::size_t j = 0; j < found.size(); ++j) {
      worst = std::max(worst, std::abs(found[j] - expected[j]));
    }
  }
  EXPECT_LE(worst, 1e-12);
  RecordProperty("worst_difference", std::to_string(worst * 1e15) + "e-15");
}

}  // namespace
}  // namespace gapwise::internal
