#include "tasks/segmentation/reader.h"

#include "tasks/segmentation/image_pairs.h"
#include "tasks/segmentation/png_files.h"
#include "tasks/segmentation/regions/model.h"
#include "tasks/shared/formats.h"
#include "tasks/shared/keyword_lines.h"

namespace gapwise::internal {

std::vector<std::string_view> segmentation_formats() {
  return {"graph", "images", kLabelMaps};
}

std::string segmentation_format(const std::string& asked, const std::string& path) {
  if (asked.empty()) {
    const bool is_images = path.ends_with(".ppm") || path.ends_with(".ppm.gz") || holds_png(path);
    if (!is_images) return "graph";
    const bool has_classes =
        has_truth_beside(path, TruthKind::kLabels) && !has_truth_beside(path, TruthKind::kMasks);
    return has_classes ? kLabelMaps : "images";
  }
  check_format(asked, segmentation_formats());
  return asked;
}

bool looks_like_segmentation(std::string_view head) {
  const auto lines = first_fields(head, 2);
  std::vector<std::string_view> fields;
  for (const auto& line : lines) fields.insert(fields.end(), line.begin(), line.end());
  if (fields.size() < 2) return false;
  if (fields[0] == "P6") return fields[1].find_first_not_of("0123456789") == std::string_view::npos;
  if (lines.size() < 2 || lines[0][0] != "graph" || lines[1][0] != "node") return false;
  const std::string_view label = lines[1].size() > 1 ? lines[1][1] : "";
  return label == "0" || label == "1" || label == "?";
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
