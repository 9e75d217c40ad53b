#include "tasks/segmentation/regions/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gapwise/errors.h"
#include "tasks/segmentation/regions/region_features.h"

namespace gapwise::internal {
namespace {

constexpr Index kMostRegions = Index{1} << 20;  // of an image
constexpr std::size_t kClassValues = 256;

}  // namespace

RegionReader::RegionReader(const RegionPlan& plan)
    : plan_(plan),
      void_classes_(parse_void_classes(plan.settings.void_classes)),
      folds_(plan.folds),
      pairs_(plan.path, TruthKind::kLabels, plan.needs_truth) {}

bool RegionReader::read(RegionImage& image, UnitFeatures& regions, UnitFeatures& edges) {
  while (pairs_.read()) {
    if (!folds_.contains(pairs_.num_images())) continue;
    check_size();
    image = {};
    image.number = pairs_.num_images();
    image.map = cut(pairs_.image(), plan_.settings.kind, plan_.settings.side);
    image.map.name = pairs_.image().name;
    if (plan_.keeps_colours) image.map.colours = colours_of(pairs_.image());
    read_truth(image.map);
    find_classes(image);
    add_features(image, regions, edges);
    if (image.num_regions() > 0) return true;
  }
  return false;
}

void RegionReader::check_size() const {
  Index side = plan_.settings.side;
  const Index found = num_squares(pairs_.image(), side);
  if (found <= kMostRegions) return;
  while (num_squares(pairs_.image(), side) > kMostRegions) ++side;
  throw InputError(fmt::format("{}: {} makes {} regions, more than {}; train with \1scale {}",
                               pairs_.name(), pairs_.name_of_image(), found, kMostRegions, side));
}

void RegionReader::read_truth(RegionMap& map) const {
  if (!pairs_.has_truth()) return;
  for (const std::uint8_t sample : pairs_.truth().samples) {
    const auto value = static_cast<std::int16_t>(sample);
    const bool counts = !std::binary_search(void_classes_.begin(), void_classes_.end(), value);
    map.truth.push_back(counts ? value : kNoClass);
  }
}

/// The class that most of the pixels of a region have, of several such the least one.
void RegionReader::find_classes(RegionImage& image) const {
  const RegionMap& map = image.map;
  const auto regions = static_cast<std::size_t>(map.num_regions);
  image.classes.assign(regions, kNoClass);
  image.sizes.assign(regions, 0.0);
  if (map.truth.empty()) return;
  std::vector<std::array<std::int32_t, kClassValues>> counts(regions);
  for (Index p = 0; p < map.num_pixels(); ++p) {
    const std::int16_t value = map.truth[static_cast<std::size_t>(p)];
    if (value == kNoClass) continue;
    ++counts[map.region(p)][static_cast<std::size_t>(value)];
    image.sizes[map.region(p)] += 1.0;
  }
  for (std::size_t r = 0; r < regions; ++r) {
    const auto most = std::max_element(counts[r].begin(), counts[r].end());
    if (*most > 0) image.classes[r] = static_cast<std::int16_t>(most - counts[r].begin());
  }
}

/// One that learns goes on with the regions that have a class, numbered anew.
void RegionReader::add_features(RegionImage& image, UnitFeatures& regions,
                                UnitFeatures& edges) const {
  const RegionSettings& settings = plan_.settings;
  std::vector<bool> is_kept;
  std::vector<std::int32_t> number;
  std::int32_t next = 0;
  for (const std::int16_t value : image.classes) {
    is_kept.push_back(!plan_.learns || value != kNoClass);
    number.push_back(is_kept.back() ? next++ : -1);
  }
  if (next == 0) {
    image.classes.clear();
    return;
  }
  const double scale =
      settings.loss == SegmentationLoss::kHamming ? 1.0 : 1.0 / static_cast<double>(next);
  add_region_rows(pairs_.image(), image.map, settings.side, is_kept, scale, regions.numbers);
  regions.table_starts.insert(regions.table_starts.end(), static_cast<std::size_t>(next), 0);
  for (std::size_t r = 0; r < is_kept.size(); ++r) {
    if (!is_kept[r]) continue;
    image.classes[static_cast<std::size_t>(number[r])] = image.classes[r];
    image.sizes[static_cast<std::size_t>(number[r])] = image.sizes[r];
  }
  image.classes.resize(static_cast<std::size_t>(next));
  image.sizes.resize(static_cast<std::size_t>(next));
  if (!settings.has_pairs) return;
  const RegionEdges found = find_region_edges(pairs_.image(), image.map, settings.neighbours);
  for (std::size_t e = 0; e < found.ends.size(); ++e) {
    const NodePair ends{number[static_cast<std::size_t>(found.ends[e].first)],
                        number[static_cast<std::size_t>(found.ends[e].second)]};
    if (ends.first < 0 || ends.second < 0) continue;
    image.ends.push_back(ends);
    edges.numbers.add(static_cast<std::uint32_t>(found.attributes[e].first), scale);
    edges.numbers.add(static_cast<std::uint32_t>(found.attributes[e].second), scale);
    edges.end_unit();
  }
}

std::int32_t class_number(const ClassList& classes, std::int16_t value) {
  const auto at = std::lower_bound(classes.begin(), classes.end(), value);
  return at != classes.end() && *at == value ? static_cast<std::int32_t>(at - classes.begin()) : -1;
}

void add_region_graph(const RegionImage& image, const ClassList& classes,
                      std::span<const double> costs, GraphShapes& shapes, FactorGraphData& into) {
  const auto states = static_cast<Index>(classes.size());
  FactorGraph graph;
  for (const std::int16_t value : image.classes) {
    add_states(graph, states);
    into.kinds.push_back(0);
    into.truth.push_back(class_number(classes, value));
  }
  for (const NodePair& ends : image.ends) {
    graph.scopes.push_back(ends.first);
    graph.scopes.push_back(ends.second);
    graph.scope_starts.push_back(std::ssize(graph.scopes));
    graph.table_starts.push_back(graph.table_starts.back() + states * states);
  }
  into.costs.insert(into.costs.end(), costs.begin(), costs.end());
  into.graphs.push_back(shapes.share(std::move(graph)));
  into.variable_starts.push_back(into.kinds.size());
  into.factor_starts.push_back(into.factor_starts.back() + image.ends.size());
}

void finish_region_features(FactorGraphData& data) {
  data.variables.numbers.finish(static_cast<std::uint32_t>(region_attribute_names().size()));
  data.factors.numbers.finish(static_cast<std::uint32_t>(region_edge_names().size()));
}

}  // namespace gapwise::internal
