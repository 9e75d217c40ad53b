#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "report/html.h"
#include "report/sections.h"

namespace gapwise::internal {
namespace {

constexpr std::size_t kMostLabels = 24;  // of a matrix
constexpr int kShades = 5;

std::string name_of(const std::string& name) {
  return name.empty() ? "(nothing)" : escaped(name);
}

/// A class for `value` on a scale up to `most`, on either side of 0.
std::string shade_of(double value, double most) {
  if (value == 0.0 || most <= 0.0) return {};
  const int level = static_cast<int>(std::ceil(kShades * std::min(1.0, std::abs(value) / most)));
  return fmt::format("{}{}", value > 0.0 ? "p" : "n", std::max(1, level));
}

std::string metric_table(const Evaluation& evaluation) {
  std::vector<Column> columns{{"figure", {}, true}, {"value"}};
  const bool has_intervals = evaluation.intervals.size() == evaluation.metrics.size();
  if (has_intervals) columns.push_back({"95 % between"});
  Table table("How good the model is on these data", columns);
  for (std::size_t k = 0; k < evaluation.metrics.size(); ++k) {
    const Metric& metric = evaluation.metrics[k];
    std::vector<Cell> row{{escaped(metric.name), {}, false},
                          {show_number(metric.value), {}, false}};
    if (has_intervals) {
      const Interval& interval = evaluation.intervals[k];
      row.push_back({fmt::format("{} and {}", show_short(interval.low), show_short(interval.high)),
                     {},
                     false});
    }
    table.add(std::move(row));
  }
  return table.html();
}

std::string label_table(const std::vector<LabelFigures>& labels) {
  if (labels.empty()) return {};
  Table table("By label", {{"label", {}, true},
                           {"precision"},
                           {"recall"},
                           {"F1"},
                           {"how often right"},
                           {"how often said"}});
  for (const LabelFigures& label : labels) {
    table.add({{name_of(label.label), {}, false},
               {show_short(label.precision()), {}, false},
               {show_short(label.recall()), {}, false},
               {show_short(label.f1()), {}, false},
               {show_whole(label.support), {}, false},
               {show_whole(label.predicted), {}, false}});
  }
  return table.html();
}

/// The names with the largest sums, in the order of the names.
std::vector<std::string> largest(const std::map<std::string, double>& sums) {
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [name, sum] : sums) order.emplace_back(-sum, name);
  std::sort(order.begin(), order.end());
  std::vector<std::string> names;
  for (std::size_t k = 0; k < std::min(kMostLabels, order.size()); ++k) {
    names.push_back(order[k].second);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<Column> matrix_columns(const char* corner, const std::vector<std::string>& names) {
  std::vector<Column> columns{{corner, {}, true}};
  for (const std::string& name : names) columns.push_back({name_of(name)});
  return columns;
}

std::string confusion_table(const std::vector<Confusion>& confusions) {
  std::map<std::string, double> errors;
  double most = 0.0;
  for (const Confusion& confusion : confusions) {
    const double count = confusion.gold == confusion.predicted ? 0.0 : confusion.count;
    errors[confusion.gold] += count;
    errors[confusion.predicted] += count;
    most = std::max(most, count);
  }
  const std::vector<std::string> names = largest(errors);
  if (names.size() < 2 || most == 0.0) return {};
  std::map<std::pair<std::string, std::string>, double> counts;
  for (const Confusion& confusion : confusions) {
    counts[{confusion.gold, confusion.predicted}] += confusion.count;
  }
  Table table(fmt::format("Confusions: what is right (rows) and what was said (columns){}",
                          names.size() < errors.size()
                              ? fmt::format(", the {} labels with the most errors", names.size())
                              : ""),
              matrix_columns("right", names));
  table.mark("class=\"matrix\"");
  for (const std::string& gold : names) {
    std::vector<Cell> row{{name_of(gold), {}, true}};
    for (const std::string& predicted : names) {
      const auto found = counts.find({gold, predicted});
      const double count = found == counts.end() ? 0.0 : found->second;
      // Square roots, or the most frequent confusion would make all others pale.
      const std::string shade =
          gold == predicted ? "same" : shade_of(-std::sqrt(count), std::sqrt(most));
      row.push_back({count == 0.0 ? "" : show_whole(count), shade, false});
    }
    table.add(std::move(row));
  }
  return table.html();
}

std::string weight_matrix(const ViewedMatrix& matrix) {
  const std::size_t size = matrix.names.size();
  std::map<std::string, double> lengths;
  double most = 0.0;
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = 0; b < size; ++b) {
      const double weight = std::abs(matrix.values[a * size + b]);
      lengths[matrix.names[a]] += weight;
      lengths[matrix.names[b]] += weight;
      most = std::max(most, weight);
    }
  }
  const std::vector<std::string> kept = largest(lengths);
  const std::set<std::string> is_kept(kept.begin(), kept.end());
  std::vector<std::size_t> places;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < size; ++k) {
    if (!is_kept.contains(matrix.names[k])) continue;
    places.push_back(k);
    names.push_back(matrix.names[k]);
  }
  Table table(fmt::format("Weights: {}, from rows to columns{}", escaped(matrix.name),
                          names.size() < size
                              ? fmt::format(", the {} largest of {} labels", names.size(), size)
                              : ""),
              matrix_columns("from", names));
  table.mark("class=\"matrix\"");
  for (const std::size_t a : places) {
    std::vector<Cell> row{{name_of(matrix.names[a]), {}, true}};
    for (const std::size_t b : places) {
      const double weight = matrix.values[a * size + b];
      row.push_back({fmt::format("{:.2f}", weight), shade_of(weight, most), false});
    }
    table.add(std::move(row));
  }
  return table.html();
}

