#include "tasks/segmentation/pixel_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "tasks/segmentation/colour_bins.h"

namespace gapwise::internal {
namespace {

// Borders between the bins of a number; a number equal to a border belongs to the bin above.
constexpr std::array kTextureBorders{0.01, 0.02, 0.04, 0.08, 0.16};
constexpr std::array kFrameBorders{-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0};
constexpr std::array kRowBorders{0.05, 0.1, 0.15, 0.2, 0.3};
constexpr Index kFinePlaces = 10;  // cells across and down
constexpr Index kRoughPlaces = 5;
constexpr double kRareColour = 0.005;  // a colour of less than this part of the pixels is rare
constexpr Index kWindowsAcross = 24;  // the window of local statistics, in parts of the longer side
constexpr Index kFrameParts = 10;     // how deep the frame is

constexpr Index kTextures = std::ssize(kTextureBorders) + 1;
constexpr Index kFrames = std::ssize(kFrameBorders) + 1;
constexpr Index kRows = std::ssize(kRowBorders) + 1;

struct Cue {
  const char* name;
  Index bins;
};
enum CueNumber {
  kBias,
  kPlace,
  kColour,
  kMeanColour,
  kFineTexture,
  kTexture,
  kFrame,
  kRow,
  kPlaceAndFrame,
  kPlaceAndLight,
  kRowAndFrame,
  kNumCues
};
constexpr std::array<Cue, kNumCues> kCues{
    {{"bias", 1},
     {"place", kFinePlaces* kFinePlaces},
     {"colour", kColourBins},
     {"mean-colour", kColourBins},
     {"fine-texture", kTextures},
     {"texture", kTextures},
     {"unlike-frame", kFrames},
     {"unlike-row", kRows},
     {"place+unlike-frame", kRoughPlaces* kRoughPlaces* kFrames},
     {"place+light", kRoughPlaces* kRoughPlaces* kLights},
     {"unlike-row+unlike-frame", kRows* kFrames}}};

double distance(const Colour& a, const Colour& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// A part of a picture: columns left..right-1, rows top..bottom-1.
struct Window {
  Index left;
  Index top;
  Index right;
  Index bottom;
  double size() const { return static_cast<double>((right - left) * (bottom - top)); }
};

/// Sums over any window in constant time.
class WindowSums {
 public:
  template <class Value>
  WindowSums(Index width, Index height, Value value)
      : stride_(width + 1), sums_(static_cast<std::size_t>((width + 1) * (height + 1)), 0.0) {
    for (Index y = 0; y < height; ++y) {
      double row = 0.0;
      for (Index x = 0; x < width; ++x) {
        row += value(x, y);
        at(x + 1, y + 1) = at(x + 1, y) + row;
      }
    }
  }
  double mean(const Window& w) const {
    const double sum =
        at(w.right, w.bottom) - at(w.left, w.bottom) - at(w.right, w.top) + at(w.left, w.top);
    return sum / w.size();
  }

 private:
  double& at(Index x, Index y) { return sums_[static_cast<std::size_t>(y * stride_ + x)]; }
  double at(Index x, Index y) const { return sums_[static_cast<std::size_t>(y * stride_ + x)]; }

  Index stride_;
  std::vector<double> sums_;
};

/// All that the cues of one picture are computed from.
class PictureStatistics {
 public:
  explicit PictureStatistics(const PixelGrid& grid)
      : width_(grid.width),
        height_(grid.height),
        radius_(std::max<Index>(1, std::max(width_, height_) / kWindowsAcross)),
        frame_x_(std::max<Index>(1, width_ / kFrameParts)),
        frame_y_(std::max<Index>(1, height_ / kFrameParts)),
        opponents_{grid.width, grid.height, {}} {
    for (const Colour& c : grid.colours) opponents_.colours.push_back(opponents(c));
    for (std::size_t c = 0; c < 3; ++c) {
      channels_.emplace_back(width_, height_,
                             [&](Index x, Index y) { return opponents_.at(x, y)[c]; });
    }
    channels_.emplace_back(width_, height_, [&](Index x, Index y) {
      return opponents_.at(x, y)[0] * opponents_.at(x, y)[0];
    });
    count_colours();
  }

  void add_row(Index x, Index y, FeatureRows& rows) const;

 private:
  Window window(Index x, Index y, Index radius) const {
    return {std::max<Index>(0, x - radius), std::max<Index>(0, y - radius),
            std::min(width_, x + radius + 1), std::min(height_, y + radius + 1)};
  }
  Colour mean(const Window& w) const {
    return {channels_[0].mean(w), channels_[1].mean(w), channels_[2].mean(w)};
  }
  /// Standard deviation of the light.
  double deviation(const Window& w) const {
    const double mean_light = channels_[0].mean(w);
    return std::sqrt(std::max(0.0, channels_[3].mean(w) - mean_light * mean_light));
  }
  void count_colours();
  /// How far the colour is from what the frame shows left and right of it.
  double row_contrast(const Colour& colour, Index y) const {
    const Window band = window(0, y, radius_);
    const Colour left = mean({0, band.top, frame_x_, band.bottom});
    const Colour right = mean({width_ - frame_x_, band.top, width_, band.bottom});
    return std::min(distance(colour, left), distance(colour, right));
  }

  Index width_;
  Index height_;
  Index radius_;
  Index frame_x_;
  Index frame_y_;
  PixelGrid opponents_;
  std::vector<WindowSums> channels_;  ///< the three, and the square of the light
  std::vector<double> unlike_frame_;  ///< for each colour: log2 of how much rarer the frame has it
};

void PictureStatistics::count_colours() {
  std::vector<double> inside(static_cast<std::size_t>(kColourBins), 0.0);
  std::vector<double> frame(static_cast<std::size_t>(kColourBins), 0.0);
  double num_inside = 0.0;
  double num_frame = 0.0;
  for (Index y = 0; y < height_; ++y) {
    for (Index x = 0; x < width_; ++x) {
      const bool is_frame =
          x < frame_x_ || y < frame_y_ || x >= width_ - frame_x_ || y >= height_ - frame_y_;
      const auto colour = static_cast<std::size_t>(colour_bin(opponents_.at(x, y)));
      (is_frame ? frame : inside)[colour] += 1.0;
      (is_frame ? num_frame : num_inside) += 1.0;
    }
  }
  for (std::size_t c = 0; c < inside.size(); ++c) {
    const double part_inside = inside[c] / std::max(1.0, num_inside);
    const double part_frame = frame[c] / std::max(1.0, num_frame);
    unlike_frame_.push_back(std::log2((part_inside + kRareColour) / (part_frame + kRareColour)));
  }
}

void PictureStatistics::add_row(Index x, Index y, FeatureRows& rows) const {
  const auto cell = [&](Index cells) { return y * cells / height_ * cells + x * cells / width_; };
  const Colour& colour = opponents_.at(x, y);
  const Colour mean_colour = mean(window(x, y, radius_));
  const Index rough_place = cell(kRoughPlaces);
  const Index frame =
      bin(unlike_frame_[static_cast<std::size_t>(colour_bin(colour))], kFrameBorders);
  const Index row = bin(row_contrast(mean_colour, y), kRowBorders);
  std::array<Index, kNumCues> bins{};
  bins[kPlace] = cell(kFinePlaces);
  bins[kColour] = colour_bin(colour);
  bins[kMeanColour] = colour_bin(mean_colour);
  bins[kFineTexture] = bin(deviation(window(x, y, 1)), kTextureBorders);
  bins[kTexture] = bin(deviation(window(x, y, radius_)), kTextureBorders);
  bins[kFrame] = frame;
  bins[kRow] = row;
  bins[kPlaceAndFrame] = rough_place * kFrames + frame;
  bins[kPlaceAndLight] = rough_place * kLights + bin(colour[0], kLightBorders);
  bins[kRowAndFrame] = row * kFrames + frame;
  Index first = 0;
  for (std::size_t cue = 0; cue < kNumCues; ++cue) {
    rows.add(static_cast<std::uint32_t>(first + bins[cue]));
    first += kCues[cue].bins;
  }
  rows.end_row();
}

}  // namespace

std::vector<std::string> pixel_attribute_names() {
  std::vector<std::string> names;
  for (const Cue& cue : kCues) {
    for (Index b = 0; b < cue.bins; ++b) {
      names.push_back(cue.bins == 1 ? cue.name : fmt::format("{}/{}", cue.name, b));
    }
  }
  return names;
}

void add_pixel_rows(const PixelGrid& grid, FeatureRows& rows) {
  const PictureStatistics statistics(grid);
  for (Index y = 0; y < grid.height; ++y) {
    for (Index x = 0; x < grid.width; ++x) statistics.add_row(x, y, rows);
  }
}

}  // namespace gapwise::internal
