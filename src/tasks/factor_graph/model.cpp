#include "tasks/factor_graph/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "gapwise/errors.h"
#include "tasks/factor_graph/reader.h"
#include "tasks/shared/model_fields.h"

namespace gapwise::internal {
namespace {

/// Adds the names and weights of the attributes to keep.
void encode(const KindAttributes& attributes, const std::vector<Index>& offsets, Weights w,
            Keep keep, const std::string& list, ModelRecord& model) {
  std::vector<std::string>& names = model.lists[list];
  for (std::size_t a = 0; a < attributes.size(); ++a) {
    const auto own = w.subspan(static_cast<std::size_t>(offsets[a]),
                               static_cast<std::size_t>(attributes.width(a)));
    const bool is_used = std::any_of(own.begin(), own.end(), [](double x) { return x != 0.0; });
    if (!is_used && keep == Keep::kUsed) continue;
    names.push_back(attributes.name(a));
    model.w.insert(model.w.end(), own.begin(), own.end());
  }
}

VariableKinds decode_variables(const ModelFields& parts) {
  VariableKinds kinds;
  kinds.names = parts.names("variable-kinds", "kind of variables");
  for (const std::string& name : kinds.names.names()) {
    kinds.states.push_back(parts.labels("states of " + name));
  }
  return kinds;
}

FactorKinds decode_factors(const ModelFields& parts, const VariableKinds& variables) {
  FactorKinds kinds;
  kinds.names = parts.names("factor-kinds", "kind of factors");
  for (const std::string& name : kinds.names.names()) {
    std::vector<std::int32_t> scope;
    Index cells = 1;
    for (const std::string& kind : parts.model().list("scope of " + name)) {
      const std::uint32_t k = variables.names.find(kind);
      if (k == Alphabet::kUnknown) parts.fail("factors of an unknown kind '" + kind + "'");
      scope.push_back(static_cast<std::int32_t>(k));
      cells *= variables.num_states(scope.back());
      if (cells > kMostJointStates) parts.fail("factors '" + name + "' of too many joint states");
    }
    if (scope.size() < 2) parts.fail("factors '" + name + "' of less than two variables");
    kinds.scopes.push_back(std::move(scope));
  }
  return kinds;
}

/// `cells_of` gives the number of (joint) states of a kind.
template <class Cells>
KindAttributes decode_attributes(const ModelFields& parts, const std::string& list,
                                 const Alphabet& kinds, Cells cells_of) {
  KindAttributes attributes;
  for (const std::string& text : parts.model().list(list)) {
    const std::size_t blank = text.find(' ');
    const std::string_view kind = std::string_view(text).substr(0, blank);
    const std::uint32_t k = kinds.find(kind);
    if (blank == std::string::npos || k == Alphabet::kUnknown) {
      parts.fail("an attribute '" + text + "' of no kind");
    }
    std::string_view name = std::string_view(text).substr(blank + 1);
    const bool is_table = name.ends_with('=');
    if (is_table) name.remove_suffix(1);
    const std::size_t before = attributes.size();
    attributes.add(kind, name, is_table, cells_of(static_cast<std::int32_t>(k)));
    if (attributes.size() == before) parts.fail("attribute '" + text + "' comes twice");
  }
  return attributes;
}

}  // namespace

void check_dimension(const GraphWeightLayout& layout, const std::string& source) {
  if (layout.dimension() <= kLargestDimension) return;
  throw InputError(fmt::format("{}: {} weights, more than {}; leave out rare features", source,
                               layout.dimension(), kLargestDimension));
}

ModelRecord encode_factor_graph_model(const FactorGraphSettings& settings,
                                      const GraphVocabulary& names, Weights w, Keep keep) {
  ModelRecord model = start_record("factor-graph", settings.format);
  model.settings["loss"] = name_of(settings.loss);
  model.settings["inference"] = name_of(settings.inference);
  model.lists["variable-kinds"] = names.variables.names.names();
  for (std::size_t k = 0; k < names.variables.states.size(); ++k) {
    model.lists["states of " + std::string(names.variables.names.name(k))] =
        names.variables.states[k].names();
  }
  model.lists["factor-kinds"] = names.factors.names.names();
  for (std::size_t k = 0; k < names.factors.scopes.size(); ++k) {
    std::vector<std::string>& scope =
        model.lists["scope of " + std::string(names.factors.names.name(k))];
    for (const std::int32_t kind : names.factors.scopes[k]) {
      scope.emplace_back(names.variables.names.name(static_cast<std::size_t>(kind)));
    }
  }
  const GraphWeightLayout layout(names);
  encode(names.variable_attributes, layout.variables, w, keep, "attributes", model);
  encode(names.factor_attributes, layout.factors, w, keep, "factor-attributes", model);
  return model;
}

FactorGraphModel decode_factor_graph_model(ModelRecord model) {
  ModelFields parts(std::move(model), "factor-graph");
  FactorGraphModel result;
  result.settings.format = parts.format(factor_graph_formats());
  result.settings.loss = parts.choice<FactorGraphLoss>("loss");
  result.settings.inference = parts.choice<Inference>("inference");
  GraphVocabulary& names = result.names;
  names.variables = decode_variables(parts);
  names.factors = decode_factors(parts, names.variables);
  names.variable_attributes =
      decode_attributes(parts, "attributes", names.variables.names,
                        [&](std::int32_t kind) { return names.variables.num_states(kind); });
  names.factor_attributes =
      decode_attributes(parts, "factor-attributes", names.factors.names,
                        [&](std::int32_t kind) { return names.num_cells(kind); });
  const GraphWeightLayout layout(names);
  check_dimension(layout, parts.model().source);
  result.w = parts.take_weights(layout.dimension());
  return result;
}

}  // namespace gapwise::internal
