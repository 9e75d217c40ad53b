#include "tasks/segmentation/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "gapwise/errors.h"

namespace gapwise::internal {

std::vector<std::string_view> segmentation_formats() {
  return {"graph", "images"};
}

std::string segmentation_format(const std::string& asked, const std::string& path) {
  const auto formats = segmentation_formats();
  if (asked.empty()) {
    return path.ends_with(".ppm") || path.ends_with(".ppm.gz") ? "images" : "graph";
  }
  if (std::find(formats.begin(), formats.end(), asked) == formats.end()) {
    throw OptionError(fmt::format("format '{}' is not one of {}", asked, fmt::join(formats, ", ")));
  }
  return asked;
}

std::unique_ptr<SegmentationReader> make_segmentation_reader(const SegmentationPlan& plan,
                                                             SegmentationAlphabets& alphabets) {
  return plan.format == "images" ? make_image_reader(plan, alphabets)
                                 : make_graph_reader(plan, alphabets);
}

void end_graph(SegmentationBatch& batch, Index number, Raster raster) {
  batch.data.node_starts.push_back(batch.data.labels.size());
  batch.data.edge_starts.push_back(batch.data.ends.size());
  batch.rasters.push_back(std::move(raster));
  batch.numbers.push_back(number);
}

void finish_features(SegmentationBatch& batch, const SegmentationAlphabets& alphabets) {
  batch.data.nodes.finish(static_cast<std::uint32_t>(alphabets.nodes.size()));
  batch.data.edges.finish(static_cast<std::uint32_t>(alphabets.edges.size()));
}

}  // namespace gapwise::internal
