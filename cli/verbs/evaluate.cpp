#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "gapwise/evaluation.h"
#include "run/figures.h"
#include "run/outputs.h"
#include "shell/command.h"
#include "shell/text.h"
#include "verbs/model_input.h"

namespace gapwise::internal::cli {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::vector<std::string>>;

std::string show_figure(double value) {
  return fmt::format("{:.6f}", value);
}
std::string show_share(double value) {
  return fmt::format("{:.2f}", 100.0 * value);
}
std::string show_name(const std::string& name) {
  return name.empty() ? "(nothing)" : readable(name);
}

Json to_json(const std::vector<Confusion>& confusions) {
  Json list = Json::array();
  for (const Confusion& confusion : confusions) {
    list.push_back(
        {{"gold", confusion.gold}, {"predicted", confusion.predicted}, {"count", confusion.count}});
  }
  return list;
}

Json to_json(const LabelFigures& label) {
  return {{"label", label.label},     {"precision", label.precision()},
          {"recall", label.recall()}, {"f1", label.f1()},
          {"support", label.support}, {"predicted", label.predicted},
          {"correct", label.correct}};
}

Json to_json(const Interval& interval) {
  return {interval.low, interval.high};
}

/// Those that are wrong.
std::vector<Confusion> mistakes(const std::vector<Confusion>& confusions) {
  std::vector<Confusion> wrong;
  for (const Confusion& confusion : confusions) {
    if (confusion.gold != confusion.predicted) wrong.push_back(confusion);
  }
  return wrong;
}

std::string label_table(const std::vector<LabelFigures>& labels) {
  Cells rows{{"label", "precision", "recall", "f1", "support", "predicted"}};
  for (const LabelFigures& label : labels) {
    rows.push_back({show_name(label.label), show_share(label.precision()),
                    show_share(label.recall()), show_share(label.f1()),
                    fmt::format("{:.0f}", label.support), fmt::format("{:.0f}", label.predicted)});
  }
  return columns(rows);
}

std::string confusion_words(const Confusion& confusion) {
  return fmt::format("{} as {} x {:.0f}", show_name(confusion.gold), show_name(confusion.predicted),
                     confusion.count);
}

std::string confusion_list(const std::vector<Confusion>& wrong, std::size_t count) {
  Cells rows{{"right", "predicted", "times"}};
  for (std::size_t k = 0; k < std::min(count, wrong.size()); ++k) {
    rows.push_back({show_name(wrong[k].gold), show_name(wrong[k].predicted),
                    fmt::format("{:.0f}", wrong[k].count)});
  }
  return columns(rows);
}

std::string worst_list(const std::vector<WorstExample>& worst) {
  constexpr std::size_t kMostShown = 4;
  std::vector<std::pair<std::string, std::string>> rows;
  for (const WorstExample& example : worst) {
    std::string words = fmt::format("{:.0f} wrong", example.errors);
    for (std::size_t k = 0; k < example.confusions.size(); ++k) {
      words += k == 0 ? ": " : ", ";
      if (k == kMostShown) {
        words += "...";
        break;
      }
      words += confusion_words(example.confusions[k]);
    }
    rows.emplace_back(fmt::format("example {}", show_count(example.example + 1)), words);
  }
  return aligned(rows);
}

class Evaluate : public Command {
 public:
  std::vector<OptionGroup> options() override {
    OptionTable input = input_.rows();
    input.push_back(option("against", against_, "FILE",
                           "another model: how much better is the first one, and is that more "
                           "than chance"));
    return {{"input", std::move(input)},
            {"output",
             {flag("by-label", by_label_,
                   "precision, recall, F1 and support of every label, or type of chunk"),
              option("confusions", confusions_, between(1, 1'000'000), "N",
                     "the N most frequent confusions of labels"),
              option("worst", worst_, between(1, 1'000'000), "N",
                     "the N examples with the most errors"),
              option("confidence", confidence_, between(1, 99.9), "PERCENT",
                     "with intervals that hold with this confidence, by drawing examples anew"),
              flag("json", json_, "one JSON object on standard output")}}};
  }
  std::vector<std::string_view> required() const override { return {"data"}; }

