#include "tasks/segmentation/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "gapwise/errors.h"
#include "tasks/segmentation/pixel_features.h"
#include "tasks/shared/model_fields.h"

namespace gapwise::internal {
namespace {

/// Adds the names and weights of the attributes to keep, whose weights stand in `w`.
void encode_attributes(const Alphabet& alphabet, Weights w, Keep keep, const std::string& list,
                       ModelRecord& model) {
  std::vector<std::string>& names = model.lists[list];
  for (const std::uint32_t a :
       used_attributes(w, 0, 1, static_cast<Index>(alphabet.size()), keep)) {
    names.emplace_back(alphabet.name(a));
    model.w.push_back(w[a]);
  }
}

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
  ModelRecord model;
  model.task = "segmentation";
  model.settings["format"] = settings.format;
  model.settings["loss"] = settings.loss;
  model.settings["pairwise"] = settings.has_pairs ? "yes" : "no";
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
  ModelFields parts(std::move(model));
  parts.expect_task("segmentation");
  SegmentationModel result;
  SegmentationSettings& settings = result.settings;
  settings.format = parts.model().setting("format");
  settings.loss = parts.model().setting("loss");
  settings.has_pairs = parts.yes_or_no("pairwise");
  result.alphabets.nodes = parts.names("attributes", "attribute");
  result.alphabets.edges = parts.names("edge-attributes", "attribute");
  if (settings.format == "images") {
    settings.images.scale = parts.number("scale", 1, kLargestScale);
    settings.images.neighbours = parts.number("neighbours", 4, 8) == 8 ? 8 : 4;
    check_pixel_attributes(parts, result);
  } else if (settings.format != "graph") {
    parts.fail(fmt::format("format '{}', expected graph or images", settings.format));
  }
  const SegmentationLayout layout = result.alphabets.layout();
  result.w = parts.take_weights(layout.dimension());
  const auto edges = result.w.begin() + static_cast<std::ptrdiff_t>(layout.edge(0));
  if (std::any_of(edges, result.w.end(), [](double weight) { return weight < 0.0; })) {
    parts.fail("the weight of an edge attribute is negative");
  }
  return result;
}

}  // namespace gapwise::internal
