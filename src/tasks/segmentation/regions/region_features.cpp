#include "tasks/segmentation/regions/region_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "tasks/segmentation/colour_bins.h"

namespace gapwise::internal {
namespace {

constexpr Index kPlaces = 8;      // cells across and down
constexpr Index kDirections = 8;  // of gradients, up to their sign
constexpr std::array kSteepness{0.02, 0.05, 0.12};
constexpr Index kGradients = 1 + kDirections * std::ssize(kSteepness);  // flat, or steep somewhere
constexpr Index kPatterns = 59;  // 58 with at most two changes around, and all others
constexpr double kNoise = 0.01;  // a neighbour is brighter if it is so by this much
constexpr Index kAround = 3;     // sides of the window around a region, in sides of a square

/// Histograms of the pixels of a set: by colour, gradient and pattern.
struct Cue {
  const char* name;
  Index bins;
};
constexpr std::array<Cue, 3> kCues{
    {{"colour", kColourBins}, {"gradient", kGradients}, {"pattern", kPatterns}}};
constexpr std::array<const char*, 3> kSets{"region", "around", "picture"};
constexpr Index kBinsOfASet = kColourBins + kGradients + kPatterns;

/// The number of each pattern of eight bits around a pixel: of those that change at most twice, by
/// value; all others have the last one.
std::array<std::uint8_t, 256> pattern_numbers() {
  std::array<std::uint8_t, 256> numbers{};
  std::uint8_t next = 0;
  for (unsigned bits = 0; bits < 256; ++bits) {
    const unsigned turned = ((bits << 1U) | (bits >> 7U)) & 255U;
    const bool is_even = __builtin_popcount(bits ^ turned) <= 2;
    numbers[bits] = is_even ? next++ : static_cast<std::uint8_t>(kPatterns - 1);
  }
  return numbers;
}

/// The bins of every pixel of an image.
class PixelBins {
 public:
  explicit PixelBins(const StackImage& image) : width_(image.width), height_(image.height) {
    const auto pixels = static_cast<std::size_t>(width_ * height_);
    light_.reserve(pixels);
    bins_.resize(pixels);
    for (std::size_t p = 0; p < pixels; ++p) {
      Colour colour;
      for (std::size_t c = 0; c < colour.size(); ++c) {
        colour[c] = static_cast<double>(image.samples[3 * p + c]) / image.max_value;
      }
      const Colour seen = opponents(colour);
      light_.push_back(seen[0]);
      bins_[p][0] = colour_bin(seen);
    }
    const auto numbers = pattern_numbers();
    for (Index y = 0; y < height_; ++y) {
      for (Index x = 0; x < width_; ++x) {
        auto& bins = bins_[static_cast<std::size_t>(y * width_ + x)];
        bins[1] = kColourBins + gradient(x, y);
        bins[2] = kColourBins + kGradients + numbers[pattern(x, y)];
      }
    }
  }

  /// Each below kBinsOfASet.
  const std::array<Index, kCues.size()>& at(Index pixel) const {
    return bins_[static_cast<std::size_t>(pixel)];
  }

