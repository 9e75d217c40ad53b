#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "report/assets.h"
#include "report/chart.h"
#include "report/html.h"
#include "report/sections.h"

namespace gapwise::internal {
namespace {

constexpr double kFarApart = 20.0;  // runs of so different lengths want a logarithmic axis

using Value = std::function<std::optional<double>(const Run&, const Moment&)>;

Band band_of_group(const RunGroup& group, const Value& value) {
  std::vector<Steps> runs;
  for (const Run* const run : group.runs) {
    Steps steps;
    for (const Moment& moment : run->moments) {
      const auto y = value(*run, moment);
      if (y) steps.emplace_back(moment.effective_passes, *y);
    }
    runs.push_back(std::move(steps));
  }
  return band_of(runs);
}

/// A picture that can be scrolled where it is wider than the page.
std::string still_frame(const Chart& chart) {
  return fmt::format(
      "<div class=\"frame still\" tabindex=\"0\" role=\"group\" aria-label=\"Chart: {}\">{}</div>",
      escaped(chart.title), to_svg(chart));
}

/// Curves of all groups over effective passes.
class Curves {
 public:
  explicit Curves(const ReportInput& input)
      : runs_(input.set.runs), groups_(group_runs(input.set.runs)) {
    double shortest = INFINITY;
    double longest = 0.0;
    for (const Run& run : runs_) {
      const double end = run.moments.back().effective_passes;
      shortest = std::min(shortest, end);
      longest = std::max(longest, end);
    }
    is_log_x_ = shortest > 0.0 && longest / shortest > kFarApart;
  }

  bool is_log_x() const { return is_log_x_; }

  std::string legend() const {
    std::string items;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const RunGroup& group = groups_[g];
      std::string name = escaped(group.name);
      if (group.runs.size() > 1) name += fmt::format(", {} runs", group.runs.size());
      if (lacks_certificate(*group.runs.front())) name += " *";
      items += fmt::format(
          "<li data-group=\"{}\"><svg class=\"swatch\" viewBox=\"0 0 60 20\" aria-hidden=\"true\">"
          "<path class=\"{}\" d=\"M2 10H58\"/></svg> <span>{}</span>\n",
          g, line_class(g, false), name);
    }
    return fmt::format("<ul class=\"legend\" id=\"legend\">{}</ul>\n", items);
  }

  std::string gap() const {
    Chart chart = empty("Gap", "gap, % of the primal");
    chart.is_log_y = true;
    std::map<const Run*, double> bounds;
    for (const Run& run : runs_) bounds[&run] = best_dual(runs_, run);
    add(chart, false, [&](const Run& run, const Moment& moment) -> std::optional<double> {
      const auto gap = shown_gap(moment, bounds.at(&run));
      if (!gap) return std::nullopt;
      return 100.0 * *gap;
    });
    return figure(chart, "gap", "The optimum is at most so much below the objective.");
  }

  std::string bounds() const {
    Chart chart = empty("Primal and dual", "objective");
    add(chart, false, [](const Run&, const Moment& moment) { return moment.primal; });
    add(chart, true, [](const Run&, const Moment& moment) { return moment.dual; });
    return figure(chart, "primal dual",
                  "The optimum lies between the dual (dashed, from below) and the primal (solid, "
                  "from above).");
  }

  std::string test() const {
    std::string metric;
    for (const Run& run : runs_) {
      if (metric.empty()) metric = run.main_metric;
    }
    const bool has_way = std::any_of(runs_.begin(), runs_.end(), [&](const Run& run) {
      return std::count_if(run.moments.begin(), run.moments.end(), [&](const Moment& moment) {
               return moment.test_of(metric).has_value();
             }) > 1;
    });
    if (!has_way) return {};  // a single point is no curve; it stands in the table of runs
    Chart chart = empty("Test", "test " + metric);
    add(chart, false, [&](const Run&, const Moment& moment) { return moment.test_of(metric); });
    return figure(chart, "test:" + metric, "Measured on data that were not trained on.");
  }

 private:
  Chart empty(std::string title, std::string y_label) const {
    Chart chart;
    chart.title = std::move(title);
    chart.x_label = "effective passes";
    chart.y_label = std::move(y_label);
    chart.is_log_x = is_log_x_;
    return chart;
  }

