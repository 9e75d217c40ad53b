#include <fmt/format.h>

#include <utility>

#include "io/fields.h"
#include "io/folds.h"
#include "tasks/alignment/driver.h"
#include "tasks/alignment/points.h"
#include "tasks/alignment/word_features.h"

namespace gapwise::internal {
namespace {

/// Reads all pairs, to count words in them; then takes those that were asked for.
void read_word_pairs(const DataSource& source, const std::string& bitext, AlignmentPlan& plan,
                     LinkBuilder& builder) {
  const auto reader = open_word_pairs(source, plan, true);
  const Folds folds(source.folds);
  std::vector<WordPair> pairs;
  DiceCounter counter;
  WordPair pair;
  for (Index number = 1; reader->read(pair); ++number) {
    counter.add(pair);
    if (!folds.contains(number)) continue;
    expect_gold(reader->lines(), pair);
    pairs.push_back(std::move(pair));
  }
  if (pairs.empty()) fail_without_pairs(reader->lines(), source.folds);
  count_bitext(bitext, counter);
  plan.dice = counter.finish();
  if (plan.format == "alignment") plan.files.given = reader->given_names();
  WordFeatures features(reader->given_names(), plan.dice, builder);
  for (const WordPair& chosen : pairs) features.add(chosen, first_position(plan.format));
}

void read_point_pairs(const DataSource& source, AlignmentPlan& plan, LinkBuilder& builder) {
  const PointTable table(source.path, plan.points);
  plan.spreads = table.spreads();
  PointPairReader reader(source, table, plan.spreads, builder);
  while (reader.read()) {
  }
  if (builder.num_pairs() == 0) fail_without_pairs(reader.lines(), source.folds);
}

class AlignmentTrainingSet final : public TrainingSet {
 public:
  AlignmentTrainingSet(const DataSource& source, AlignmentPlan plan, const std::string& bitext,
                       const AlignmentCosts& costs)
      : plan_(std::move(plan)), costs_(costs) {
    LinkBuilder builder(attributes_);
    if (plan_.format == "points") {
      read_point_pairs(source, plan_, builder);
    } else {
      read_word_pairs(source, bitext, plan_, builder);
    }
    num_links_ = builder.num_links();
    problem_ = make_alignment_problem(std::make_shared<const AlignmentData>(builder.take().data),
                                      costs, plan_.fertility);
  }

  const Problem& problem() const override { return *problem_; }

  std::string describe() const override {
    return fmt::format("{}, {}, {}",
                       counted(static_cast<std::size_t>(problem_->num_blocks()), "pair"),
                       counted(num_links_, "link"), counted(attributes_.size(), "attribute"));
  }

  ModelRecord make_model(Weights w, Keep keep) const override {
    return encode_alignment_model(plan_, costs_, attributes_, w, keep);
  }

 private:
  AlignmentPlan plan_;
  AlignmentCosts costs_;
  Alphabet attributes_;
  std::size_t num_links_ = 0;
  std::unique_ptr<Problem> problem_;
};

}  // namespace

std::unique_ptr<TrainingSet> make_alignment_training_set(const DataSource& source,
                                                         AlignmentPlan plan,
                                                         const std::string& bitext,
                                                         const AlignmentCosts& costs) {
  return std::make_unique<AlignmentTrainingSet>(source, plan_for(source, std::move(plan)), bitext,
                                                costs);
}

}  // namespace gapwise::internal