 private:
  /// Beyond the border the picture goes on as at the border.
  double light(Index x, Index y) const {
    const Index column = std::clamp<Index>(x, 0, width_ - 1);
    const Index row = std::clamp<Index>(y, 0, height_ - 1);
    return light_[static_cast<std::size_t>(row * width_ + column)];
  }
  Index gradient(Index x, Index y) const {
    const double across = (light(x + 1, y) - light(x - 1, y)) / 2.0;
    const double down = (light(x, y + 1) - light(x, y - 1)) / 2.0;
    const Index steepness = bin(std::hypot(across, down), kSteepness);
    if (steepness == 0) return 0;
    const double turn = std::atan2(down, across) / M_PI + 1.0;  // from 0 to 2
    const auto direction =
        static_cast<Index>(std::floor(turn * static_cast<double>(kDirections) + 0.5)) % kDirections;
    return 1 + (steepness - 1) * kDirections + direction;
  }
  unsigned pattern(Index x, Index y) const {
    constexpr std::array<std::pair<Index, Index>, 8> kRing{
        {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};
    const double here = light(x, y) + kNoise;
    unsigned bits = 0;
    for (std::size_t k = 0; k < kRing.size(); ++k) {
      if (light(x + kRing[k].first, y + kRing[k].second) > here) bits |= 1U << k;
    }
    return bits;
  }

  Index width_;
  Index height_;
  std::vector<double> light_;
  std::vector<std::array<Index, kCues.size()>> bins_;
};

/// Histograms of a set of pixels.
class Histograms {
 public:
  void clear() {
    counts_.fill(0.0);
    size_ = 0.0;
  }
  void add(const std::array<Index, kCues.size()>& bins) {
    for (const Index b : bins) counts_[static_cast<std::size_t>(b)] += 1.0;
    size_ += 1.0;
  }
  /// Roots of shares, so that inner products compare distributions.
  void write(Index first, double scale, FeatureRows& rows) const {
    for (std::size_t b = 0; b < counts_.size(); ++b) {
      if (counts_[b] == 0.0) continue;
      rows.add(static_cast<std::uint32_t>(first + static_cast<Index>(b)),
               scale * std::sqrt(counts_[b] / size_));
    }
  }

 private:
  std::array<double, static_cast<std::size_t>(kBinsOfASet)> counts_{};
  double size_ = 0.0;
};

/// Where the pixels of each region lie.
struct RegionPixels {
  std::vector<std::vector<Index>> pixels;
  std::vector<double> x;  ///< means
  std::vector<double> y;

