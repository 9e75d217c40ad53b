#include "tasks/alignment/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "gapwise/option_table.h"
#include "io/fields.h"
#include "tasks/shared/model_fields.h"

namespace gapwise::internal {
namespace {

std::vector<double> decode_spreads(const ModelFields& parts) {
  std::vector<double> spreads;
  for (const std::string& text : parts.model().list("spreads")) {
    double spread = 0.0;
    if (parse_value(text, spread) != ValueText::kGood || spread <= 0.0) {
      parts.fail(fmt::format("a spread of '{}', expected a number > 0", text));
    }
    spreads.push_back(spread);
  }
  return spreads;
}

}  // namespace

ModelRecord encode_alignment_model(const AlignmentPlan& plan, const AlignmentCosts& costs,
                                   const Alphabet& attributes, Weights w, Keep keep) {
  ModelRecord model;
  model.task = "alignment";
  model.settings["format"] = plan.format;
  model.settings["cost-precision"] = detail::show_number(costs.precision);
  model.settings["cost-recall"] = detail::show_number(costs.recall);
  model.settings["target"] = plan.files.target;
  model.settings["gold"] = plan.files.gold;
  model.lists["given"] = plan.files.given;
  model.lists["points"] = plan.points;
  for (const double spread : plan.spreads) {
    model.lists["spreads"].push_back(detail::show_number(spread));
  }
  model.lists.try_emplace("spreads");
  plan.dice.encode(model);
  const std::vector<std::uint32_t> used =
      used_attributes(w, 0, 1, static_cast<Index>(attributes.size()), keep);
  model.lists["attributes"] = attributes.select(used).names();
  for (const std::uint32_t attribute : used) model.w.push_back(w[attribute]);
  return model;
}

AlignmentModel decode_alignment_model(ModelRecord model) {
  ModelFields parts(std::move(model));
  parts.expect_task("alignment");
  AlignmentModel result;
  AlignmentPlan& plan = result.plan;
  plan.format = parts.model().setting("format");
  const std::vector<std::string_view> formats = alignment_formats();
  if (std::find(formats.begin(), formats.end(), plan.format) == formats.end()) {
    parts.fail(fmt::format("format '{}'", plan.format));
  }
  plan.files.target = parts.model().setting("target");
  plan.files.gold = parts.model().setting("gold");
  plan.files.given = parts.model().list("given");
  plan.points = parts.model().list("points");
  plan.spreads = decode_spreads(parts);
  plan.dice = DiceTable::decode(parts);
  const std::vector<std::string>& names = parts.model().list("attributes");
  result.attributes = parts.unique(Alphabet::from_names(names), names.size(), "attribute");
  result.w = parts.take_weights(static_cast<Index>(names.size()));
  return result;
}

}  // namespace gapwise::internal