  void add(Chart& chart, bool is_dashed, const Value& value) const {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      Band band = band_of_group(groups_[g], value);
      if (!band.is_empty()) {
        chart.series.push_back({groups_[g].name, g, is_dashed, false, std::move(band)});
      }
    }
  }

  /// Empty if nothing was measured.
  static std::string figure(Chart& chart, const std::string& keys, const std::string& words) {
    if (chart.series.empty()) return {};
    chart.description = words + " The numbers are in the tables of measurements.";
    return fmt::format(
        "<figure class=\"chart\" data-keys=\"{}\" data-title=\"{}\" data-log=\"{}\">"
        "<h3>{}</h3>{}<figcaption>{}</figcaption></figure>\n",
        escaped(keys), escaped(chart.y_label), chart.is_log_y ? 1 : 0, escaped(chart.title),
        still_frame(chart), escaped(words));
  }

  const std::vector<Run>& runs_;
  std::vector<RunGroup> groups_;
  bool is_log_x_ = false;
};

std::string radio(const char* group, const char* value, const char* words, bool is_on) {
  return fmt::format("<label><input type=\"radio\" name=\"{}\" value=\"{}\"{}> {}</label> ", group,
                     value, is_on ? " checked" : "", words);
}

/// Shown by the script, since it does nothing without.
std::string controls(bool is_log_x) {
  if (!assets().script.is_there()) return {};
  return fmt::format(
      "<form id=\"controls\" class=\"controls\" hidden><fieldset><legend>Over</legend>{}{}{}"
      "</fieldset><fieldset><legend>Across</legend>{}{}</fieldset><fieldset><legend>Up</legend>{}{}"
      "{}</fieldset><p class=\"note\">Drag to zoom, double-click or Escape to go back; on a chart "
      "the arrow keys read it.</p></form>\n",
      radio("x", "passes", "effective passes", true), radio("x", "calls", "oracle calls", false),
      radio("x", "seconds", "seconds", false), radio("xscale", "linear", "linear", !is_log_x),
      radio("xscale", "log", "logarithmic", is_log_x), radio("yscale", "own", "as fits", true),
      radio("yscale", "linear", "linear", false), radio("yscale", "log", "logarithmic", false));
}

Series line(const std::string& name, std::size_t colour, bool is_dashed) {
  Series series;
  series.name = name;
  series.colour = colour;
  series.is_dashed = is_dashed;
  series.is_joined = true;
  return series;
}

void put(Series& series, double x, const Spread& spread) {
  series.band.x.push_back(x);
  series.band.low.push_back(spread.low);
  series.band.middle.push_back(spread.middle);
  series.band.high.push_back(spread.high);
}

Chart lambda_chart(std::string title, std::string y_label) {
  Chart chart;
  chart.title = std::move(title);
  chart.x_label = "lambda (less regularisation to the right)";
  chart.y_label = std::move(y_label);
  chart.is_log_x = true;
  chart.is_falling_x = true;
  return chart;
}

std::string path_figures(const std::vector<PathCurve>& paths) {
  Chart scores = lambda_chart("Test score over lambda", "");
  Chart bounds = lambda_chart("Primal and dual over lambda", "objective");
  for (std::size_t k = 0; k < paths.size(); ++k) {
    Series score = line(paths[k].label, k, false);
    Series primal = score;
    Series dual = line(paths[k].label, k, true);
    for (const PathPoint& point : paths[k].points) {
      const Metric* const metric = point.test ? main_metric(*point.test) : nullptr;
      if (metric != nullptr) {
        put(score, point.lambda, {metric->value, metric->value, metric->value});
        scores.y_label = "test " + metric->name;
      }
      put(primal, point.lambda, {point.primal, point.primal, point.primal});
      if (std::isfinite(point.dual)) put(dual, point.lambda, {point.dual, point.dual, point.dual});
    }
    if (!score.band.is_empty()) scores.series.push_back(std::move(score));
    bounds.series.push_back(std::move(primal));
    if (!dual.band.is_empty()) bounds.series.push_back(std::move(dual));
  }
  std::string out;
  if (!scores.series.empty())
    out += still_figure(scores, "How good the weights of each lambda are.");
  return out +
         still_figure(bounds, "At every lambda the optimum lies between dual (dashed) and primal.");
}

