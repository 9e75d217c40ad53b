#include <gtest/gtest.h>

#include <sstream>

#include "tasks/sequence/reading.h"
#include "tasks/task.h"

namespace gapwise::internal {
namespace {

/// The first token looks like A, but A B is worse than B B: a narrow beam does not see it.
constexpr const char* kText = "A\tx\nA\ty\n\nB\tx\nB\ty\n";

class SequenceVariants : public ::testing::Test {
 protected:
  ModelRecord model(std::string_view option, std::string_view value) {
    const auto driver = make_task_driver("sequence");
    set_option(driver->options(), option, value);
    const auto set = driver->read_training(source_, threads_);
    std::vector<double> w(static_cast<std::size_t>(set->problem().dimension()), 0.0);
    w[0] = 1.0;       // x as A
    w.back() = 10.0;  // B -> B
    return set->make_model(w);
  }
  std::string predict(const ModelRecord& model) {
    std::ostringstream out;
    make_task_driver("sequence")
        ->open(model)
        ->predict(source_, threads_, [&](std::string_view text) { out << text; });
    return out.str();
  }

  ScratchFolder folder_;
  Threads threads_{1};
  DataSource source_ = [this] {
    write_file(folder_.path("data"), kText);
    return DataSource{folder_.path("data"), "crfsuite", ""};
  }();
};

TEST_F(SequenceVariants, ModelsKeepTheBeamTheyWereTrainedWith) {
  EXPECT_EQ(predict(model("beam", "0")), "B\nB\n\nB\nB\n");
  EXPECT_EQ(predict(model("beam", "2")), "B\nB\n\nB\nB\n");
  EXPECT_EQ(predict(model("beam", "1")).substr(0, 2), "A\n");
}

TEST_F(SequenceVariants, ModelsThatSayNothingOfThemAreTheUsualOnes) {
  ModelRecord old = model("rescaling", "slack");
  EXPECT_EQ(old.settings["rescaling"], "slack");
  old.settings.erase("rescaling");
  old.settings.erase("beam");
  EXPECT_EQ(predict(old), "B\nB\n\nB\nB\n");
}

TEST_F(SequenceVariants, ModelsWithOnesThatDoNotExistAreRefused) {
  ModelRecord wrong = model("rescaling", "margin");
  wrong.settings["rescaling"] = "huge";
  EXPECT_NE(message_of([&] { predict(wrong); }).find("unknown rescaling 'huge'"),
            std::string::npos);
  wrong.settings["rescaling"] = "margin";
  for (const char* beam : {"-1", "two", "99999999999"}) {
    wrong.settings["beam"] = beam;
    EXPECT_NE(message_of([&] { predict(wrong); }).find("beam"), std::string::npos) << beam;
  }
}

}  // namespace
}  // namespace gapwise::internal
