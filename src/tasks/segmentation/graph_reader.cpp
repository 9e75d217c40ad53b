#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/fields.h"
#include "io/folds.h"
#include "io/lines.h"
#include "tasks/segmentation/reader.h"
#include "tasks/shared/keyword_lines.h"

namespace gapwise::internal {
namespace {

constexpr Index kMostNodes = Index{1} << 26;
constexpr Index kLargestSide = 65535;  // of a picture
constexpr std::size_t kMostEdges = std::size_t{1} << 28;
constexpr std::string_view kForm =
    "expected 'graph [WxH]', 'node LABEL [size=S] feature:value ...' or 'edge U V feature:value "
    "...'";
constexpr std::string_view kSize = "size=";
constexpr double kSmallestSize = 1e-100;
/// Node attributes that a picture is drawn from, if there is one.
constexpr std::array<std::string_view, 3> kColours{"red", "green", "blue"};

/// Graphs as text, one node or edge a line.
class GraphReader final : public SegmentationReader {
 public:
  GraphReader(const SegmentationPlan& plan, SegmentationAlphabets& alphabets)
      : plan_(plan), folds_(plan.folds), alphabets_(alphabets), lines_(plan.path) {}

  bool read(SegmentationBatch& into) override;
  std::string complaint() const override;

 private:
  bool next_line() { return next_fields(lines_, fields_); }
  void start_graph();
  void read_node(SegmentationBatch& into, bool is_wanted);
  void read_edge(SegmentationBatch& into, bool is_wanted);
  std::int8_t read_label(std::string_view text) const;
  double read_size(std::string_view text) const;
  std::int32_t read_end(std::string_view text) const;
  void read_features(std::size_t first, Alphabet& alphabet, FeatureRows* into, bool is_edge);
  double read_value(std::string_view text, std::string_view name, bool is_edge) const;
  void remember_colour(std::string_view name, double value);
  void check_raster() const;

