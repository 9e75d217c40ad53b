#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/alphabet.h"
#include "tasks/segmentation/problem.h"
#include "tasks/task.h"

namespace gapwise::internal {

/// Which attributes have weights, and which.
struct SegmentationAlphabets {
  Alphabet nodes;
  Alphabet edges;

  SegmentationLayout layout() const {
    return {static_cast<Index>(nodes.size()), static_cast<Index>(edges.size())};
  }
};

/// The picture whose pixels the nodes of a graph stand for: the pixel in column x and row y belongs
/// to the node in column x / scale and row y / scale.
struct Raster {
  Index width = 0;  ///< in pixels; 0: the graph is not known to be a picture
  Index height = 0;
  Index scale = 1;
  std::vector<std::int8_t> truth;     ///< of each pixel; empty: that of its node
  std::vector<std::uint8_t> colours;  ///< red, green and blue of each pixel, if they were asked for
  std::string name;                   ///< of its file, without ending, if it has one of its own

  Index num_pixels() const { return width * height; }
  Index nodes_across() const { return (width + scale - 1) / scale; }
  Index nodes_down() const { return (height + scale - 1) / scale; }
  std::size_t node_of(Index pixel) const {
    const Index x = pixel % width / scale;
    const Index y = pixel / width / scale;
    return static_cast<std::size_t>(y * nodes_across() + x);
  }
};

/// Some graphs of a file.
struct SegmentationBatch final : Batch {
  SegmentationData data;
  std::vector<Raster> rasters;          ///< one for each graph
  std::vector<Index> numbers;           ///< of each graph in its file, from 1
  Index before = 0;                     ///< so many graphs were in earlier batches
  std::vector<std::uint8_t> predicted;  ///< of each node, once labelled

  Index size() const override { return data.size(); }
  std::span<const std::uint8_t> predicted_of(Index i) const {
    return {predicted.data() + data.node_starts[static_cast<std::size_t>(i)], data.num_nodes(i)};
  }
  /// The label of a pixel of graph i, which has a raster; -1 if it is not known.
  int truth_at(Index i, Index pixel) const {
    const Raster& raster = rasters[static_cast<std::size_t>(i)];
    if (!raster.truth.empty()) return raster.truth[static_cast<std::size_t>(pixel)];
    return data.labels[data.node_starts[static_cast<std::size_t>(i)] + raster.node_of(pixel)];
  }
};

constexpr Index kLargestScale = 1000;

/// How pictures become graphs.
struct ImageSettings {
  Index scale = 1;       ///< so many pixels across and down make one node
  Index neighbours = 4;  ///< 4 or 8 of a pixel are joined to it
};

/// What to read and how.
struct SegmentationPlan {
  std::string path;
  std::string format;  ///< "graph" or "images"
  std::string folds;   ///< numbers of the graphs to take; empty: all
  ImageSettings images;
  bool has_pairs = true;       ///< no: edges are left out
  bool needs_labels = true;    ///< no: nodes may be without
  bool learns = false;         ///< new attributes are added to the alphabets
  bool keeps_colours = false;  ///< for drawing
};

/// Reads graphs one by one.
class SegmentationReader {
 public:
  virtual ~SegmentationReader() = default;
  /// Adds the next graph that the folds contain; false at the end.
  virtual bool read(SegmentationBatch& into) = 0;
  /// For a file in which read() found nothing: what it has instead, and what to do.
  virtual std::string complaint() const = 0;
};

/// `alphabets` outlives the reader.
std::unique_ptr<SegmentationReader> make_graph_reader(const SegmentationPlan& plan,
                                                      SegmentationAlphabets& alphabets);
std::unique_ptr<SegmentationReader> make_image_reader(const SegmentationPlan& plan,
                                                      SegmentationAlphabets& alphabets);
std::unique_ptr<SegmentationReader> make_segmentation_reader(const SegmentationPlan& plan,
                                                             SegmentationAlphabets& alphabets);

std::vector<std::string_view> segmentation_formats();
/// The format that was asked for, or else the one told from the name of the file.
std::string segmentation_format(const std::string& asked, const std::string& path);
/// Whether text starts like a file of graphs or of images.
bool looks_like_segmentation(std::string_view head);

/// Ends a graph of which nodes and edges have been added: its raster and its number follow.
void end_graph(SegmentationBatch& batch, Index number, Raster raster);

/// After the last graph of a batch.
void finish_features(SegmentationBatch& batch, const SegmentationAlphabets& alphabets);

}  // namespace gapwise::internal
