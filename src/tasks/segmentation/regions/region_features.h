#pragma once

#include <string>
#include <utility>
#include <vector>

#include "infer/graph_cut.h"
#include "tasks/segmentation/regions/region_map.h"
#include "tasks/shared/feature_rows.h"

namespace gapwise::internal {

/// The attributes of a region; docs/segmentation.md tells what they mean.
std::vector<std::string> region_attribute_names();
/// Adds a row for each region that is kept, its values times `scale`.
void add_region_rows(const StackImage& image, const RegionMap& map, Index side,
                     const std::vector<bool>& is_kept, double scale, FeatureRows& rows);

/// Regions that touch; the first one of a pair lies more to the left, or above.
std::vector<std::string> region_edge_names();
struct RegionEdges {
  std::vector<NodePair> ends;
  std::vector<std::pair<Index, Index>> attributes;  ///< two of each
};
RegionEdges find_region_edges(const StackImage& image, const RegionMap& map, Index neighbours);

}  // namespace gapwise::internal
