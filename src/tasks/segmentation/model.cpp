#include "tasks/segmentation/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "gapwise/errors.h"
#include "tasks/segmentation/pixel_features.h"
#include "tasks/shared/model_fields.h"

namespace gapwise::internal {
namespace {

/// The attributes of `alphabet` to keep, whose names and weights go into the model.
void encode_attributes(const Alphabet& alphabet, Weights w, bool keeps_all,
                       std::vector<std::string>& names, std::vector<double>& weights) {
  for (std::size_t a = 0; a < alphabet.size(); ++a) {
    if (w[a] == 0.0 && !keeps_all) continue;
    names.emplace_back(alphabet.name(a));
    weights.push_back(w[a]);
  }
}

Alphabet decode_attributes(const ModelFields& parts, const std::vector<std::string>& names) {
  return parts.unique(Alphabet::from_names(names), names.size(), "attribute");
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
                                const SegmentationAlphabets& alphabets, Weights w) {
  ModelRecord model;
  model.task = "segmentation";
  model.settings["format"] = settings.format;
  model.settings["loss"] = settings.loss;
  model.settings["pairwise"] = settings.has_pairs ? "yes" : "no";
  const bool is_images = settings.format == "images";
  if (is_images) {
    model.settings["scale"] = fmt::to_string(settings.images.scale);
    model.settings["neighbours"] = fmt::to_string(settings.images.neighbours);
  }
  encode_attributes(alphabets.nodes, w, is_images, model.lists["attributes"], model.w);
  encode_attributes(alphabets.edges, w.subspan(alphabets.nodes.size()), is_images,
                    model.lists["edge-attributes"], model.w);
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
  result.alphabets.nodes = decode_attributes(parts, parts.model().list("attributes"));
  result.alphabets.edges = decode_attributes(parts, parts.model().list("edge-attributes"));
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
