// The multiclass SVM of Crammer and Singer is also solved by LIBLINEAR (-s 4), whose C is
// 1 / (lambda n): both must find the same optimum. Skipped where the program is not installed.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gapwise/train.h"
#include "io/files.h"
#include "io/lines.h"
#include "support/primal.h"
#include "support/scratch_folder.h"
#include "tasks/task.h"

namespace gapwise::internal {
namespace {

constexpr double kAccuracy = 1e-4;

/// Processor seconds so far: of this process, or of all that it has run and waited for.
double used_seconds(int who) {
  rusage usage{};
  ::getrusage(who, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

bool has_liblinear() {
  return std::system("command -v liblinear-train >/dev/null 2>&1") == 0;
}

/// The plain text of a file that may be packed.
std::string text_of(const std::string& path) {
  LineReader lines(path);
  std::string text;
  std::string_view line;
  while (lines.next(line)) text.append(line).push_back('\n');
  return text;
}

/// The weights that LIBLINEAR wrote, in the order of `training`.
std::vector<double> read_weights(const std::string& path, const TrainingSet& training) {
  const auto dimension = static_cast<std::size_t>(training.problem().dimension());
  const ModelRecord order = training.make_model(std::vector<double>(dimension, 1.0));
  const auto& names = order.lists.at("labels");
  std::ifstream file(path);
  std::vector<std::size_t> columns;  // of our classes
  std::string line;
  while (std::getline(file, line) && line != "w") {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word != "label") continue;
    while (words >> word) {
      columns.push_back(
          static_cast<std::size_t>(std::find(names.begin(), names.end(), word) - names.begin()));
    }
  }
  std::vector<double> w(dimension, 0.0);
  std::int64_t index = 0;
  std::size_t attribute = 0;
  const auto& indices = order.numbers.at("features");
  while (std::getline(file, line) && attribute < indices.size()) {
    if (++index != indices[attribute]) continue;
    std::istringstream numbers(line);
    for (const std::size_t column : columns) numbers >> w[attribute * names.size() + column];
    ++attribute;
  }
  return w;
}

void compare(const std::string& name) {
  const std::string path = std::string(GAPWISE_SHARED_DATA) + "/" + name;
  if (!std::filesystem::exists(path)) {
    GTEST_SKIP() << "the public data sets are not at hand: '" << path << "'";
  }
  if (!has_liblinear()) GTEST_SKIP() << "liblinear-train is not installed (liblinear-tools)";
  const ScratchFolder folder;
  const std::string data = folder.path("data");
  write_file(data, text_of(path));

  double start = used_seconds(RUSAGE_SELF);
  const auto training = make_task_driver("multiclass")->read_training({data, "", ""}, Threads(1));
  TrainOptions options;
  options.lambda = Lambda::over_n(1.0);
  options.relative_gap = kAccuracy;
  options.max_passes = 10'000;
  options.threads = 1;
  const Report report = train(training->problem(), options);
  const double our_seconds = used_seconds(RUSAGE_SELF) - start;
  ASSERT_EQ(report.reason, StopReason::kConverged);
  const double dual = report.progress.dual;
  EXPECT_LE(*report.progress.primal - dual, kAccuracy * *report.progress.primal);

  const double lambda = 1.0 / static_cast<double>(training->problem().num_blocks());
  double primal = 0.0;
  double their_seconds = 0.0;
  for (const char* tolerance : {"0.0001", "0.00001"}) {  // 0.001 is too loose on both data sets
    const std::string model = folder.path("model");
    start = used_seconds(RUSAGE_CHILDREN);
    const std::string command = std::string("liblinear-train -q -s 4 -c 1 -e ") + tolerance + " " +
                                data + " " + model + " >/dev/null 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    their_seconds = used_seconds(RUSAGE_CHILDREN) - start;
    primal = testing::primal_at(training->problem(), lambda, read_weights(model, *training));
    ASSERT_GE(primal, dual * (1.0 - 1e-9)) << "no weights beat the dual";
    if (primal - dual <= kAccuracy * primal) break;
  }
  EXPECT_NEAR(primal, *report.progress.primal, kAccuracy * primal);
  EXPECT_LE(our_seconds, 2.0 * their_seconds);
  ::testing::Test::RecordProperty("gapwise_primal", std::to_string(*report.progress.primal));
  ::testing::Test::RecordProperty("liblinear_primal", std::to_string(primal));
  ::testing::Test::RecordProperty("gapwise_seconds", std::to_string(our_seconds));
  ::testing::Test::RecordProperty("liblinear_seconds", std::to_string(their_seconds));
}

TEST(Liblinear, AgreesOnDna) {
  compare("dna/dna.scale");
}

TEST(Liblinear, AgreesOnUspsSlow) {
  compare("usps/usps.train.svm.gz");
}

}  // namespace
}  // namespace gapwise::internal
