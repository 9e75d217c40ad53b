#include <fmt/format.h>

#include "report/chart.h"
#include "report/html.h"
#include "report/sections.h"

namespace gapwise::internal {
namespace {

/// A step for each bin, drawn from 0 up.
Series steps_of(const GapHistogram& histogram, std::size_t colour, double (*height)(const GapBin&),
                double scale) {
  Series series;
  series.colour = colour;
  series.is_dashed = colour > 0;
  const auto put = [&](double at, double value) {
    series.band.x.push_back(at);
    series.band.low.push_back(colour > 0 ? value : 0.0);  // only one is filled
    series.band.middle.push_back(value);
    series.band.high.push_back(value);
  };
  const GapBin& first = histogram.bins.front();
  put(first.from * first.from / first.to, 0.0);
  for (const GapBin& bin : histogram.bins) put(bin.from, scale * height(bin));
  put(histogram.bins.back().to, 0.0);
  return series;
}

std::string figure_of(const GapHistogram& histogram, Index n) {
  Chart chart;
  chart.title = "Gaps of the examples";
  chart.x_label = "gap of an example";
  chart.y_label = "%";
  chart.is_log_x = true;
  chart.series.push_back(steps_of(
      histogram, 0, [](const GapBin& bin) { return static_cast<double>(bin.examples); },
      100.0 / static_cast<double>(n)));
  chart.series.push_back(steps_of(
      histogram, 1, [](const GapBin& bin) { return bin.share; }, 100.0));
  return still_figure(chart,
                      "Filled: share of the examples. Dashed: what these examples hold of "
                      "the whole gap.");
}

std::string table_of(const GapHistogram& histogram) {
  Table table("Gaps of the examples",
              {{"at least"}, {"below"}, {"examples"}, {"of the whole gap"}});
  for (const GapBin& bin : histogram.bins) {
    table.add({{show_short(bin.from), {}, false},
               {show_short(bin.to), {}, false},
               {show_whole(static_cast<double>(bin.examples)), {}, false},
               {show_share(bin.share), {}, false}});
  }
  return table.html();
}

std::string part_of(const Run& run) {
  std::string closed;
  if (run.block_gaps.closed > 0) {
    closed = fmt::format("<p>{} of {} examples have no gap, or one below the bars.</p>\n",
                         show_whole(static_cast<double>(run.block_gaps.closed)),
                         show_whole(static_cast<double>(run.n)));
  }
  return figure_of(run.block_gaps, run.n) + closed + table_of(run.block_gaps);
}

}  // namespace

std::string block_gap_section(const ReportInput& input) {
  std::string parts;
  for (const RunGroup& group : group_runs(input.set.runs)) {
    const Run& run = *group.runs.front();  // others differ in their seed only
    if (run.block_gaps.bins.empty() || run.n <= 0) continue;
    const bool is_alone = input.set.runs.size() == 1;
    parts += is_alone ? part_of(run) : folded(escaped(run.label), part_of(run));
  }
  if (parts.empty()) return {};
  return section(
      "block-gaps", "Where the gap lies",
      "<p class=\"note\">The gap of a run is the sum of the gaps of its examples, each as "
      "the solver last saw it.</p>\n" +
          parts);
}

}  // namespace gapwise::internal
