#include "tasks/segmentation/model.h"

#include <fmt/format.h>

#include "gapwise/errors.h"
#include "io/label_weights.h"
#include "tasks/segmentation/pixel_features.h"
#include "tasks/shared/model_fields.h"

namespace gapwise::internal {
namespace {

/// The attributes of pixels are the program's, so a model must have exactly those.
void check_pixel_attributes(const ModelFields& parts, const SegmentationModel& model) {
  const SegmentationSettings& settings = model.settings;
  const std::vector<std::string> edges = settings.has_pairs
                                             ? pixel_edge_names(settings.images.neighbours)
                                             : std::vector<std::string>();
  if (model.alphabets.nodes.names() != pixel_attribute_names() ||
      model.alphabets.edges.names() != edges) {
    parts.fail("its attributes of pixels are not those of this version");
  }
}

}  // namespace

void check_dimension(const SegmentationLayout& layout, const std::string& source) {
  if (layout.dimension() <= kLargestDimension) return;
  throw InputError(fmt::format("{}: {} attributes, more than {}; leave out rare ones", source,
                               layout.dimension(), kLargestDimension));
}

ModelRecord encode_segmentation_model(const SegmentationSettings& settings,
                                      const SegmentationAlphabets& alphabets, Weights w,
                                      Keep keep) {
  ModelRecord model = start_record("segmentation", settings.format);
  model.settings["loss"] = settings.loss;
  note_label_weights(settings.label_weights, model);
  model.settings["pairwise"] = yes_no(settings.has_pairs);
  if (settings.format == "images") {
    keep = Keep::kAll;  // a model of another version is told by its attributes
    model.settings["scale"] = fmt::to_string(settings.images.scale);
    model.settings["neighbours"] = fmt::to_string(settings.images.neighbours);
  }
  encode_attributes(alphabets.nodes, w, keep, "attributes", model);
  encode_attributes(alphabets.edges, w.subspan(alphabets.nodes.size()), keep, "edge-attributes",
                    model);
  return model;
}

SegmentationModel decode_segmentation_model(ModelRecord model) {
  ModelFields parts(std::move(model), "segmentation");
  SegmentationModel result;
  SegmentationSettings& settings = result.settings;
  settings.format = parts.format(segmentation_formats());
  settings.loss = parts.model().setting("loss");
  settings.has_pairs = parts.yes_or_no("pairwise");
  result.alphabets.nodes = parts.names("attributes", "attribute");
  result.alphabets.edges = parts.names("edge-attributes", "attribute");
  if (settings.format == "images") {
    settings.images.scale = parts.number("scale", 1, kLargestScale);
    settings.images.neighbours = parts.number("neighbours", 4, 8) == 8 ? 8 : 4;
    check_pixel_attributes(parts, result);
  }
  const SegmentationLayout layout = result.alphabets.layout();
  result.w = parts.take_weights(layout.dimension(), layout.edge(0), "an edge attribute");
  return result;
}

}  // namespace gapwise::internal