  void run(const std::set<std::string>& given) override {
    const Model model = input_.model.load();
    const bool has_details = by_label_ || given.contains("confusions") || given.contains("worst") ||
                             given.contains("confidence");
    if (!has_details && against_.empty()) {
      Evaluation figures;
      figures.metrics = model.evaluate(input_.source, input_.threads);
      return tell(figures, std::nullopt);
    }
    EvaluationSettings settings;
    settings.worst = worst_.value_or(0);
    if (confidence_) settings.confidence = *confidence_ / 100.0;
    const Examples examples = open_examples(model.task(), input_.source);
    if (!against_.empty()) check_read_again(input_.source.path);
    const Evaluation evaluation = evaluate_in_detail(model, examples, settings, input_.threads);
    if (against_.empty()) return tell(evaluation, std::nullopt);
    tell(evaluation,
         compare_models(model, load_model(against_), examples, settings, input_.threads));
  }

 private:
  void tell(const Evaluation& evaluation, const std::optional<Difference>& difference) const {
    fmt::print("{}",
               json_ ? json_of(evaluation, difference) + "\n" : text_of(evaluation, difference));
  }

  std::string text_of(const Evaluation& evaluation,
                      const std::optional<Difference>& difference) const {
    std::vector<std::pair<std::string, std::string>> rows;
    for (std::size_t m = 0; m < evaluation.metrics.size(); ++m) {
      std::string words = show_figure(evaluation.metrics[m].value);
      if (!evaluation.intervals.empty()) {
        const Interval& interval = evaluation.intervals[m];
        words += fmt::format("  {} to {} ({} %)", show_figure(interval.low),
                             show_figure(interval.high), show(*confidence_));
      }
      rows.emplace_back(evaluation.metrics[m].name, words);
    }
    std::string text = aligned(rows);
    if (difference) text += "\n" + difference_words(*difference);
    if (by_label_)
      text += "\n" + (evaluation.labels.empty() ? "no labels\n" : label_table(evaluation.labels));
    if (confusions_) {
      text += "\n" + confusion_list(mistakes(evaluation.confusions),
                                    static_cast<std::size_t>(*confusions_));
    }
    if (worst_) text += "\n" + worst_list(evaluation.worst);
    return text;
  }

  std::string difference_words(const Difference& difference) const {
    return aligned(
        {{"against " + against_,
          fmt::format("{} {}", difference.second.name, show_figure(difference.second.value))},
         {"better by",
          fmt::format("{}, {} to {} ({} %)", show_figure(difference.by),
                      show_figure(difference.interval.low), show_figure(difference.interval.high),
                      show(confidence_.value_or(95.0)))},
         {"p value", fmt::format("{:.4f}{}", difference.p_value,
                                 difference.p_value > 0.05 ? " (may well be chance)" : "")}});
  }

  std::string json_of(const Evaluation& evaluation,
                      const std::optional<Difference>& difference) const {
    Json json = Json::parse(cli::to_json(evaluation.metrics));
    if (!evaluation.intervals.empty()) {
      Json& intervals = json["intervals"];
      for (std::size_t m = 0; m < evaluation.metrics.size(); ++m) {
        intervals[evaluation.metrics[m].name] = to_json(evaluation.intervals[m]);
      }
    }
    if (by_label_) {
      json["labels"] = Json::array();
      for (const LabelFigures& label : evaluation.labels) json["labels"].push_back(to_json(label));
      json["confusions"] = to_json(evaluation.confusions);
    }
    if (worst_) {
      json["worst"] = Json::array();
      for (const WorstExample& example : evaluation.worst) {
        json["worst"].push_back({{"example", example.example + 1},
                                 {"errors", example.errors},
                                 {"confusions", to_json(example.confusions)}});
      }
    }
    if (difference) {
      json["against"] = {{"metric", difference->second.name},
                         {"value", difference->second.value},
                         {"better_by", difference->by},
                         {"interval", to_json(difference->interval)},
                         {"p_value", difference->p_value}};
    }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  ModelInput input_;
  std::string against_;
  bool by_label_ = false;
  std::optional<Index> confusions_;
  std::optional<Index> worst_;
  std::optional<double> confidence_;
  bool json_ = false;
};

}  // namespace

const MakeCommand make_evaluate = make_command<Evaluate>;

}  // namespace gapwise::internal::cli
