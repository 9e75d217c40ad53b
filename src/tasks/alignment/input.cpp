#include "tasks/alignment/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "io/fields.h"
#include "io/folds.h"
#include "tasks/alignment/points.h"
#include "tasks/alignment/word_features.h"
#include "tasks/shared/head_lines.h"

namespace gapwise::internal {
namespace {

/// Pairs of words. Only the alignments that the plan names are looked at.
class WordInput final : public AlignmentInput {
 public:
  WordInput(const DataSource& source, const AlignmentPlan& plan, bool needs_gold,
            LinkBuilder& builder)
      : reader_(open_word_pairs(source, plan, needs_gold)),
        folds_(source.folds),
        needs_gold_(needs_gold),
        first_position_(first_position(plan.format)),
        features_(names_of(plan), plan.dice, builder),
        names_(names_of(plan)) {}

  bool read() override {
    while (reader_->read(pair_)) {
      if (++number_ == 1) find_given();
      if (!folds_.contains(number_)) continue;
      if (needs_gold_) expect_gold(reader_->lines(), pair_);
      choose_given();
      features_.add(pair_, first_position_);
      return true;
    }
    return false;
  }
  const LineReader& lines() const override { return reader_->lines(); }

 private:
  static std::vector<std::string> names_of(const AlignmentPlan& plan) {
    std::vector<std::string> names;
    for (const std::string& given : plan.files.given) names.push_back(alignment_name(given));
    return names;
  }

  void find_given() {
    const std::vector<std::string>& present = reader_->given_names();
    for (const std::string& name : names_) {
      const auto found = std::find(present.begin(), present.end(), name);
      if (found == present.end()) {
        reader_->lines().fail(
            fmt::format("alignment '{}', which the model looks at, is missing; "
                        "add it to every line",
                        name));
      }
      places_.push_back(static_cast<std::size_t>(found - present.begin()));
    }
  }

  void choose_given() {
    std::vector<Links> chosen;
    for (const std::size_t place : places_) chosen.push_back(pair_.given[place]);
    pair_.given = std::move(chosen);
  }

  std::unique_ptr<WordPairReader> reader_;
  Folds folds_;
  bool needs_gold_;
  Index first_position_;
  WordFeatures features_;
  std::vector<std::string> names_;
  std::vector<std::size_t> places_;  ///< of the names among those of the reader
  WordPair pair_;
  Index number_ = 0;
};

class PointInput final : public AlignmentInput {
 public:
  PointInput(const DataSource& source, const AlignmentPlan& plan, LinkBuilder& builder)
      : table_(source.path, plan.points), reader_(source, table_, plan.spreads, builder) {
    if (plan.spreads.size() != table_.columns().size()) {
      throw InputError(
          fmt::format("{}: its points have {} numbers, but those the model was trained "
                      "on have {}; give it the same files",
                      reader_.lines().name(), table_.columns().size(), plan.spreads.size()));
    }
  }

  bool read() override { return reader_.read(); }
  const LineReader& lines() const override { return reader_.lines(); }

 private:
  PointTable table_;
  PointPairReader reader_;
};

}  // namespace

std::vector<std::string_view> alignment_formats() {
  return {"alignment", "parallel", "points"};
}

bool looks_like_pairs(std::string_view head) {
  constexpr std::string_view kBar = "|||";
  bool has_pairs = false;
  for (std::string_view line : head_lines(head)) {
    line = trim_blanks(line);
    if (line.empty()) continue;
    const std::size_t bar = line.find(kBar);
    if (bar == std::string_view::npos || bar == 0) return false;
    const std::string_view behind = trim_blanks(line.substr(bar + kBar.size()));
    if (behind.empty() || behind.starts_with(kBar)) return false;
    has_pairs = true;
  }
  return has_pairs;
}

AlignmentPlan plan_for(const DataSource& source, AlignmentPlan plan) {
  if (!source.format.empty()) plan.format = source.format;
  const std::vector<std::string_view> formats = alignment_formats();
  if (std::find(formats.begin(), formats.end(), plan.format) == formats.end()) {
    throw OptionError(
        fmt::format("format '{}' is not one of {}", plan.format, fmt::join(formats, ", ")));
  }
  return plan;
}

std::unique_ptr<WordPairReader> open_word_pairs(const DataSource& source, const AlignmentPlan& plan,
                                                bool needs_gold) {
  if (plan.format == "alignment") return make_alignment_reader(source.path);
  ParallelFiles files = plan.files;
  if (!needs_gold) files.gold.clear();
  return make_parallel_reader(source.path, files);
}

Index first_position(const std::string& format) {
  return format == "alignment" ? 1 : 0;
}

std::unique_ptr<AlignmentInput> open_alignment_input(const DataSource& source,
                                                     const AlignmentPlan& plan, bool needs_gold,
                                                     LinkBuilder& builder) {
  if (plan.format == "points") return std::make_unique<PointInput>(source, plan, builder);
  return std::make_unique<WordInput>(source, plan, needs_gold, builder);
}

void fail_without_pairs(const LineReader& lines, const std::string& folds) {
  if (lines.line_number() > 0 && !folds.empty()) {
    throw InputError(fmt::format("{}: none of its pairs has a number of {}; pairs count from 1",
                                 lines.name(), folds));
  }
  throw InputError(fmt::format("{}: {}; expected a pair on each line", lines.name(),
                               lines.line_number() == 0 ? "is empty" : "holds no pairs"));
}

void expect_gold(const LineReader& lines, const WordPair& pair) {
  if (pair.gold) return;
  lines.fail("the pair has no gold links; expected 'source ||| target ||| gold'");
}

}  // namespace gapwise::internal
