#include "tasks/alignment/model.h"

#include <fmt/format.h>

#include <limits>

#include "gapwise/option_table.h"
#include "io/fields.h"
#include "tasks/shared/model_fields.h"

namespace gapwise::internal {
namespace {

constexpr double kSmallestSpread = std::numeric_limits<double>::denorm_min();

std::vector<double> decode_spreads(const ModelFields& parts) {
  std::vector<double> spreads;
  for (const std::string& text : parts.model().list("spreads")) {
    spreads.push_back(parts.real(text, "a spread", kSmallestSpread, kLargestValue));
  }
  return spreads;
}

}  // namespace

ModelRecord encode_alignment_model(const AlignmentPlan& plan, const AlignmentCosts& costs,
                                   const Alphabet& attributes, Weights w, Keep keep) {
  ModelRecord model = start_record("alignment", plan.format);
  model.settings["cost-precision"] = detail::show_number(costs.precision);
  model.settings["cost-recall"] = detail::show_number(costs.recall);
  if (plan.fertility > 1) model.settings["fertility"] = fmt::to_string(plan.fertility);
  model.settings["target"] = plan.files.target;
  model.settings["gold"] = plan.files.gold;
  model.lists["given"] = plan.files.given;
  model.lists["points"] = plan.points;
  for (const double spread : plan.spreads) {
    model.lists["spreads"].push_back(detail::show_number(spread));
  }
  model.lists.try_emplace("spreads");
  plan.dice.encode(model);
  encode_attributes(attributes, w, keep, "attributes", model);
  return model;
}

AlignmentModel decode_alignment_model(ModelRecord model) {
  ModelFields parts(std::move(model), "alignment");
  AlignmentModel result;
  AlignmentPlan& plan = result.plan;
  plan.format = parts.format(alignment_formats());
  plan.files.target = parts.model().setting("target");
  plan.files.gold = parts.model().setting("gold");
  plan.files.given = parts.model().list("given");
  plan.points = parts.model().list("points");
  plan.spreads = decode_spreads(parts);
  plan.dice = DiceTable::decode(parts);
  if (parts.model().settings.contains("fertility")) {
    plan.fertility = parts.number("fertility", 1, kMostFertile);
  }
  result.attributes = parts.names("attributes", "attribute");
  result.w = parts.take_weights(static_cast<Index>(result.attributes.size()));
  return result;
}

}  // namespace gapwise::internal