  explicit RegionPixels(const RegionMap& map)
      : pixels(static_cast<std::size_t>(map.num_regions)),
        x(pixels.size(), 0.0),
        y(pixels.size(), 0.0) {
    for (Index p = 0; p < map.num_pixels(); ++p) {
      const std::size_t r = map.region(p);
      pixels[r].push_back(p);
      x[r] += static_cast<double>(p % map.width);
      y[r] += static_cast<double>(p / map.width);
    }
    for (std::size_t r = 0; r < pixels.size(); ++r) {
      x[r] /= static_cast<double>(pixels[r].size());
      y[r] /= static_cast<double>(pixels[r].size());
    }
  }
};

/// Borders between the bins of the squared difference of two mean colours, relative to its mean
/// over the picture.
constexpr std::array kContrastBorders{0.05, 0.2, 0.6, 1.5, 4.0};
constexpr std::array<const char*, 2> kKinds{"across", "down"};
constexpr Index kEdgeAttributes = std::ssize(kContrastBorders) + 2;  // of a kind: bias and the bins

}  // namespace

std::vector<std::string> region_attribute_names() {
  std::vector<std::string> names{"bias"};
  for (Index b = 0; b < kPlaces * kPlaces; ++b) names.push_back(fmt::format("place/{}", b));
  for (const char* set : kSets) {
    for (const Cue& cue : kCues) {
      for (Index b = 0; b < cue.bins; ++b) {
        names.push_back(fmt::format("{}+{}/{}", set, cue.name, b));
      }
    }
  }
  return names;
}

void add_region_rows(const StackImage& image, const RegionMap& map, Index side,
                     const std::vector<bool>& is_kept, double scale, FeatureRows& rows) {
  const PixelBins bins(image);
  const RegionPixels regions(map);
  Histograms whole;
  for (Index p = 0; p < map.num_pixels(); ++p) whole.add(bins.at(p));
  Histograms part;
  const double reach = static_cast<double>(kAround * side) / 2.0;
  const auto cell = [](double at, Index length) {
    return static_cast<Index>((at + 0.5) * static_cast<double>(kPlaces) /
                              static_cast<double>(length));
  };
  for (std::size_t r = 0; r < regions.pixels.size(); ++r) {
    if (!is_kept[r]) continue;
    rows.add(0, scale);
    const Index place = cell(regions.y[r], map.height) * kPlaces + cell(regions.x[r], map.width);
    Index first = 1;
    rows.add(static_cast<std::uint32_t>(first + place), scale);
    first += kPlaces * kPlaces;
    part.clear();
    for (const Index p : regions.pixels[r]) part.add(bins.at(p));
    part.write(first, scale, rows);
    first += kBinsOfASet;
    part.clear();
    const auto low = [&](double at) { return std::max<Index>(0, std::llround(at - reach)); };
    const auto high = [&](double at, Index length) {
      return std::min(length, static_cast<Index>(std::llround(at + reach)) + 1);
    };
    for (Index y = low(regions.y[r]); y < high(regions.y[r], map.height); ++y) {
      for (Index x = low(regions.x[r]); x < high(regions.x[r], map.width); ++x) {
        part.add(bins.at(y * map.width + x));
      }
    }
    part.write(first, scale, rows);
    first += kBinsOfASet;
    whole.write(first, scale, rows);
    rows.end_row();
  }
}

std::vector<std::string> region_edge_names() {
  std::vector<std::string> names;
  for (const char* kind : kKinds) {
    names.push_back(fmt::format("{}+bias", kind));
    for (Index b = 0; b + 1 < kEdgeAttributes; ++b) {
      names.push_back(fmt::format("{}+relative-contrast/{}", kind, b));
    }
  }
  return names;
}

RegionEdges find_region_edges(const StackImage& image, const RegionMap& map, Index neighbours) {
  const RegionPixels regions(map);
  std::vector<Colour> colours(regions.pixels.size());
  for (std::size_t r = 0; r < colours.size(); ++r) {
    for (const Index p : regions.pixels[r]) {
      for (std::size_t c = 0; c < 3; ++c) {
        colours[r][c] += image.samples[3 * static_cast<std::size_t>(p) + c];
      }
    }
    for (double& part : colours[r]) {
      part /= static_cast<double>(regions.pixels[r].size()) * image.max_value;
    }
  }
  std::vector<NodePair> found;
  const auto join = [&](Index p, Index q) {
    const std::int32_t a = map.region_of[static_cast<std::size_t>(p)];
    const std::int32_t b = map.region_of[static_cast<std::size_t>(q)];
    if (a != b) found.emplace_back(std::min(a, b), std::max(a, b));
  };
  for (Index p = 0; p < map.num_pixels(); ++p) {
    const bool has_right = p % map.width + 1 < map.width;
    const bool has_left = p % map.width > 0;
    const bool has_below = p + map.width < map.num_pixels();
    if (has_right) join(p, p + 1);
    if (has_below) join(p, p + map.width);
    if (neighbours == 8 && has_below && has_right) join(p, p + map.width + 1);
    if (neighbours == 8 && has_below && has_left) join(p, p + map.width - 1);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());

  const auto contrast = [&](const NodePair& ends) {
    double sum = 0.0;
    for (std::size_t c = 0; c < 3; ++c) {
      const double apart = colours[static_cast<std::size_t>(ends.first)][c] -
                           colours[static_cast<std::size_t>(ends.second)][c];
      sum += apart * apart;
    }
    return sum;
  };
  double sum = 0.0;
  for (const NodePair& ends : found) sum += contrast(ends);
  const double mean = sum > 0.0 ? sum / static_cast<double>(found.size()) : 1.0;
  RegionEdges edges;
  for (NodePair ends : found) {
    const auto a = static_cast<std::size_t>(ends.first);
    const auto b = static_cast<std::size_t>(ends.second);
    const double across = regions.x[b] - regions.x[a];
    const double down = regions.y[b] - regions.y[a];
    const bool is_down = std::fabs(down) > std::fabs(across);
    if ((is_down ? down : across) < 0.0) std::swap(ends.first, ends.second);
    const Index first = is_down ? kEdgeAttributes : 0;
    edges.ends.push_back(ends);
    edges.attributes.emplace_back(first, first + 1 + bin(contrast(ends) / mean, kContrastBorders));
  }
  return edges;
}

}  // namespace gapwise::internal
