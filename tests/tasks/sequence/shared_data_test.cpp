#include "support/shared_data.h"

#include <gtest/gtest.h>

#include "tasks/sequence/reading.h"
#include "tasks/sequence/training.h"

namespace gapwise::internal {
namespace {

class SharedData : public testing::SharedDataTest {
 protected:
  static NumberedSequences read(const std::string& name, const std::string& folds = "") {
    SequenceSettings settings;
    return read_sequences({std::string(GAPWISE_SHARED_DATA) + "/" + name, "", folds}, "", settings);
  }
};

TEST_F(SharedData, LettersHaveTheirKnownCounts) {
  const NumberedSequences train = read("ocr-letters/letters.txt.gz", "1-9");
  EXPECT_EQ(train.data->size(), 6251);
  EXPECT_EQ(train.alphabets.labels.size(), 26U);
  EXPECT_EQ(train.alphabets.labels.name(0), "a");
  EXPECT_EQ(train.alphabets.nodes.size(), 129U);
  const NumberedSequences test = read("ocr-letters/letters.txt.gz", "0");
  EXPECT_EQ(test.data->size(), 626);
  EXPECT_EQ(train.data->labels.size() + test.data->labels.size(), 52152U);
  EXPECT_TRUE(train.data->nodes.is_binary());
}

TEST_F(SharedData, ChunksHaveTheirKnownCounts) {
  const NumberedSequences train = read("conll2000/train.txt");
  EXPECT_EQ(train.data->size(), 8936);
  EXPECT_EQ(train.data->labels.size(), 211727U);
  EXPECT_EQ(train.alphabets.labels.size(), 22U);
  EXPECT_EQ(read("conll2000/test.txt").data->size(), 2012);
}

TEST_F(SharedData, SpanishEntitiesHaveTheirKnownCounts) {
  const NumberedSequences train = read("conll2002-spanish/esp.train");
  EXPECT_EQ(train.data->size(), 8323);
  EXPECT_EQ(train.data->labels.size(), 264715U);
  EXPECT_EQ(train.alphabets.labels.size(), 9U);
}

TEST_F(SharedData, LabelSetsHaveTheirKnownCountsInBothFormats) {
  struct Known {
    std::string name;
    std::string suffix;
    std::string description;
  };
  const Threads threads(1);
  for (const Known& known : {Known{"yeast", ".arff.gz", "1500 examples, 14 labels, 104 attributes"},
                             Known{"scene", ".arff.gz", "1211 examples, 6 labels, 295 attributes"},
                             Known{"medical", ".arff", "333 examples, 45 labels, "}}) {
    const std::string folder =
        std::string(GAPWISE_SHARED_DATA) + "/multilabel-" + known.name + "/" + known.name;
    const auto driver = make_task_driver("multilabel");
    set_option(driver->options(), "label-xml", folder + ".xml");
    const auto arff = driver->read_training({folder + "-train" + known.suffix, "", ""}, threads);
    EXPECT_TRUE(arff->describe().starts_with(known.description)) << arff->describe();
    set_option(driver->options(), "label-xml", "");
    const auto svmlight = driver->read_training({folder + "-train.svm.gz", "", ""}, threads);
    if (known.name != "medical") {  // some of its labels do not occur in training
      EXPECT_EQ(arff->problem().fingerprint(), svmlight->problem().fingerprint());
    }
  }
}

}  // namespace
}  // namespace gapwise::internal