std::string top_weights(const std::vector<WeightTable>& tables) {
  std::string out;
  for (std::size_t k = 0; k < std::min(2 * kMostLabels, tables.size()); ++k) {
    double most = 0.0;
    for (const auto& [name, weight] : tables[k].rows) most = std::max(most, std::abs(weight));
    Table table(escaped(tables[k].title), {{"name", {}, true}, {"weight"}});
    for (const auto& [name, weight] : tables[k].rows) {
      table.add({{name_of(name), {}, false},
                 {fmt::format("{:+.4f}", weight), shade_of(weight, most), false}});
    }
    out += table.html();
  }
  if (out.empty()) return {};
  return folded("Largest weights", "<div class=\"columns\">" + out + "</div>");
}

std::string lines_of(const ViewedExample& example) {
  std::string out = "<pre>";
  for (const ViewedLine& line : example.lines) {
    out += line.is_wrong ? fmt::format("<mark>{}</mark> <span class=\"gold\">right: {}</span>\n",
                                       escaped(line.text), name_of(line.gold))
                         : escaped(line.text) + "\n";
  }
  return out + "</pre>\n";
}

std::string worst_examples(const std::vector<ViewedExample>& worst) {
  std::string out;
  for (const ViewedExample& example : worst) {
    const std::string number = show_whole(static_cast<double>(example.worst.example + 1));
    std::string content;
    if (!example.picture.empty()) {
      content += fmt::format(
          "<img alt=\"Example {}: what went in, what is right, what was said\" "
          "src=\"data:image/png;base64,{}\">\n",
          number, base64(example.picture));
    }
    if (!example.lines.empty()) {
      content += lines_of(example);
    } else if (!example.worst.confusions.empty()) {
      Table table("What went wrong", {{"right", {}, true}, {"was said", {}, true}, {"how often"}});
      for (const Confusion& confusion : example.worst.confusions) {
        table.add({{name_of(confusion.gold), {}, false},
                   {name_of(confusion.predicted), {}, false},
                   {show_whole(confusion.count), {}, false}});
      }
      content += table.html();
    }
    out += folded(fmt::format("Example {}: {} wrong", number, show_whole(example.worst.errors)),
                  content, out.empty());
  }
  if (out.empty()) return {};
  return "<h3>Examples with the most errors</h3>\n" + out;
}

}  // namespace

std::string model_section(const ModelView& model) {
  std::string sizes;
  for (const auto& [name, size] : model.sizes) {
    sizes += fmt::format("{} {}, ", show_whole(static_cast<double>(size)), escaped(name));
  }
  std::string content = fmt::format("<p>Task {}: {}{} weights.</p>\n", escaped(model.task), sizes,
                                    show_whole(static_cast<double>(model.num_weights)));
  content += metric_table(model.evaluation) + label_table(model.evaluation.labels) +
             confusion_table(model.evaluation.confusions);
  for (const ViewedMatrix& matrix : model.matrices) content += weight_matrix(matrix);
  content += top_weights(model.top) + worst_examples(model.worst);
  return section("model", "The model", content);
}

}  // namespace gapwise::internal