  SegmentationPlan plan_;
  Folds folds_;
  SegmentationAlphabets& alphabets_;
  LineReader lines_;
  std::vector<std::string_view> fields_;  ///< of the line at hand
  bool has_graph_ = false;                ///< the line at hand starts a graph
  Index number_ = 0;                      ///< of the graph at hand, from 1
  Raster raster_;
  Index num_nodes_ = 0;
  std::array<double, 3> colour_{};
};

bool GraphReader::read(SegmentationBatch& into) {
  while (has_graph_ || next_line()) {
    start_graph();
    const bool is_wanted = folds_.contains(number_);
    while (next_line() && fields_[0] != "graph") {
      if (fields_[0] == "node") {
        read_node(into, is_wanted);
      } else if (fields_[0] == "edge") {
        read_edge(into, is_wanted);
      } else {
        lines_.fail(fmt::format("the line starts with '{}'; {}", fields_[0], kForm));
      }
    }
    has_graph_ = !fields_.empty();
    if (num_nodes_ == 0) {
      lines_.fail(fmt::format("graph {} has no nodes; leave it out or list them", number_));
    }
    check_raster();
    if (is_wanted) {
      end_graph(into, number_, std::move(raster_));
      return true;
    }
  }
  return false;
}

/// The line at hand is "graph" or "graph WxH".
void GraphReader::start_graph() {
  if (fields_[0].starts_with("P6")) {
    lines_.fail("this is an image, not text; read it with \1format images");
  }
  if (fields_[0] != "graph") {
    lines_.fail(fmt::format("'{}' before the first 'graph' line; {}", fields_[0], kForm));
  }
  ++number_;
  num_nodes_ = 0;
  raster_ = {};
  if (fields_.size() == 1) return;
  if (fields_.size() != 2 ||
      !parse_shape(fields_[1], kLargestSide, raster_.width, raster_.height)) {
    lines_.fail(fmt::format("'{}' is not the width and height of a picture, as in 'graph 24x18'",
                            fmt::join(fields_.begin() + 1, fields_.end(), " ")));
  }
}

void GraphReader::check_raster() const {
  if (raster_.width == 0 || num_nodes_ == raster_.num_pixels()) return;
  lines_.fail(
      fmt::format("graph {} is said to be {}x{}, which makes {} nodes, but {} are listed; "
                  "list all of them row by row, or leave out the shape",
                  number_, raster_.width, raster_.height, raster_.num_pixels(), num_nodes_));
}

void GraphReader::read_node(SegmentationBatch& into, bool is_wanted) {
  if (fields_.size() < 2) lines_.fail(fmt::format("the node has no label; {}", kForm));
  if (++num_nodes_ > kMostNodes) lines_.fail(fmt::format("more than {} nodes", kMostNodes));
  const std::int8_t label = read_label(fields_[1]);
  const bool has_size = fields_.size() > 2 && fields_[2].starts_with(kSize);
  const double size = has_size ? read_size(fields_[2].substr(kSize.size())) : 1.0;
  colour_ = {0.5, 0.5, 0.5};
  read_features(has_size ? 3 : 2, alphabets_.nodes, is_wanted ? &into.data.nodes : nullptr, false);
  if (!is_wanted) return;
  into.data.nodes.end_row();
  into.data.labels.push_back(label);
  into.data.sizes.push_back(size);
  if (!plan_.keeps_colours) return;
  for (const double part : colour_) {
    const double byte = std::round(255.0 * std::clamp(part, 0.0, 1.0));
    raster_.colours.push_back(static_cast<std::uint8_t>(byte));
  }
}

void GraphReader::read_edge(SegmentationBatch& into, bool is_wanted) {
  if (fields_.size() < 3) lines_.fail(fmt::format("the edge needs two nodes; {}", kForm));
  const NodePair ends{read_end(fields_[1]), read_end(fields_[2])};
  if (ends.first == ends.second) {
    lines_.fail(fmt::format("an edge joins node {} to itself; it can never be cut, so leave it out",
                            fields_[1]));
  }
  if (into.data.ends.size() >= kMostEdges)
    lines_.fail(fmt::format("more than {} edges", kMostEdges));
  const bool is_kept = is_wanted && plan_.has_pairs;
  read_features(3, alphabets_.edges, is_kept ? &into.data.edges : nullptr, true);
  if (!is_kept) return;
  into.data.edges.end_row();
  into.data.ends.push_back(ends);
}

std::int8_t GraphReader::read_label(std::string_view text) const {
  if (text == "0") return 0;
  if (text == "1") return 1;
  if (text == "?" && !plan_.needs_labels) return -1;
  lines_.fail(fmt::format("label '{}' must be 0 (background) or 1 (foreground){}", text,
                          text == "?" ? "; '?' is for data to predict" : ""));
}

double GraphReader::read_size(std::string_view text) const {
  double size = 0.0;
  if (parse_value(text, size) != ValueText::kGood || !(size >= kSmallestSize)) {
    lines_.fail(fmt::format("size '{}' must be a number from {} to {}", text, kSmallestSize,
                            kLargestValue));
  }
  return size;
}

std::int32_t GraphReader::read_end(std::string_view text) const {
  Index node = 0;
  if (!parse_index(text, node) || node < 1) {
    lines_.fail(fmt::format("'{}' is not the number of a node; they are numbered from 1", text));
  }
  if (node > num_nodes_) {
    lines_.fail(
        fmt::format("an edge to node {}, but graph {} has {} so far; list nodes before "
                    "their edges",
                    node, number_, counted(static_cast<std::size_t>(num_nodes_), "node")));
  }
  return static_cast<std::int32_t>(node - 1);
}

/// The features from field `first` on; only checked if there is nothing to add them to.
void GraphReader::read_features(std::size_t first, Alphabet& alphabet, FeatureRows* into,
                                bool is_edge) {
  for (std::size_t f = first; f < fields_.size(); ++f) {
    const std::size_t colon = fields_[f].rfind(':');
    const std::string_view name = fields_[f].substr(0, colon);
    if (name.empty()) lines_.fail(fmt::format("'{}' has no name before the colon", fields_[f]));
    if (!is_edge && name.starts_with(kSize)) {
      lines_.fail(
          fmt::format("'{}' must come once, right behind the label; {}", fields_[f], kForm));
    }
    const double value = colon == std::string_view::npos
                             ? 1.0
                             : read_value(fields_[f].substr(colon + 1), name, is_edge);
    if (!is_edge) remember_colour(name, value);
    if (into == nullptr) continue;
    const std::uint32_t attribute = plan_.learns ? alphabet.add(name) : alphabet.find(name);
    if (attribute != Alphabet::kUnknown && value != 0.0) into->add(attribute, value);
  }
}

double GraphReader::read_value(std::string_view text, std::string_view name, bool is_edge) const {
  double value = 0.0;
  if (const ValueText found = parse_value(text, value); found != ValueText::kGood) {
    refuse_value(lines_, found, text, fmt::format("feature '{}'", name));
  }
  if (is_edge && value < 0.0) {
    lines_.fail(
        fmt::format("value {} of feature '{}' is negative; features of edges say how much "
                    "a cut costs and must be >= 0",
                    text, name));
  }
  return value;
}

void GraphReader::remember_colour(std::string_view name, double value) {
  if (name == "grey") colour_ = {value, value, value};
  const auto at = std::find(kColours.begin(), kColours.end(), name);
  if (at != kColours.end()) colour_[static_cast<std::size_t>(at - kColours.begin())] = value;
}

std::string GraphReader::complaint() const {
  if (number_ > 0) {
    return fmt::format(
        "{}: none of its {} is in folds {}; the fold of a graph is its number, from "
        "1",
        lines_.name(), counted(static_cast<std::size_t>(number_), "graph"), folds_.text());
  }
  return fmt::format("{}: {}; {} on each line", lines_.name(),
                     lines_.line_number() == 0 ? "is empty" : "holds no graphs", kForm);
}

}  // namespace

std::unique_ptr<SegmentationReader> make_graph_reader(const SegmentationPlan& plan,
                                                      SegmentationAlphabets& alphabets) {
  return std::make_unique<GraphReader>(plan, alphabets);
}

}  // namespace gapwise::internal