std::string path_table(const PathCurve& curve) {
  const std::string metric = curve.main_metric;
  std::vector<Column> columns{
      {"lambda"}, {"primal"},       {"dual"},   {"gap"}, {"certified", {}, true},
      {"passes"}, {"oracle calls"}, {"seconds"}};
  if (!metric.empty()) columns.push_back({"test " + escaped(metric)});
  Table table(fmt::format("Path {}: {} points", escaped(curve.label), curve.points.size()),
              columns);
  for (const PathPoint& point : curve.points) {
    const bool has_dual = std::isfinite(point.dual);
    std::vector<Cell> row{{show_number(point.lambda), {}, false},
                          {show_number(point.primal), {}, false},
                          {has_dual ? show_number(point.dual) : "", {}, false},
                          {has_dual ? show_number(point.gap()) : "", {}, false},
                          {point.is_certified ? "yes" : "no", {}, false},
                          {show_whole(static_cast<double>(point.passes)), {}, false},
                          {show_whole(static_cast<double>(point.oracle_calls)), {}, false},
                          {show_number(point.seconds), {}, false}};
    if (!metric.empty()) {
      const Metric* const found = point.test ? find_metric(*point.test, metric) : nullptr;
      row.push_back({found == nullptr ? "" : show_number(found->value), {}, false});
    }
    table.add(std::move(row));
  }
  return table.html();
}

std::string search_part(const LambdaSearch& search) {
  Chart chart = lambda_chart("Score on examples held out", search.metric);
  Series series = line(search.metric, 0, false);
  const bool has_folds = !search.table.empty() && search.table.front().error.has_value();
  Table table("Scores of the search",
              {{"lambda"}, {escaped(search.metric)}, {"standard error"}, {"", {}, true}});
  for (std::size_t k = 0; k < search.table.size(); ++k) {
    const LambdaScore& row = search.table[k];
    const double error = row.error.value_or(0.0);
    put(series, row.lambda, {row.mean - error, row.mean, row.mean + error});
    table.add({{show_number(row.lambda), {}, false},
               {show_number(row.mean), {}, false},
               {row.error ? show_number(*row.error) : "", {}, false},
               {k == search.chosen ? "chosen"
                : k == search.best ? "best"
                                   : "",
                {},
                false}});
  }
  chart.series.push_back(std::move(series));
  return still_figure(chart, has_folds ? "Mean over the folds, with its standard error."
                                       : "Score of each lambda that was tried.") +
         table.html();
}

}  // namespace

std::string still_figure(Chart& chart, const std::string& words) {
  chart.description = words + " The numbers are in the table below.";
  return fmt::format("<figure><h3>{}</h3>{}<figcaption>{}</figcaption></figure>\n",
                     escaped(chart.title), still_frame(chart), escaped(words));
}

std::string curves_section(const ReportInput& input) {
  if (input.set.runs.empty()) return {};
  const Curves curves(input);
  std::string notes;
  if (input.set.runs.size() > 1) {
    notes =
        "<p class=\"note\">Lines hold the value of the last measurement until the next one. Of "
        "several seeds the line is the median, the band goes from the lowest to the highest; a run "
        "that has ended keeps its last value.</p>\n";
  }
  return section("curves", "Curves",
                 curves.legend() + controls(curves.is_log_x()) + curves.gap() + curves.bounds() +
                     curves.test() + notes);
}

std::string lambda_section(const ReportInput& input) {
  std::string parts;
  if (input.search && !input.search->table.empty()) parts += search_part(*input.search);
  if (!input.set.paths.empty()) parts += path_figures(input.set.paths);
  for (const PathCurve& curve : input.set.paths) {
    if (!curve.is_grid) {
      parts += fmt::format("<p>Path {}: within {} of the optimum between its points, too.</p>\n",
                           escaped(curve.label), show_number(curve.epsilon));
    }
    parts += path_table(curve);
  }
  if (parts.empty()) return {};
  return section("lambda", "Lambda", parts);
}

}  // namespace gapwise::internal
