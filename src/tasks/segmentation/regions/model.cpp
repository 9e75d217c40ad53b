#include "tasks/segmentation/regions/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "gapwise/errors.h"
#include "io/fields.h"
#include "io/label_weights.h"
#include "tasks/segmentation/reader.h"
#include "tasks/segmentation/regions/region_features.h"
#include "tasks/shared/model_fields.h"

namespace gapwise::internal {
namespace {

constexpr Index kLargestClass = 255;

std::vector<std::string> edge_names(const RegionSettings& settings) {
  return settings.has_pairs ? region_edge_names() : std::vector<std::string>();
}

}  // namespace

ClassList parse_void_classes(const std::string& text) {
  ClassList classes;
  for (const std::string& item : split_commas(text)) {
    Index value = 0;
    if (!parse_index(item, value) || value > kLargestClass) {
      throw OptionError(
          fmt::format("'{}' of \1void is no value of a label map; give numbers from 0 to {}, as in "
                      "0,255",
                      item, kLargestClass));
    }
    classes.push_back(static_cast<std::int16_t>(value));
  }
  std::sort(classes.begin(), classes.end());
  return classes;
}

GraphWeightLayout region_layout(const RegionSettings& settings, std::size_t classes) {
  return {static_cast<Index>(region_attribute_names().size()),
          static_cast<Index>(edge_names(settings).size()), static_cast<Index>(classes)};
}

GraphWeightLayout RegionModel::layout() const {
  return region_layout(settings, classes.size());
}

ModelRecord encode_region_model(const RegionSettings& settings, const ClassList& classes,
                                Weights w) {
  ModelRecord model = start_record("segmentation", kLabelMaps);
  model.settings["loss"] = name_of(settings.loss);
  model.settings["inference"] = name_of(settings.inference);
  note_label_weights(settings.label_weights, model);
  model.settings["pairwise"] = yes_no(settings.has_pairs);
  model.settings["regions"] = name_of(settings.kind);
  model.settings["scale"] = fmt::to_string(settings.side);
  model.settings["neighbours"] = fmt::to_string(settings.neighbours);
  model.settings["void"] = settings.void_classes;
  for (const std::int16_t value : classes) model.lists["classes"].push_back(fmt::to_string(value));
  model.lists["attributes"] = region_attribute_names();
  model.lists["edge-attributes"] = edge_names(settings);
  model.w.assign(w.begin(), w.end());
  return model;
}

RegionModel decode_region_model(ModelRecord model) {
  ModelFields parts(std::move(model), "segmentation");
  parts.format({kLabelMaps});
  RegionModel result;
  RegionSettings& settings = result.settings;
  settings.loss = parts.choice<SegmentationLoss>("loss");
  settings.inference = parts.choice<Inference>("inference");
  settings.has_pairs = parts.yes_or_no("pairwise");
  settings.kind = parts.choice<RegionKind>("regions");
  settings.side = parts.number("scale", 1, kLargestScale);
  settings.neighbours = parts.number("neighbours", 4, 8) == 8 ? 8 : 4;
  settings.void_classes = parts.model().setting("void");
  for (const std::string& name : parts.labels("classes").names()) {
    Index value = 0;
    if (!parse_index(name, value) || value > kLargestClass) {
      parts.fail(fmt::format("a class '{}', expected numbers from 0 to {}", name, kLargestClass));
    }
    result.classes.push_back(static_cast<std::int16_t>(value));
  }
  if (!std::is_sorted(result.classes.begin(), result.classes.end())) {
    parts.fail("classes that are not in order");
  }
  if (parts.model().list("attributes") != region_attribute_names() ||
      parts.model().list("edge-attributes") != edge_names(settings)) {
    parts.fail("its attributes of regions are not those of this version");
  }
  try {
    parse_void_classes(settings.void_classes);
  } catch (const OptionError&) {
    parts.fail("void classes '" + settings.void_classes + "'");
  }
  result.w = parts.take_weights(result.layout().dimension());
  return result;
}

}  // namespace gapwise::internal
