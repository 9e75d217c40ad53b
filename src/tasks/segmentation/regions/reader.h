#pragma once

#include <string>
#include <vector>

#include "io/folds.h"
#include "tasks/segmentation/image_pairs.h"
#include "tasks/segmentation/regions/model.h"
#include "tasks/shared/factor_graphs/problem.h"
#include "tasks/shared/factor_graphs/shapes.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// What to read and how.
struct RegionPlan {
  std::string path;
  std::string folds;  ///< numbers of the images to take; empty: all
  RegionSettings settings;
  bool needs_truth = true;     ///< no: images may be without label maps
  bool learns = false;         ///< regions without any class are left out
  bool keeps_colours = false;  ///< for drawing
};

/// An image as regions that are joined.
struct RegionImage {
  RegionMap map;
  Index number = 0;                   ///< in its file, from 1
  std::vector<NodePair> ends;         ///< regions that are joined
  std::vector<std::int16_t> classes;  ///< of each region, or kNoClass
  std::vector<double> sizes;          ///< how many pixels have a class that counts

  Index num_regions() const { return std::ssize(classes); }
};

/// Images and label maps, in the same order.
class RegionReader {
 public:
  explicit RegionReader(const RegionPlan& plan);

  /// The next image that the folds contain, and the features of its regions and edges; false at the
  /// end. One that learns leaves out images without any class.
  bool read(RegionImage& image, UnitFeatures& regions, UnitFeatures& edges);
  std::string complaint() const { return pairs_.complaint(folds_.text()); }

 private:
  void check_size() const;
  void read_truth(RegionMap& map) const;
  void find_classes(RegionImage& image) const;
  void add_features(RegionImage& image, UnitFeatures& regions, UnitFeatures& edges) const;

  RegionPlan plan_;
  ClassList void_classes_;
  Folds folds_;
  ImagePairs pairs_;
};

/// Adds the graph of an image whose features were added: a variable for each region, of as many
/// states as there are `classes`, and a factor for each edge. A class that is none of them is not
/// known. `costs` has what a wrong class costs, by region.
void add_region_graph(const RegionImage& image, const ClassList& classes,
                      std::span<const double> costs, GraphShapes& shapes, FactorGraphData& into);

/// Where `value` is among the classes, or -1.
std::int32_t class_number(const ClassList& classes, std::int16_t value);

/// After the last graph.
void finish_region_features(FactorGraphData& data);

}  // namespace gapwise::internal
