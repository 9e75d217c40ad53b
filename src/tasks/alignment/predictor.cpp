#include "tasks/alignment/predictor.h"

#include <fmt/format.h>

#include <functional>
#include <iterator>
#include <ostream>

#include "tasks/shared/weight_tables.h"

namespace gapwise::internal {
namespace {

/// Pairs are read, aligned and let go in runs of about this many links, so that memory does not
/// grow with the file.
constexpr std::size_t kBatchLinks = std::size_t{1} << 17;

/// Predicted links that are right, by how right they are.
struct LinkCounts {
  Index predicted = 0;
  Index sure = 0;
  Index sure_found = 0;
  Index possible_found = 0;  ///< sure ones are possible as well

  static double share(Index part, Index whole, double of_nothing) {
    return whole == 0 ? of_nothing : static_cast<double>(part) / static_cast<double>(whole);
  }
  Metrics metrics() const {
    return {{"precision", share(possible_found, predicted, 1.0)},
            {"recall", share(sure_found, sure, 1.0)},
            {"aer", 1.0 - share(sure_found + possible_found, predicted + sure, 1.0)}};
  }
};

class AlignmentPredictor final : public Predictor {
 public:
  explicit AlignmentPredictor(AlignmentModel model) : model_(std::move(model)) {}

  Metrics evaluate(const DataSource& source, const Threads& threads) const override {
    LinkCounts counts;
    for_each_pair(
        source, true, threads,
        [&](const AlignmentBatch& batch, Index i, std::span<const std::int32_t> target_of) {
          const AlignmentData& data = batch.data;
          const std::span gold(data.gold.data() + data.first_link(i), data.num_links(i));
          const auto targets = static_cast<std::size_t>(data.targets[static_cast<std::size_t>(i)]);
          counts.sure += std::count(gold.begin(), gold.end(), Gold::kSure);
          for (std::size_t s = 0; s < target_of.size(); ++s) {
            if (target_of[s] == kUnmatched) continue;
            const Gold kind = gold[s * targets + static_cast<std::size_t>(target_of[s])];
            ++counts.predicted;
            counts.sure_found += kind == Gold::kSure ? 1 : 0;
            counts.possible_found += kind != Gold::kWrong ? 1 : 0;
          }
        });
    return counts.metrics();
  }

  void predict(const DataSource& source, const Threads& threads, std::ostream& out) const override {
    std::string text;
    for_each_pair(
        source, false, threads,
        [&](const AlignmentBatch& batch, Index i, std::span<const std::int32_t> target_of) {
          const PairEcho& echo = batch.echoes[static_cast<std::size_t>(i)];
          text = echo.prefix;
          for (std::size_t s = 0; s < target_of.size(); ++s) {
            if (target_of[s] == kUnmatched) continue;
            fmt::format_to(std::back_inserter(text), "{}-{} ", echo.sources[s],
                           echo.targets[static_cast<std::size_t>(target_of[s])]);
          }
          if (text.ends_with(' ')) text.pop_back();
          text.push_back('\n');
          out.write(text.data(), static_cast<std::streamsize>(text.size()));
        });
  }

  std::vector<WeightTable> top_weights(std::size_t count) const override {
    return {weight_table("links", {model_.w, 0, 1, std::ssize(model_.w)}, count, [&](Index k) {
      return model_.attributes.display_name(static_cast<std::size_t>(k));
    })};
  }

 private:
  using VisitPair =
      std::function<void(const AlignmentBatch&, Index, std::span<const std::int32_t>)>;

  void for_each_pair(const DataSource& source, bool needs_gold, const Threads& threads,
                     const VisitPair& visit) const;

  AlignmentModel model_;
};

void AlignmentPredictor::for_each_pair(const DataSource& source, bool needs_gold,
                                       const Threads& threads, const VisitPair& visit) const {
  const AlignmentPlan plan = plan_for(source, model_.plan);
  LinkBuilder builder(std::as_const(model_.attributes));
  const auto input = open_alignment_input(source, plan, needs_gold, builder);
  std::vector<Aligner> aligners(static_cast<std::size_t>(threads.count()), Aligner(model_.w));
  bool has_more = true;
  while (has_more) {
    while (builder.num_links() < kBatchLinks && (has_more = input->read())) {
    }
    const AlignmentBatch batch = builder.take();
    std::vector<std::vector<std::int32_t>> found(static_cast<std::size_t>(batch.data.size()));
    threads.run(batch.data.size(), [&](Index begin, Index end, int slot) {
      for (Index i = begin; i < end; ++i) {
        const auto links = aligners[static_cast<std::size_t>(slot)].align(batch.data, i);
        found[static_cast<std::size_t>(i)].assign(links.begin(), links.end());
      }
    });
    for (Index i = 0; i < batch.data.size(); ++i) {
      visit(batch, i, found[static_cast<std::size_t>(i)]);
    }
  }
}

}  // namespace

std::unique_ptr<Predictor> make_alignment_predictor(AlignmentModel model) {
  return std::make_unique<AlignmentPredictor>(std::move(model));
}

}  // namespace gapwise::internal
