#include "tasks/multilabel/model.h"

#include <fmt/format.h>

#include "io/label_weights.h"
#include "tasks/multilabel/reader.h"
#include "tasks/shared/model_fields.h"

namespace gapwise::internal {
namespace {

ModelRecord start_model(const MultilabelSettings& settings, const MultilabelNames& names) {
  ModelRecord model = start_record("multilabel", settings.format);
  model.settings["loss"] = name_of(settings.loss);
  note_label_weights(settings.label_weights, model);
  model.settings["couplings"] = name_of(settings.couplings);
  if (settings.inference != Inference::kExact) {
    model.settings["inference"] = name_of(settings.inference);
  }
  model.lists["labels"] = names.labels.names();
  if (settings.constraints) {
    model.settings["constraints"] = settings.constraints_file;
    model.lists["constraints"] = settings.constraints->lines;
  }
  return model;
}

MultilabelSettings decode_settings(ModelFields& parts) {
  MultilabelSettings settings;
  settings.format = parts.format(multilabel_formats());
  settings.couplings = parts.choice<Couplings>("couplings");
  settings.loss = parts.choice<MultilabelLoss>("loss");
  return settings;
}

MultilabelNames decode_names(ModelFields& parts, const std::string& format) {
  MultilabelNames names;
  names.labels = parts.labels("labels");
  names.features = decode_features(parts);
  if (format != "arff") return names;
  names.feature_names = parts.model().list("attributes");
  if (names.feature_names.size() != names.features.indices.size()) {
    parts.fail(fmt::format("{} names of {} features", names.feature_names.size(),
                           names.features.indices.size()));
  }
  parts.unique(Alphabet::from_names(names.feature_names), names.feature_names.size(), "attribute");
  return names;
}

}  // namespace

MultilabelLayout multilabel_layout(const MultilabelNames& names, Couplings couplings,
                                   const std::string& source) {
  const std::size_t labels = names.labels.size();
  if (couplings != Couplings::kNone && labels > kMostCoupledLabels) {
    throw InputError(
        fmt::format("{}: {} labels are too many to give each pair a weight, {} are allowed; train "
                    "with \1couplings none",
                    source, labels, kMostCoupledLabels));
  }
  const MultilabelLayout layout{static_cast<Index>(names.features.size()), static_cast<int>(labels),
                                couplings};
  if (layout.dimension() > kLargestDimension) {
    throw InputError(
        fmt::format("{}: {} features of {} labels make {} weights, more than {}; leave out rare "
                    "features or labels",
                    source, names.features.size(), labels, layout.dimension(), kLargestDimension));
  }
  return layout;
}

ModelRecord encode_multilabel_model(const MultilabelSettings& settings,
                                    const MultilabelNames& names, Weights w, Keep keep) {
  ModelRecord model = start_model(settings, names);
  const auto labels = static_cast<Index>(names.labels.size());
  const std::vector<std::uint32_t> used = encode_features(names.features, w, labels, keep, model);
  if (settings.format == "arff") {
    std::vector<std::string>& attributes = model.lists["attributes"];
    for (const std::uint32_t k : used) attributes.push_back(names.feature_names[k]);
  }
  const auto pairs = w.subspan(names.features.size() * names.labels.size());
  model.w.insert(model.w.end(), pairs.begin(), pairs.end());
  return model;
}

ModelRecord encode_multilabel_kernel_model(const MultilabelSettings& settings,
                                           const MultilabelNames& names,
                                           const KernelExpansion& expansion,
                                           const FeatureRows& inputs) {
  ModelRecord model = start_model(settings, names);
  encode_features(names.features, model);
  if (settings.format == "arff") model.lists["attributes"] = names.feature_names;
  model.w = expansion.rest;
  encode_support(expansion, inputs, model);
  return model;
}

MultilabelModel decode_multilabel_model(ModelRecord model) {
  ModelFields parts(std::move(model), "multilabel");
  MultilabelModel result;
  result.settings = decode_settings(parts);
  result.names = decode_names(parts, result.settings.format);
  if (parts.model().settings.contains("constraints")) {
    result.settings.constraints = std::make_shared<const SetConstraints>(
        parse_set_constraints(parts.model().list("constraints"), result.names.labels,
                              [&](const std::string& what) { parts.fail(what); }));
  }
  result.layout = multilabel_layout(result.names, result.settings.couplings, parts.model().source);
  result.kernel = decode_support(parts, result.names.features.size(), result.names.labels.size());
  if (result.kernel) result.layout.attributes = 0;
  result.w = parts.take_weights(result.layout.dimension());
  return result;
}

}  // namespace gapwise::internal
